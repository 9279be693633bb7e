"""docs/reference/rest.md: every route of the OpenAPI document with its scopes, fields, examples and errors."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from groundwire.domain.access.scopes import Scope
from groundwire.entry.rest.openapi.document import openapi_document
from groundwire.entry.rest.openapi.examples import ROUTE_EXAMPLES
from groundwire.entry.rest.schema import EVERY_ROUTE_ERRORS, STATUS_MEANINGS

_REF: Final = "#/components/schemas/"
_JSON: Final = "application/json"
_FLAT_LIST: Final = re.compile(r"\[\s+([^\[\]{}]+?)\s+\]")
_FEW_FIELDS: Final = 10
_NOT_OBJECTS: Final = {"Fault", "ErrorAnswer", "DateValue"}
_INTRO: Final = """# REST API reference

The API has the routes below, at the address of your server. Send a key with each call: `Authorization: Bearer KEY`. The
tenant is that of the key. The [guide](../rest.md) shows the tasks with curl. A running server gives this description as
OpenAPI, without a key, at `/v1/openapi.json`. `/v1/openapi.json?part=dialects` has the operations of
[dialects](../dialects.md).

A call needs one of the scopes of its route. The scope `admin` is enough for every route. Bodies are JSON. The server
refuses an unknown field. A text that ends in `…` is shortened.
"""
_ERRORS: Final = """## Errors of every route

