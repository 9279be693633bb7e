"""Calls of what the dialects declare: each tool with arguments of its schema, each route with its parameters filled."""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final, cast
from urllib.parse import quote

from groundwire.dialects import DIALECTS
from groundwire.dialects.declaration.dialect import SHARED_MCP_PATH, Dialect
from groundwire.dialects.declaration.services import DialectServices

_PARAMETER: Final = re.compile(r"\{\w+(?::\w+|\+)?\}")


def message(method: str, params: Mapping[str, object]) -> bytes:
    """Return one JSON-RPC request."""
    return json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}).encode()


def tool_calls(dialect: Dialect, values: Iterable[str]) -> Iterator[tuple[str, bytes]]:
    """Yield calls of each tool, with its name: with every argument, and with the required ones alone.

    Every argument has one value, in the form that the schema asks for: a description such as `projects/{project}` is
    the form of a text.
    """
    values = tuple(values)
    for declared in dialect.tools:
        schema: Mapping[str, Any] = declared.build(_SERVICES).input_schema
        required = _required(schema)
        for value in values:
            for some in (schema, required):
                arguments = _fill(some, value)
                yield declared.name, message("tools/call", {"name": declared.name, "arguments": arguments})


def mcp_paths(dialect: Dialect, value: str) -> list[str]:
    """Return the MCP paths that lead to the dialect, with this value for each parameter."""
    shared = () if dialect.toolset is None else (SHARED_MCP_PATH,)
    return [*shared, *own_mcp_paths([dialect], value)]


def own_mcp_paths(dialects: Iterable[Dialect], value: str) -> list[str]:
    """Return the MCP paths that only one dialect has, with this value for each parameter."""
    return [fill_path(path, value) for dialect in dialects for path in dialect.mcp_paths]


def fill_path(path: str, value: str) -> str:
    """Return the path with the value in place of each parameter; that of a whole segment names a knowledge base."""
    path = path.replace("{resource}", "knowledgebases('{name}')")
    return _PARAMETER.sub(lambda _: quote(value, safe=""), path)


def toolsets() -> list[str]:
    """Return the toolsets of all dialects."""
    return [dialect.toolset for dialect in DIALECTS if dialect.toolset is not None]


class _Unused:
    def __getattr__(self, name: str) -> Any:
        raise AssertionError(f"a tool was described with the use case {name}, which is only needed to call it")


_FORM: Final = re.compile(r"\w+(?:/(?:\w+|\{\w+\}))+")
_SERVICES: Final = DialectServices(cast("Any", _Unused()), cast("Any", _Unused()))


def _required(schema: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the schema with the members alone that it requires, on every level."""
    named = {name: _required(schema["properties"][name]) for name in schema.get("required", ())}
    return {**schema, "properties": named} if "properties" in schema else schema


def _fill(schema: Mapping[str, Any], value: str) -> Any:
    """Return an instance of the schema with the value as each of its texts that is not of a fixed set."""
    if "enum" in schema:
        return schema["enum"][0]
    kind = schema.get("type", "string")
    match kind[0] if isinstance(kind, list) else kind:
        case "object":
            return {name: _fill(each, value) for name, each in schema.get("properties", {}).items()}
        case "array":
            return [_fill(schema.get("items", {}), value)]
        case "integer" | "number":
            return schema.get("minimum", 1)
        case "boolean":
            return True
        case _:
            form = schema.get("description", "")
            return fill_path(form, value) if _FORM.fullmatch(form) else value
