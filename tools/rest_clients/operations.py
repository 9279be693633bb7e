"""Operations and objects of an OpenAPI document, as far as this server's own document uses the format."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

Schema = Mapping[str, Any]

_PREFIX: Final = "#/components/schemas/"
_PATH_PARAMETER: Final = re.compile(r"\{(\w+)\}")
_METHODS: Final = ("get", "post", "put", "patch", "delete")


class Parameter(NamedTuple):
    """Parameter of a path or of a query; one of a path is always required."""

    name: str
    schema: Schema
    is_in_path: bool
    is_required: bool


class Operation(NamedTuple):
    """One operation.

    Attributes:
        name: in snake_case.
        body: schema of the JSON that is sent; None: nothing is sent.
        answer: schema of the JSON of a success.
    """

    name: str
    method: str
    path: str
    summary: str
    parameters: Sequence[Parameter]
    body: Schema | None
    answer: Schema


def schemas_of(document: Schema) -> Mapping[str, Schema]:
    """Return the named schemas, in the order of their names."""
    return dict(sorted(document["components"]["schemas"].items()))


def operations_of(document: Schema) -> Iterator[Operation]:
    """Yield the operations, in the order of the document."""
    for path, methods in document["paths"].items():
        for method in _METHODS:
            if method in methods:
                yield _operation(path, method, methods[method])


def _operation(path: str, method: str, operation: Schema) -> Operation:
    [success] = [each for status, each in operation["responses"].items() if status.startswith("2")]
    in_path = _PATH_PARAMETER.findall(path)
    return Operation(
        name=operation["operationId"].partition("_v1_")[0],
        method=method.upper(),
        path=path,
        summary=operation["description"].partition("\n")[0],
        parameters=[
            Parameter(each["name"], each["schema"], each["name"] in in_path, bool(each.get("required")))
            for each in operation.get("parameters", ())
            if each["in"] in {"path", "query"}
        ],
        body=_json(operation.get("requestBody", {})),
        answer=_json(success) or {},
    )


def _json(message: Schema) -> Schema | None:
    content = message.get("content", {}).get("application/json")
    return None if content is None else content["schema"]


def reference_of(schema: Schema) -> str | None:
    """Return the name of the schema that is referred to; None for a schema of its own."""
    return str(schema["$ref"]).removeprefix(_PREFIX) if "$ref" in schema else None
