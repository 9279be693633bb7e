"""Front matter of a markdown file: YAML between lines of `---`, or TOML between lines of `+++`."""

import re
import tomllib
from collections.abc import Callable
from contextlib import suppress
from typing import Final, Protocol, cast

import yaml
from yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

from groundwire_readers.text.written_yaml import text_of_node, written_list, written_value

_FRONT_MATTER: Final = re.compile(
    r"\A\ufeff?(---|\+\+\+)[^\S\n]*\n(.{0,65536}?)\n(?:\1|\.\.\.)[^\S\n]*(?:\n|\Z)", re.DOTALL
)


class _YamlLibrary(Protocol):
    """The used part of the YAML library, which ships no types."""

    compose: Callable[[str, type], object]


_LIBRARY: Final = cast("_YamlLibrary", yaml)


def split_front_matter(text: str) -> tuple[dict[str, object], str]:
    """Return the fields of the front matter and the text after it; without front matter, no fields and the whole text.

    Only scalars and lists of scalars are read. YAML aliases are never expanded, since they could grow exponentially.
    """
    match = _FRONT_MATTER.match(text)
    if match is None:
        return {}, text
    fields = _yaml(match[2]) if match[1] == "---" else _toml(match[2])
    return ({}, text) if fields is None else (fields, text[match.end() :])


def _toml(text: str) -> dict[str, object] | None:
    try:
        return tomllib.loads(text, parse_float=written_value)
    except (tomllib.TOMLDecodeError, RecursionError, ValueError):
        return None


def _yaml(text: str) -> dict[str, object] | None:
    """Return the fields; None when the text is no mapping."""
    try:
        root = _LIBRARY.compose(text, yaml.SafeLoader)
        if not isinstance(root, MappingNode):
            return None
        pairs = cast("list[tuple[Node, Node]]", root.value)
        return {str(key.value): _value(value) for key, value in pairs if isinstance(key, ScalarNode)}
    except (yaml.YAMLError, RecursionError, ValueError):
        return None


def _value(node: Node) -> object:
    if isinstance(node, SequenceNode):
        items = cast("list[Node]", node.value)
        values = [_scalar(item) if isinstance(item, ScalarNode) else None for item in items]
        return written_list(values, [text_of_node(item) for item in items])
    return _scalar(node) if isinstance(node, ScalarNode) else None


def _scalar(node: ScalarNode) -> object:
    text = text_of_node(node)
    if node.style is None:
        with suppress(ValueError):  # a day that is none stays a text
            return written_value(text)
    return text
