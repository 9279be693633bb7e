"""YAML of metadata: scalars of YAML 1.2, and the written text where a number could not give it back.

YAML 1.1 reads the code `0715` as 461, the time `6:30` as 390 and the country `NO` as false.
"""

import re
from collections.abc import Sequence
from datetime import date
from typing import Final, cast

import yaml

_NULLS: Final = ("", "~", "null", "Null", "NULL")
_TRUTHS: Final = {word: word.lower() == "true" for word in ("true", "True", "TRUE", "false", "False", "FALSE")}
_DAY: Final = re.compile(r"([0-9]{4}-[0-9]{2}-[0-9]{2})(?:[Tt ][0-9]{1,2}:[0-9]{2}:[0-9]{2}\S{0,20}(?: \S{1,6})?)?")
_INTEGER: Final = re.compile(r"0|-?[1-9][0-9]{0,299}")
_FRACTION: Final = re.compile(r"-?[0-9]{1,17}\.[0-9]{1,17}")
_WRITTEN: Final = "!written"


def written_value(text: str) -> str | int | float | bool | date | None:
    """Return the value of a plain scalar; its text where no value of YAML 1.2 can give the text back.

    Raises:
        ValueError: it has the form of a date and is none, such as a 31st of June.
    """
    if text in _NULLS:
        return None
    if text in _TRUTHS:
        return _TRUTHS[text]
    if _INTEGER.fullmatch(text):
        return int(text)
    if _FRACTION.fullmatch(text) and repr(float(text)) == text:
        return float(text)
    if (day := _DAY.fullmatch(text)) is not None:
        return date.fromisoformat(day[1])
    return text


def text_of_node(node: yaml.Node) -> str:
    """Return the written text of a scalar; empty for any other node, which can be of any size."""
    return str(node.value) if isinstance(node, yaml.ScalarNode) else ""


def written_list(values: Sequence[object], texts: Sequence[str]) -> list[object]:
    """Return the values of a list, or the written texts of all where some have no other value."""
    are_texts = [isinstance(value, str) for value in values]
    return list(texts if any(are_texts) and not all(are_texts) else values)


class WrittenLoader(yaml.SafeLoader):
    """Loader that reads plain scalars by `written_value`, and quoted ones as text."""

    def resolve(self, kind: type[yaml.Node], value: str | None, implicit: object) -> str:
        """Return the tag of a node; part of the YAML library."""
        if kind is yaml.ScalarNode and isinstance(implicit, tuple) and implicit[0] is True:
            return _WRITTEN
        return cast("str", super().resolve(kind, value, implicit))  # pyright: ignore[reportUnknownMemberType] - untyped in PyYAML's stubs


def _list(loader: yaml.SafeLoader, node: yaml.SequenceNode) -> list[object]:
    values = cast("list[object]", loader.construct_sequence(node, deep=True))
    return written_list(values, [text_of_node(item) for item in cast("list[yaml.Node]", node.value)])


WrittenLoader.add_constructor("tag:yaml.org,2002:seq", _list)
WrittenLoader.add_constructor(_WRITTEN, lambda _, node: written_value(str(node.value)))
