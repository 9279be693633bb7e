"""Examples of requests and answers for the OpenAPI document, one for each route."""

from collections.abc import Mapping
from typing import Final, NamedTuple

from groundwire.entry.rest.openapi.example_values import (
    ACCESS,
    ACCESS_DOCUMENT,
    ACCESS_PERSON,
    AUDIT_ROW,
    BLOCK,
    BLOCK_ORDER,
    CHECKS,
    COLLECTION,
    DELETION,
    DIALECT_ANSWER,
    DOCUMENT,
    FOUND,
    GROUP,
    IDENTITY,
    KEY,
    KEY_TEXT,
    PASSAGE,
    POLICY,
    READERS,
    RECEIPT,
    SEEN_CALLER,
    TAG,
    USER,
)
from groundwire.entry.rest.openapi.monitoring_values import (
    COMPARISON,
    EVALUATION,
    EVALUATION_BODY,
    INGESTION,
    NEW_EVALUATION,
    PENDING,
    QUESTION,
)
from groundwire.entry.rest.openapi.upload_values import OTHER_ORDER, UPLOAD_ORDER, UPLOAD_PLAN, UPLOAD_TICKET

JsonObject = Mapping[str, object]


class RouteExample(NamedTuple):
    """An example of a call.

    Attributes:
        path: the path with values for its parameters, and a query.
        request: JSON body; None: the route reads none.
        answer: JSON body of the answer.
    """

    path: str
    request: JsonObject | None
    answer: JsonObject


