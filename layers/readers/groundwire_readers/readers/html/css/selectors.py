"""Selectors of CSS that have several parts, and the elements that they match."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from groundwire_readers.readers.html.css.appearance import Declarations, declare, unescaped
from groundwire_readers.readers.html.element_kinds import LAYOUT_PREFIX

Features = frozenset[str]
"""Facts of an element that a part of a selector can require: "p", ".class", "#id", "[name]" and "[name=value]"."""

_ESCAPE: Final = r"\\(?:[0-9a-fA-F]{1,6}\s?|[^\n])"
_NAME: Final = rf"-{{0,2}}(?:[^\W\d]|{_ESCAPE})(?:[\w-]|{_ESCAPE})*+"
_PART: Final = re.compile(
    rf"(?P<name>[.#]?{_NAME})|(?P<any>[*&])|:root\b|:(?:is|where)\((?P<within>[.#]?{_NAME})\)"
    rf"|\[\s*(?P<attribute>[\w-]{{1,80}})\s*(?:(?P<sign>~?=)\s*[\"']?(?P<value>[^\"'\[\]]{{0,80}}?)[\"']?\s*)?\]"
)
_COMBINED: Final = re.compile(r"\s*(>)\s*|\s+")
_CHARACTERS_MAX: Final = 400
_STEPS_MAX: Final = 3_000_000
# Selectors 4, specificity: an id outweighs all classes and attributes, one of these all names.
_STRENGTHS: Final = {"#": 10_000, ".": 100, "[": 100}


@dataclass(frozen=True, slots=True)
class _CombinedRule:
    """A selector with its declarations.

    Attributes:
        parts: what each part asks, the element's own last, each with whether the one before is its parent's.
        rank: its strength, then its place.
    """

    parts: Sequence[tuple[Features, bool]]
    declarations: Declarations
    rank: tuple[int, int]


@dataclass(slots=True)
class CombinedRules:
    """Rules of selectors with several parts, by one feature of the elements that they match."""

    _rules: dict[str, list[_CombinedRule]] = field(default_factory=dict[str, list[_CombinedRule]])
    _merged: dict[str, dict[str, str]] = field(default_factory=dict[str, dict[str, str]])
    _steps: int = 0
    _count: int = 0

    def add(self, selector: str, declarations: Declarations) -> None:
        """Add a rule; those of siblings, positions and states never count."""
        parts = list(_parts(selector))
        if not declarations or not parts or not all(each for each, _ in parts):
            return
        self._count += 1
        strength = sum(_STRENGTHS.get(each[0], each != "*") for wanted, _ in parts for each in wanted)
        # The strongest feature is usually the rarest: few elements have to look at the rule.
        key = max(parts[-1][0], key=lambda each: (_STRENGTHS.get(each[0], each != "*"), each))
        declare(self._merged.setdefault(key, {}), declarations)
        self._rules.setdefault(key, []).append(_CombinedRule(parts, declarations, (strength, self._count)))

    def style_of(self, own: Features, around: Sequence[Features]) -> Declarations:
        """Return the declarations of the rules that match an element; the strongest one counts.

        Past a bound of steps, all rules of a feature count for each element that has it: a page switches none off.
        """
        if not self._rules:
            return {}
        found: dict[str, str] = {}
        if self._steps + sum(len(self._rules.get(each, ())) for each in own) > _STEPS_MAX:
            for each in own:
                declare(found, self._merged.get(each, {}))
            return found
        candidates = [rule for each in own for rule in self._rules.get(each, ())]
        for rule in sorted(
            filter(lambda rule: self._matches(rule, own, around), candidates), key=lambda rule: rule.rank
        ):
            important = [name for name in found if name + "!" in found and name + "!" not in rule.declarations]
            found |= {name: value for name, value in rule.declarations.items() if name not in important}
        return found

    def _matches(self, rule: _CombinedRule, own: Features, around: Sequence[Features]) -> bool:
        self._steps += 1
        wanted, is_child = rule.parts[-1]
        if not wanted <= own:
            return False
        place = len(around)
        for ancestor, of_child in reversed(rule.parts[:-1]):
            place -= 1
            while place >= 0 and not ancestor <= around[place] and not is_child and self._steps < _STEPS_MAX:
                place -= 1
                self._steps += 1
            if self._steps >= _STEPS_MAX:
                return True
            if place < 0 or not ancestor <= around[place]:
                return False
            is_child = of_child
        return True


def features_of(tag: str, attributes: Mapping[str, str | None]) -> Features:
    """Return the features of an element."""
    classes = (attributes.get("class") or "").split()
    found = {
        tag.removeprefix(LAYOUT_PREFIX),
        "*",
        *(f".{name}" for name in classes),
        *(f"[{name}]" for name in attributes),
    }
    if identity := attributes.get("id"):
        found.add(f"#{identity}")
    return frozenset(found | {f"[{name}={value}]" for name, value in attributes.items() if value and len(value) < 80})  # noqa: PLR2004


def _parts(selector: str) -> Iterator[tuple[Features, bool]]:
    """Yield the parts of a selector; one without features is not known."""
    text = selector.strip()
    if len(text) > _CHARACTERS_MAX:
        yield frozenset(), False
        return
    position, is_child = 0, False
    while position < len(text):
        wanted: set[str] = set()
        while (found := _PART.match(text, position)) is not None:
            wanted.add(_feature(found))
            position = found.end()
        combined = _COMBINED.match(text, position)
        is_known = bool(wanted) and (combined is not None or position == len(text))
        yield frozenset(wanted) if is_known else frozenset(), is_child
        if not is_known or combined is None:
            return
        position, is_child = combined.end(), combined[1] is not None


def _feature(found: re.Match[str]) -> str:
    if attribute := found["attribute"]:
        if found["sign"] == "~=" and attribute.lower() == "class":
            return f".{found['value']}"
        return f"[{attribute.lower()}={found['value']}]" if found["value"] else f"[{attribute.lower()}]"
    if name := found["name"] or found["within"]:
        return unescaped(name) if name[0] in ".#" else unescaped(name).lower()
    return "*" if found["any"] else "html"
