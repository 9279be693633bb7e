"""Scopes of keys, and the table of the scopes that routes of the REST API need.

A dialect declares the scopes of its tools, methods and routes (`dialects.declaration`). A tool, method or route without
a scope is refused.
"""

from collections.abc import Iterable
from enum import StrEnum
from typing import Final


class Scope(StrEnum):
    """A right of a key; `ADMIN` covers everything within its own tenant."""

    SEARCH = "search"
    VERIFY = "verify"
    ACT_AS = "act_as"
    INGEST = "ingest"
    SHARE = "share"
    ADMIN = "admin"


_ANY: Final = frozenset(Scope)
_ADMIN: Final = frozenset({Scope.ADMIN})
_OWNER: Final = frozenset({Scope.ADMIN, Scope.INGEST})

ROUTE_SCOPES: Final[dict[str, frozenset[Scope]]] = {
    "GET /v1/status": _ANY,
    "GET /v1/doctor": _ADMIN,
    "POST /v1/session": _ANY,
    "DELETE /v1/session": _ANY,
    "GET /v1/whoami": _ANY,
    "GET /v1/keys": _ADMIN,
    "POST /v1/keys": _ADMIN,
    "GET /v1/keys/policy-tags": _ADMIN,
    "PATCH /v1/keys/{kid}": _ADMIN,
    "POST /v1/keys/{kid}/rotate": _ADMIN,
    "DELETE /v1/keys/{kid}": _ADMIN,
    "GET /v1/users": _ADMIN,
    "GET /v1/users/blocked": _ADMIN,
    "POST /v1/users/block": _ADMIN,
    "POST /v1/users/unblock": _ADMIN,
    "POST /v1/users/offboard": _ADMIN,
    "PUT /v1/users/{user}": _ADMIN,
    "PATCH /v1/users/{user}": _ADMIN,
    "DELETE /v1/users/{user}": _ADMIN,
    "GET /v1/tags": _ADMIN,
    "POST /v1/tags/check": _OWNER,
    "POST /v1/tags/rename": _ADMIN,
    "POST /v1/access/check": _ADMIN,
    "POST /v1/access/readers": _ADMIN,
    "POST /v1/access/documents": _ADMIN,
    "POST /v1/access/what-if": _ADMIN,
    "POST /v1/access/why-not": _ADMIN,
    "GET /v1/audit": _ADMIN,
    "GET /v1/audit/verify": _ADMIN,
    "GET /v1/audit/callers": _ADMIN,
    "GET /v1/usage": _ADMIN,
    "GET /v1/evaluations": _ADMIN,
    "POST /v1/evaluations": _ADMIN,
    "GET /v1/evaluations/{evaluation_id}": _ADMIN,
    "GET /v1/evaluations/{evaluation_id}/comparison": _ADMIN,
    "DELETE /v1/evaluations/{evaluation_id}": _ADMIN,
    "GET /v1/groups": _ADMIN,
    "POST /v1/groups/explain-token": _ADMIN,
    "PUT /v1/groups/{group}": _ADMIN,
    "DELETE /v1/groups/{group}": _ADMIN,
    "GET /v1/collections": _OWNER,
    "PUT /v1/collections/{name}": _ADMIN,
    "GET /v1/collections/{name}/proposal": _ADMIN,
    "DELETE /v1/collections/{name}": _ADMIN,
    "GET /v1/documents": _OWNER,
    "GET /v1/documents/{doc_id}": _OWNER,
    "PUT /v1/documents/{doc_id}/policy": _OWNER,
    "DELETE /v1/documents/{doc_id}": _OWNER,
    "GET /v1/deletions": _OWNER,
    "POST /v1/documents/{doc_id}/close": _OWNER,
    "POST /v1/documents/{doc_id}/lift": _OWNER,
    "POST /v1/deletions/{doc_id}/restore": _OWNER,
    "DELETE /v1/deletions/{doc_id}": _OWNER,
    "POST /v1/uploads": _OWNER,
    "POST /v1/uploads/plan": _OWNER,
    "GET /v1/uploads/{ticket}": _OWNER,
    "GET /v1/ingestions": _ADMIN,
    "GET /v1/ingestions/{ingestion_id}": _ADMIN,
    "POST /v1/ingestions/{ingestion_id}/cancel": _ADMIN,
    "POST /v1/search": frozenset({Scope.SEARCH}),
    "POST /v1/search/dialects": frozenset({Scope.SEARCH}),
}
"""Scopes of which each route needs one, by method and path."""


def missing_scope(held: frozenset[Scope], needed: Scope) -> Scope | None:
    """Return the scope that is missing, or None when `held` suffices."""
    return None if needed in held or Scope.ADMIN in held else needed


def may_call(held: frozenset[Scope], route: str) -> bool:
    """Return whether a key with these scopes may call the route; nobody may call a route without a row."""
    return holds_any(held, ROUTE_SCOPES.get(route, ()))


def holds_any(held: frozenset[Scope], scopes: Iterable[Scope]) -> bool:
    """Return whether one of the scopes is held; False if `scopes` is empty."""
    return any(missing_scope(held, scope) is None for scope in scopes)