ROUTE_EXAMPLES: Final[Mapping[str, RouteExample]] = {
    "GET /v1/status": RouteExample(
        "/v1/status",
        None,
        {
            "version": "0.1.0",
            "tenant": "t_5a30dba24762f1",
            "documents": {"indexed": 12, "refused": 1},
            "visible_after_seconds": 0,
        },
    ),
    "GET /v1/doctor": RouteExample("/v1/doctor", None, {"checks": CHECKS}),
    "POST /v1/session": RouteExample("/v1/session", None, {"expires_at": "2026-10-01T12:00:00Z"}),
    "DELETE /v1/session": RouteExample("/v1/session", None, {"signed_out": True}),
    "GET /v1/keys": RouteExample("/v1/keys", None, {"keys": [KEY], "next": None}),
    "POST /v1/keys": RouteExample(
        "/v1/keys",
        {
            "name": "support desk",
            "kind": "act_as",
            "scopes": ["search", "verify"],
            "collections": ["handbook"],
            "max_tags": ["department:*"],
        },
        {**KEY, "key": KEY_TEXT},
    ),
    "GET /v1/keys/policy-tags": RouteExample(
        "/v1/keys/policy-tags", None, {"tags": ["department:sales", "level:manager"], "complete": True}
    ),
    "PATCH /v1/keys/{kid}": RouteExample(
        "/v1/keys/4fGh7Kq2LmNp",
        {"name": "service desk", "collections": ["handbook", "prices"], "expires_in_days": 30},
        {**KEY, "name": "service desk", "collections": ["handbook", "prices"]},
    ),
    "POST /v1/keys/{kid}/rotate": RouteExample(
        "/v1/keys/4fGh7Kq2LmNp/rotate",
        {"overlap_hours": 1},
        {**KEY, "previous_until": "2026-10-01T13:00:00Z", "key": KEY_TEXT},
    ),
    "DELETE /v1/keys/{kid}": RouteExample("/v1/keys/4fGh7Kq2LmNp", None, {**KEY, "revoked": True}),
    "GET /v1/users": RouteExample("/v1/users", None, {"users": [USER], "next": None}),
    "GET /v1/users/blocked": RouteExample("/v1/users/blocked", None, {"users": [BLOCK], "next": None}),
    "POST /v1/users/block": RouteExample("/v1/users/block", BLOCK_ORDER, {"users": [BLOCK]}),
    "POST /v1/users/unblock": RouteExample(
        "/v1/users/unblock", {"users": ["elif@acme.example"]}, {"users": ["elif@acme.example"]}
    ),
    "POST /v1/users/offboard": RouteExample("/v1/users/offboard", BLOCK_ORDER, RECEIPT),
    "PUT /v1/users/{user}": RouteExample("/v1/users/ben@acme.example", {"tags": ["department:support"]}, USER),
    "PATCH /v1/users/{user}": RouteExample(
        "/v1/users/ben@acme.example", {"add_tags": ["department:support"], "remove_tags": ["department:sales"]}, USER
    ),
    "DELETE /v1/users/{user}": RouteExample("/v1/users/ben@acme.example", None, {"user": "ben@acme.example"}),
    "GET /v1/tags": RouteExample("/v1/tags", None, {"tags": [TAG], "complete": True}),
    "POST /v1/tags/check": RouteExample(
        "/v1/tags/check",
        {"tags": ["department:sales", "department:slaes"]},
        {"new": [{"tag": "department:slaes", "meant": "department:sales"}], "complete": True},
    ),
    "POST /v1/tags/rename": RouteExample(
        "/v1/tags/rename",
        {"tag": "department:sales", "new_tag": "department:revenue"},
        {
            "tag": "department:sales",
            "new_tag": "department:revenue",
            "documents": 4,
            "deleted_documents": 1,
            "users": 2,
            "keys": 1,
            "max_tags": 0,
            "groups": 1,
            "sources": 0,
            "from_policy_files": 3,
            "new_tag_in_use": False,
        },
    ),
    "POST /v1/access/check": RouteExample(
        "/v1/access/check", {"user": "ben@acme.example", "document": "returns"}, ACCESS
    ),
    "POST /v1/access/readers": RouteExample("/v1/access/readers", {"document": "returns"}, READERS),
    "POST /v1/access/documents": RouteExample(
        "/v1/access/documents",
        {"user": "olga@acme.example", "limit": 1},
        {
            "person": {**ACCESS_PERSON, "user": "olga@acme.example", "tags": []},
            "documents": [{**ACCESS_DOCUMENT, "reason": "named_user"}],
            "next": "…",
        },
    ),
    "POST /v1/access/why-not": RouteExample(
        "/v1/access/why-not",
        {"user": "ben@acme.example", "document": "returns", "phrases": ["May I send a station back?"]},
        {"outcome": "closed", "rank": None, "passage": None, "shown_in_place": None, "access": ACCESS},
    ),
    "POST /v1/access/what-if": RouteExample(
        "/v1/access/what-if",
        {"change": "tags", "user": "ben@acme.example", "tags": ["department:sales"]},
        {
            "added": {"count": 1, "collections": {"handbook": 1}, "documents": [ACCESS_DOCUMENT]},
            "removed": {"count": 0, "collections": {}, "documents": []},
            "complete": True,
        },
    ),
    "GET /v1/audit": RouteExample(
        "/v1/audit?document=returns&since=7d&limit=1", None, {"rows": [AUDIT_ROW], "next": "…", "complete": True}
    ),
    "GET /v1/audit/verify": RouteExample(
        "/v1/audit/verify", None, {"intact": True, "lines": 7310, "problem": None, "next": None}
    ),
    "GET /v1/audit/callers": RouteExample("/v1/audit/callers?since=7d", None, {"callers": [SEEN_CALLER], "next": None}),
    "GET /v1/usage": RouteExample(
        "/v1/usage",
        None,
        {
            "months": [
                {
                    "month": "2026-10",
                    "calls": {"rag_search": 1204, "/o": 38},
                    "refused": 3,
                    "passages": 7310,
                    "originals": 21,
                }
            ],
            "complete": True,
        },
    ),
    "GET /v1/ingestions": RouteExample("/v1/ingestions", None, {"ingestions": [INGESTION], "pending": PENDING}),
    "GET /v1/ingestions/{ingestion_id}": RouteExample("/v1/ingestions/r_3c9a61f07be2d845", None, INGESTION),
    "POST /v1/ingestions/{ingestion_id}/cancel": RouteExample(
        "/v1/ingestions/r_3c9a61f07be2d845/cancel", None, {**INGESTION, "cancel_requested": True}
    ),
    "GET /v1/evaluations": RouteExample("/v1/evaluations", None, {"evaluations": [EVALUATION]}),
    "POST /v1/evaluations": RouteExample("/v1/evaluations", EVALUATION_BODY, NEW_EVALUATION),
    "GET /v1/evaluations/{evaluation_id}": RouteExample(
        "/v1/evaluations/e_5c1d0f6a2b7e9384", None, {"evaluation": EVALUATION, "per_question": [QUESTION]}
    ),
    "GET /v1/evaluations/{evaluation_id}/comparison": RouteExample(
        "/v1/evaluations/e_5c1d0f6a2b7e9384/comparison?earlier=e_0b7c44d19e6f8a25&max_loss=0.02", None, COMPARISON
    ),
    "DELETE /v1/evaluations/{evaluation_id}": RouteExample(
        "/v1/evaluations/e_5c1d0f6a2b7e9384", None, {"id": "e_5c1d0f6a2b7e9384"}
    ),
    "GET /v1/whoami": RouteExample("/v1/whoami", None, IDENTITY),
    "GET /v1/groups": RouteExample("/v1/groups", None, {"groups": [GROUP]}),
    "POST /v1/groups/explain-token": RouteExample(
        "/v1/groups/explain-token",
        {"token": "eyJhbGciOi…"},
        {
            "admitted": True,
            "reason": "admitted",
            "claim": None,
            "tenant": "t_5a30dba24762f1",
            "user": "elif@acme.example",
            "kid": "4fGh7Kq2LmNp",
            "max_tags": ["department:*"],
            "scopes": ["search", "verify"],
            "tags": ["department:sales"],
            "tags_ignored": 1,
            "groups": [
                {
                    "group": "/department/sales",
                    "tag": "department:sales",
                    "mapped_by": "tenant",
                    "outcome": "kept",
                },
                {"group": "staff", "tag": "staff", "mapped_by": None, "outcome": "outside_key"},
            ],
        },
    ),
    "PUT /v1/groups/{group}": RouteExample("/v1/groups/%2Fdepartment%2Fsales", {"tags": ["department:sales"]}, GROUP),
    "DELETE /v1/groups/{group}": RouteExample("/v1/groups/%2Fdepartment%2Fsales", None, {"group": "/department/sales"}),
    "GET /v1/collections": RouteExample("/v1/collections", None, {"collections": [COLLECTION]}),
    "PUT /v1/collections/{name}": RouteExample(
        "/v1/collections/handbook",
        {"bm25_weight": 0.4, "language": "en", "description": "Rules on travel, leave and expenses."},
        COLLECTION,
    ),
    "GET /v1/collections/{name}/proposal": RouteExample(
        "/v1/collections/handbook/proposal",
        None,
        {"name": "handbook", "description": "Documents about leave, travel and expenses."},
    ),
    "DELETE /v1/collections/{name}": RouteExample(
        "/v1/collections/handbook", None, {"name": "handbook", "documents": 12}
    ),
    "GET /v1/documents": RouteExample(
        "/v1/documents?collection=handbook&limit=50", None, {"documents": [DOCUMENT], "next": None}
    ),
    "GET /v1/documents/{doc_id}": RouteExample(
        "/v1/documents/returns?segments=true", None, {**DOCUMENT, "passages": [PASSAGE], "next_passage": None}
    ),
    "PUT /v1/documents/{doc_id}/policy": RouteExample(
        "/v1/documents/returns/policy", POLICY, {**DOCUMENT, "policy_version": 2, "policy_source": "manual"}
    ),
    "DELETE /v1/documents/{doc_id}": RouteExample(
        "/v1/documents/returns", None, {"doc_id": "returns", "file": "returns.md"}
    ),
    "GET /v1/deletions": RouteExample("/v1/deletions?limit=50", None, {"documents": [DELETION], "next": None}),
    "POST /v1/documents/{doc_id}/close": RouteExample("/v1/documents/returns/close", None, DOCUMENT),
    "POST /v1/documents/{doc_id}/lift": RouteExample("/v1/documents/returns/lift", None, DOCUMENT),
    "POST /v1/deletions/{doc_id}/restore": RouteExample("/v1/deletions/returns/restore", None, DELETION),
    "DELETE /v1/deletions/{doc_id}": RouteExample("/v1/deletions/returns", None, DELETION),
    "POST /v1/uploads": RouteExample("/v1/uploads", UPLOAD_ORDER, UPLOAD_TICKET),
    "POST /v1/uploads/plan": RouteExample("/v1/uploads/plan", {"files": [UPLOAD_ORDER, OTHER_ORDER]}, UPLOAD_PLAN),
    "GET /v1/uploads/{ticket}": RouteExample(
        "/v1/uploads/up_7c1f0b2e",
        None,
        {
            "ticket": "up_7c1f0b2e",
            "doc_id": "returns",
            "state": "indexed",
            "reason": None,
            "waiting_for": None,
            "visible_after_seconds": 0,
        },
    ),
    "POST /v1/search": RouteExample(
        "/v1/search",
        {"phrases": ["May I send a station back?"], "top_n": 3, "collections": ["handbook"], "where": "year >= 2024"},
        {"passages": [FOUND], "notice": None},
    ),
    "POST /v1/search/dialects": RouteExample(
        "/v1/search/dialects",
        {"dialect": "vertex", "question": "May I send a station back?", "collection": "handbook"},
        DIALECT_ANSWER,
    ),
}
"""Examples by method and path; values that differ in every call, such as secrets, end in an ellipsis."""
