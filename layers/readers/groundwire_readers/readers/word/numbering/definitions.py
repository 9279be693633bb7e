"""List definitions of a Word file (`numbering.xml`): levels with their formats and start numbers."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Final
from xml.etree.ElementTree import Element

from groundwire_readers.containers.xml_tree import parse_xml
from groundwire_readers.readers.word.word_elements import (
    is_switched_on,
    number_of,
    word_attribute,
    word_children,
    word_value,
)

LEVELS: Final = 9
_MAX_LINKS: Final = 4
"""Maximum number of links (`numStyleLink`) from a list to the style that defines it, which may have a link again."""


@dataclass(frozen=True, slots=True)
class ListLevel:
    """One level of a list.

    Attributes:
        number_format: name of the number format (ISO/IEC 29500-1, 17.18.59).
        text: label template, with `%1` to `%9` for the number of each level.
        start: first number.
        restart: level, from 1, whose items restart this one; 0 for never; None for every higher level.
        is_legal: whether all numbers in the label are decimal.
        style: id of the paragraph style that this level numbers.
    """

    number_format: str = "decimal"
    text: str = ""
    start: int = 0
    restart: int | None = None
    is_legal: bool = False
    style: str = ""


@dataclass(frozen=True, slots=True)
class ListDefinition:
    """A list that paragraphs refer to.

    Attributes:
        counter: key of its counter; lists with the same counter continue each other's numbers.
        levels: its levels, the outermost first.
        restarts: start number by level, for levels that restart with the first item of this list.
    """

    counter: str
    levels: tuple[ListLevel, ...]
    restarts: Mapping[int, int] = field(default_factory=dict[int, int])

    def level_of_style(self, style: str) -> int | None:
        """Return the level that numbers the paragraphs of a style; None if the list numbers other styles only."""
        return next((index for index, level in enumerate(self.levels) if style and level.style == style), None)


def read_definitions(part: bytes, number_ids_of_styles: Mapping[str, str]) -> dict[str, ListDefinition]:
    """Return the lists of the part `numbering.xml` by id.

    Args:
        part: the XML; may be empty.
        number_ids_of_styles: list id by style, for lists that a style defines.

    Raises:
        UnreadableDocument: damaged.
    """
    if not part:
        return {}
    root = parse_xml(part)
    abstracts = {word_attribute(one, "abstractNumId"): one for one in word_children(root, "abstractNum")}
    numbers = {word_attribute(one, "numId"): one for one in word_children(root, "num")}
    targets = {number: word_value(one, "abstractNumId") for number, one in numbers.items()}
    levels = {identity: _levels(one) for identity, one in abstracts.items()}
    definitions: dict[str, ListDefinition] = {}
    for number, element in numbers.items():
        target = targets[number]
        for _ in range(_MAX_LINKS):
            linked = word_value(abstracts[target], "numStyleLink") if target in abstracts else ""
            if not linked:
                break
            target = targets.get(number_ids_of_styles.get(linked, ""), target)
        definitions[number] = _with_overrides(ListDefinition(target, levels.get(target, ())), element)
    return definitions


def _levels(abstract: Element) -> tuple[ListLevel, ...]:
    levels = [ListLevel()] * LEVELS
    for element in word_children(abstract, "lvl"):
        if (index := _level_index(element)) is not None:
            levels[index] = _level(element)
    return tuple(levels)


def _level(element: Element) -> ListLevel:
    return ListLevel(
        word_value(element, "numFmt") or "decimal",
        word_value(element, "lvlText"),
        # ECMA-376: a level without a start number begins at 0.
        number_of(word_value(element, "start")) or 0,
        number_of(word_value(element, "lvlRestart")),
        is_switched_on(element, "isLgl"),
        word_value(element, "pStyle"),
    )


def _with_overrides(definition: ListDefinition, number: Element) -> ListDefinition:
    levels, restarts = list(definition.levels) or [ListLevel()] * LEVELS, dict[int, int]()
    for override in word_children(number, "lvlOverride"):
        index = _level_index(override)
        if index is None:
            continue
        for element in word_children(override, "lvl"):
            levels[index] = _level(element)
        start = number_of(word_value(override, "startOverride"))
        if start is not None:
            levels[index] = replace(levels[index], start=start)
            restarts[index] = start
    return ListDefinition(definition.counter, tuple(levels), restarts)


def _level_index(element: Element) -> int | None:
    index = number_of(word_attribute(element, "ilvl"))
    return index if index is not None and index < LEVELS else None
