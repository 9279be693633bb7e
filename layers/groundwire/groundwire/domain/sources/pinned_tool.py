"""Tools of a source's server as their administrator accepted them, pinned by the hash of what the server declared."""

import hashlib
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final, TypeAlias, cast

from groundwire.domain.access.policy import Policy
from groundwire.domain.limits import MAX_SOURCE_DESCRIPTION_CHARACTERS, MAX_SOURCE_SCHEMA_BYTES
from groundwire.domain.text.json_values import is_list, is_mapping, mapping_or_empty, text_member
from groundwire_readers.text.normalisation import normalise

Declaration: TypeAlias = Mapping[str, object]
"""Tool as a server's `tools/list` has it."""

_TOOL_NAME: Final = re.compile(r"[A-Za-z0-9_-]{1,62}")
_MAX_TOOL_NAME_CHARACTERS: Final = 64
"""Names that all agent libraries take: OpenAI's and others refuse more, and any other character."""
_PINNED_MEMBERS: Final = ("name", "title", "description", "inputSchema", "outputSchema", "annotations", "execution")
_MIRROR: Final = "x-mcp-header"
_SHAPES: Final[Mapping[str, type]] = {"properties": dict, "required": list, "enum": list, "$defs": dict}
_NEVER_SHOWN: Final = frozenset({_MIRROR, "$schema", "$id"})
_REFERENCES: Final = frozenset({"$ref", "$dynamicRef", "$recursiveRef"})
_LISTED_NAMES: Final = 20


@dataclass(frozen=True, slots=True)
class PinnedTool:
    """Tool that an administrator allows.

    Attributes:
        name: the server's name for it.
        digest: hash of its declaration when it was accepted; empty: the server did not declare it yet.
        description, input_schema: cleaned, as agents see them.
        mirrored_arguments: headers that a stateless server wants for arguments, by the arguments' paths.
        policy: who may call it, among those who see the source; None: all of them.
    """

    name: str
    digest: str
    description: str
    input_schema: Mapping[str, object]
    mirrored_arguments: Mapping[str, str]
    policy: Policy | None


def declaration_digest(declaration: Declaration) -> str:
    """Return the hash of everything in a declaration that a model or a program goes by: SHA-256, hex."""
    pinned = {member: declaration[member] for member in _PINNED_MEMBERS if member in declaration}
    # Sorted, as a server may send the same members in another order.
    canonical = json.dumps(pinned, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(canonical.encode("utf-8", "surrogatepass")).hexdigest()


def pin(declaration: Declaration, policy: Policy | None) -> PinnedTool | None:
    """Return the tool as declared; None where it cannot be offered: name, size or schema are not fit for agents."""
    name, schema = declaration.get("name"), declaration.get("inputSchema")
    if not isinstance(name, str) or not is_tool_name(name) or not is_mapping(schema):
        return None
    shown = _shown_schema(schema)
    if shown is None or shown.get("type") != "object":
        return None
    description = clean_description(declaration)
    mirrored = dict(_mirrored(schema, ()))
    return PinnedTool(name, declaration_digest(declaration), description, shown, mirrored, policy)


def clean_description(declaration: Declaration) -> str:
    """Return the description of a declaration as agents see it, else its title or its name."""
    texts = (declaration.get(member) for member in ("description", "title", "name"))
    described = next((text for text in texts if isinstance(text, str) and text.strip()), "")
    return normalise(described)[:MAX_SOURCE_DESCRIPTION_CHARACTERS]


def is_tool_name(name: str) -> bool:
    """Return whether a server's tool has a name that agents can call."""
    return _TOOL_NAME.fullmatch(name) is not None


def is_agent_tool_name(name: str) -> bool:
    """Return whether agents can call a tool by this name: prefix, separator and the server's name."""
    return len(name) <= _MAX_TOOL_NAME_CHARACTERS


def declared_names(declarations: Iterable[Declaration]) -> list[str]:
    """Return the names of the declared tools, each once."""
    names = (declaration.get("name") for declaration in declarations)
    return list(dict.fromkeys(name for name in names if isinstance(name, str)))


def shortened_names(declarations: Iterable[Declaration]) -> str:
    """Return the names of declared tools for a message, clean, the first ones of many."""
    names = [normalise(name)[:_MAX_TOOL_NAME_CHARACTERS] for name in declared_names(declarations)]
    return ", ".join(names[:_LISTED_NAMES]) + (" and others" if len(names) > _LISTED_NAMES else "") or "none"


def _shown_schema(schema: Mapping[str, object]) -> dict[str, object] | None:
    """Return the schema with clean prose and local references alone; None where it is too large or has another."""
    try:
        shown = _shown(schema, is_name=False)
        # NaN is no JSON: an agent could not read the whole list of tools.
        size = len(json.dumps(shown, allow_nan=False).encode("utf-8", "surrogatepass"))
    except (_UnfitSchema, ValueError, RecursionError):
        return None
    return cast("dict[str, object]", shown) if size <= MAX_SOURCE_SCHEMA_BYTES else None


class _UnfitSchema(Exception):
    """Error for a schema with a reference out of itself, a hidden character in a name, or a member of another shape."""


def _shown(value: object, *, is_name: bool) -> object:
    """Return a part of a schema; `is_name`: its members are named by arguments, not by the vocabulary of schemas."""
    if is_mapping(value):
        return dict(_shown_members(value, is_name=is_name))
    if is_list(value):
        return [_shown(each, is_name=False) for each in value]
    return normalise(value) if isinstance(value, str) else value


def _shown_members(members: Mapping[str, object], *, is_name: bool) -> Iterator[tuple[str, object]]:
    for key, value in members.items():
        if is_name:
            # Arguments are sent by these names, so one is refused and never cleaned.
            if normalise(key) != key:
                raise _UnfitSchema
            yield key, _shown(value, is_name=False)
        elif _is_unfit(key, value):
            raise _UnfitSchema
        elif key in {"enum", "const", "default", "pattern", "required"}:
            # Values and patterns that a call must repeat exactly.
            yield key, value
        elif key not in _NEVER_SHOWN:
            yield key, _shown(value, is_name=key in {"properties", "$defs", "definitions", "patternProperties"})


def _is_unfit(key: str, value: object) -> bool:
    """Return whether a member of a schema has a shape that agents cannot read, or refers out of the schema."""
    if key in _REFERENCES:
        # Any other reference would have an agent's library fetch an address that the server chose.
        return not (isinstance(value, str) and value.startswith("#"))
    return key in _SHAPES and not isinstance(value, _SHAPES[key])


def _mirrored(schema: Mapping[str, object], path: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    """Yield the path of each argument that is mirrored in a header, and the header's name."""
    for name, value in mapping_or_empty(schema.get("properties")).items():
        members = mapping_or_empty(value)
        header = text_member(members, _MIRROR)
        if header is not None:
            yield "/".join((*path, name)), header
        yield from _mirrored(members, (*path, name))