An error is `{"error": {"code": …, "message": …}}`. The message contains the remedy. If a repeat can succeed, the
error has `retry_after_s`, and the header `Retry-After` has the same number. These statuses can come from every route.
The routes name their other statuses. [Errors](errors.md) has all codes.
"""


def rest_page() -> str:
    """Return the page."""
    document = openapi_document("http://127.0.0.1:8080")
    schemas: Mapping[str, Any] = document["components"]["schemas"]
    routes = [
        (f"{method.upper()} {path}", operation)
        for path, operations in document["paths"].items()
        for method, operation in operations.items()
    ]
    parts = [_INTRO.strip(), "\n".join(_overview(routes)), "\n".join(_common_errors())]
    for tag in dict.fromkeys(operation["tags"][0] for _, operation in routes):
        parts.append(f"## Routes: {tag}")
        parts += ["\n".join(_route(name, operation)) for name, operation in routes if operation["tags"][0] == tag]
    parts.append("## Objects")
    objects = {name: schemas[name] for name in sorted(schemas) if _is_object(name, schemas[name])}
    parts += ["\n".join(_object(name, objects)) for name in objects]
    return "\n\n".join(parts) + "\n"


def _overview(routes: Sequence[tuple[str, Mapping[str, Any]]]) -> Iterator[str]:
    yield "| route | scopes | purpose |"
    yield "|---|---|---|"
    for name, operation in routes:
        anchor = "".join(each for each in name.lower().replace(" ", "-") if each.isalnum() or each in "-_")
        yield f"| [`{name}`](#{anchor}) | {_scopes(operation)} | {_sentence(operation['description'])} |"


def _common_errors() -> Iterator[str]:
    yield f"{_ERRORS.strip()}\n"
    yield "| status | code | meaning |"
    yield "|---|---|---|"
    for status in EVERY_ROUTE_ERRORS:
        yield f"| {status} | `{STATUS_MEANINGS[status].code}` | {STATUS_MEANINGS[status].meaning} |"


def _route(name: str, operation: Mapping[str, Any]) -> Iterator[str]:
    example = ROUTE_EXAMPLES[name]
    yield f"### {name}\n"
    yield f"{_sentence(operation['description'])}\n"
    yield f"* Scopes: {_scopes(operation)}"
    yield from map(_parameter, operation.get("parameters", ()))
    if example.request is not None:
        yield f"* Body: {_type(operation['requestBody']['content'][_JSON]['schema'])}"
    [success] = [status for status in operation["responses"] if status.startswith("2")]
    yield f"* Answer: {success} with {_type(operation['responses'][success]['content'][_JSON]['schema'])}"
    for status in operation["responses"]:
        if status.isdigit() and not status.startswith("2") and int(status) not in EVERY_ROUTE_ERRORS:
            code, meaning, _ = STATUS_MEANINGS[int(status)]
            yield f"* Status {status}, `{code}`: {meaning}"
    yield f"\n```text\n{name.partition(' ')[0]} {example.path}\n```\n"
    if example.request is not None:
        yield f"```json\n{_pretty(example.request)}\n```\n"
    yield "Answer:\n"
    yield f"```json\n{_pretty(example.answer)}\n```"


def _parameter(parameter: Mapping[str, Any]) -> str:
    place = "query" if parameter["in"] == "query" else "path"
    default = parameter["schema"].get("default")
    known = "" if default is None else f", default `{json.dumps(default)}`"
    description = f": {_sentence(parameter['description'])}" if "description" in parameter else ""
    return f"* `{parameter['name']}` ({place}, {_type(parameter['schema'])}{known}){description}"


def _object(name: str, objects: Mapping[str, Mapping[str, Any]]) -> Iterator[str]:
    schema = objects[name]
    yield f"### {name}\n"
    base = _base(name, objects)
    inherited = "" if base is None else f" It has all fields of [{base}](#{base.lower()}), and these:"
    yield f"{_sentence(schema['description'])}{inherited}\n"
    required = schema.get("required", ())
    known = () if base is None else objects[base]["properties"]
    for field, value in schema["properties"].items():
        if field in known:
            continue
        facts = [_type(value), *(["required"] if field in required and _is_request(schema, name) else [])]
        if value.get("default") is not None and value["default"] not in ([], {}, False):
            facts.append(f"default `{json.dumps(value['default'])}`")
        description = f": {_sentence(value['description'])}" if "description" in value else ""
        yield f"* `{field}` ({', '.join(facts)}){description}"


def _base(name: str, objects: Mapping[str, Mapping[str, Any]]) -> str | None:
    """Return the larger object all of whose fields this one has, too."""
    own = set(objects[name]["properties"])
    bases = [each for each, schema in objects.items() if each != name and set(schema["properties"]) < own]
    return next((each for each in bases if len(objects[each]["properties"]) > _FEW_FIELDS), None)


def _is_request(schema: Mapping[str, Any], name: str) -> bool:
    """Return whether an object is sent: a caller may leave out fields of these only."""
    return name.endswith(("Order", "Body", "Settings", "Tags", "Rotation")) and bool(schema)


def _is_object(name: str, schema: Mapping[str, Any]) -> bool:
    return "properties" in schema and name not in _NOT_OBJECTS


def _scopes(operation: Mapping[str, Any]) -> str:
    names: list[str] = operation["x-scopes"]
    return "any" if set(names) == set(Scope) else ", ".join(f"`{name}`" for name in names)


def _type(schema: Mapping[str, Any]) -> str:
    """Return the type of a value in words; a type of an object is a link."""
    if "$ref" in schema:
        return _named_type(schema["$ref"].removeprefix(_REF))
    if "anyOf" in schema:
        return " or ".join(dict.fromkeys(_type(each) for each in schema["anyOf"]))
    if "const" in schema or "enum" in schema:
        return " or ".join(f"`{each}`" for each in schema.get("enum", [schema.get("const")]))
    if schema.get("type") == "array":
        return f"list of {_type(schema['items'])}"
    if isinstance(schema.get("additionalProperties"), Mapping):
        return f"map of names to {_type(schema['additionalProperties'])}"
    return _type_name(schema)


def _type_name(schema: Mapping[str, Any]) -> str:
    if schema.get("format") == "date-time":
        return "time in UTC"
    plain = {"string": "text", "integer": "integer", "number": "number", "boolean": "boolean", "null": "null"}
    return {**plain, "object": "map of names to values"}[schema["type"]]


def _named_type(name: str) -> str:
    schema = openapi_document("http://127.0.0.1:8080")["components"]["schemas"][name]
    if "enum" in schema:
        return _type({"enum": schema["enum"]})
    return "date" if name == "DateValue" else f"[{name}](#{name.lower()})"


def _sentence(text: str) -> str:
    joined = " ".join(text.split())
    return joined if joined.endswith(".") else f"{joined}."


def _pretty(value: object) -> str:
    """Return the value as indented JSON, in which a list of texts and numbers takes one line."""
    return _FLAT_LIST.sub(
        lambda found: f"[{' '.join(found[1].split())}]", json.dumps(value, indent=2, ensure_ascii=False)
    )
