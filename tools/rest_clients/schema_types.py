"""Types of schemas, in the words of a language."""

import json
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from tools.rest_clients.operations import Schema, reference_of


class Words(NamedTuple):
    """Types in one language; `{}` is the place of the inner type."""

    simple: Mapping[str, str]
    unknown: str
    array: str
    mapping: str
    literal: str


PYTHON = Words(
    {"string": "str", "integer": "int", "number": "float", "boolean": "bool", "null": "None"},
    "object",
    "list[{}]",
    "dict[str, {}]",
    "Literal[{}]",
)
TYPESCRIPT = Words(
    {"string": "string", "integer": "number", "number": "number", "boolean": "boolean", "null": "null"},
    "unknown",
    "Array<{}>",
    "Record<string, {}>",
    "{}",
)


def type_of(schema: Schema, words: Words) -> str:
    """Return the type of a schema.

    Raises:
        ValueError: the schema has a form that this generator does not know.
    """
    if (name := reference_of(schema)) is not None:
        return name
    if "anyOf" in schema:
        return _union([type_of(each, words) for each in schema["anyOf"]])
    if "const" in schema or "enum" in schema:
        return _literals(schema.get("enum", [schema.get("const")]), words)
    return _plain_type(schema, words)


def _plain_type(schema: Schema, words: Words) -> str:
    match schema.get("type"):
        case None if not set(schema) - {"title", "description", "default", "examples"}:
            return words.unknown
        case "array":
            return words.array.format(type_of(schema.get("items", {}), words))
        case "object":
            values = schema.get("additionalProperties", {})
            # `true` allows any values.
            return words.mapping.format(words.unknown if isinstance(values, bool) else type_of(values, words))
        case str(simple) if simple in words.simple:
            return words.simple[simple]
        case _:
            raise ValueError(f"This generator knows no type for {json.dumps(schema)[:200]}")


def _literals(values: Sequence[Any], words: Words) -> str:
    return _union([words.literal.format(json.dumps(each)) for each in values])


def _union(types: Sequence[str]) -> str:
    return " | ".join(dict.fromkeys(types))
