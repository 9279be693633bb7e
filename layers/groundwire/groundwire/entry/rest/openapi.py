"""OpenAPI 3.1 document, generated from the routes."""

from functools import cache
from typing import Any, Final

from fastapi.openapi.utils import get_openapi

from groundwire import __version__
from groundwire.domain.access.scopes import ROUTE_SCOPES
from groundwire.entry.rest.application import api

_SECURITY_SCHEME: Final = "key"
_DESCRIPTION: Final = (
    "Keys, users, collections, documents, uploads and search of one tenant: that of the key. Every error has the form "
    "of `ErrorAnswer`. What a key may not know of is answered like what is not there."
)


def openapi_document(public_url: str) -> dict[str, Any]:
    """Return the document with this server's URL."""
    return {**_document(), "servers": [{"url": public_url}]}


@cache
def _document() -> dict[str, Any]:
    document = get_openapi(title="Groundwire", version=__version__, description=_DESCRIPTION, routes=api().routes)
    document["components"]["securitySchemes"] = {
        _SECURITY_SCHEME: {"type": "http", "scheme": "bearer", "description": "An API key of the tenant."}
    }
    document["security"] = [{_SECURITY_SCHEME: []}]
    for path, operations in document["paths"].items():
        for method, operation in operations.items():
            scopes = sorted(ROUTE_SCOPES[f"{method.upper()} {path}"])
            operation["x-scopes"] = scopes
            # The framework's own error format, which this server never sends.
            operation["responses"].pop("422", None)
    for name in ("HTTPValidationError", "ValidationError"):
        document["components"]["schemas"].pop(name, None)
    return document
