"""OpenAPI 3.1 document, generated from the routes."""

import re
from functools import cache
from typing import TYPE_CHECKING, Any, Final

from fastapi import APIRouter
from fastapi.openapi.utils import get_openapi

from groundwire import __version__
from groundwire.domain.access.scopes import ROUTE_SCOPES
from groundwire.entry.rest.application import ROUTERS
from groundwire.entry.rest.openapi.examples import ROUTE_EXAMPLES, RouteExample
from groundwire.entry.rest.schema import EVERY_ROUTE_ERRORS, ErrorAnswer, declared_errors

if TYPE_CHECKING:
    from collections.abc import Sequence

    from starlette.routing import BaseRoute

    from groundwire.dialects.declaration.dialect import Dialect

_PARAMETER: Final = re.compile(r"\{(\w+)\+?\}")
_JSON: Final = "application/json"
_SECURITY_SCHEMES: Final = {"key": {"type": "http", "scheme": "bearer", "description": "An API key of the tenant."}}
_SECURITY: Final = [{"key": list[str]()}]
_DESCRIPTION: Final = (
    "Keys, users, collections, documents, uploads and search of one tenant: that of the key. Every error has the form "
    "of `ErrorAnswer`. A name that the key may not know gets the same answer as one "
    "that does not exist."
)


_DIALECTS_DESCRIPTION: Final = (
    "Operations of other systems that this server answers. Bodies, answers and errors are those of each system. "
    "A client of a system sends the key as it does there."
)


def openapi_document(public_url: str) -> dict[str, Any]:
    """Return the document of the REST API with this server's URL."""
    return {**_document(), "servers": [{"url": public_url}]}


def dialects_document(public_url: str, dialects: "Sequence[Dialect]") -> dict[str, Any]:
    """Return the document of the operations of dialects, a document of its own: their forms are those of systems."""
    return {
        "openapi": "3.1.0",
        "info": {"title": "Groundwire dialects", "version": __version__, "description": _DIALECTS_DESCRIPTION},
        "servers": [{"url": public_url}],
        "paths": _dialect_paths(dialects),
        "components": {"securitySchemes": _SECURITY_SCHEMES},
        "security": _SECURITY,
    }


def _dialect_paths(dialects: "Sequence[Dialect]") -> dict[str, Any]:
    paths: dict[str, Any] = {}
    for dialect in dialects:
        for route in dialect.rest_routes:
            for operation in route.operations:
                method, _, path = operation.partition(" ")
                # OpenAPI has no mark for a parameter of several segments.
                paths.setdefault(_PARAMETER.sub(r"{\1}", path), {})[method.lower()] = {
                    "summary": f"Operation of the dialect `{dialect.name}`, as its system documents it.",
                    "tags": [dialect.name],
                    "parameters": [_path_parameter(name) for name in _PARAMETER.findall(path)],
                    "responses": {"default": {"description": "In the form of that system."}},
                    "x-scopes": sorted(route.scopes),
                }
    return paths


def _path_parameter(name: str) -> dict[str, Any]:
    return {"name": name, "in": "path", "required": True, "schema": {"type": "string"}}


@cache
def _document() -> dict[str, Any]:
    document = get_openapi(title="Groundwire", version=__version__, description=_DESCRIPTION, routes=_described())
    document["components"]["securitySchemes"] = _SECURITY_SCHEMES
    document["security"] = _SECURITY
    for path, operations in document["paths"].items():
        for method, operation in operations.items():
            scopes = sorted(ROUTE_SCOPES[f"{method.upper()} {path}"])
            operation["x-scopes"] = scopes
            # The framework's own error format, which this server never sends.
            operation["responses"].pop("422", None)
            _add_example(operation, ROUTE_EXAMPLES[f"{method.upper()} {path}"])
    for name in ("HTTPValidationError", "ValidationError"):
        document["components"]["schemas"].pop(name, None)
    return document


def _described() -> "Sequence[BaseRoute]":
    """Return the routes with the errors that each of them may answer with."""
    router = APIRouter(
        responses={
            **declared_errors(*EVERY_ROUTE_ERRORS),
            "default": {"model": ErrorAnswer, "description": "The call failed."},
        }
    )
    for each in ROUTERS:
        router.include_router(each)
    return router.routes


def _add_example(operation: dict[str, Any], example: RouteExample) -> None:
    if example.request is not None:
        operation["requestBody"]["content"][_JSON]["example"] = example.request
    [success] = [status for status in operation["responses"] if status.startswith("2")]
    operation["responses"][success]["content"][_JSON]["example"] = example.answer
