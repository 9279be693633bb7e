"""Examples of requests and answers for the OpenAPI document, one for each route."""

from collections.abc import Mapping
from typing import Final, NamedTuple

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


_POLICY: Final = {"public": False, "users": ["olga@acme.example"], "any_tags": ["department:sales"], "all_tags": []}
_KEY: Final = {
    "kid": "4fGh7Kq2LmNp",
    "name": "support desk",
    "kind": "act_as",
    "user": None,
    "tags": [],
    "max_tags": ["department:*"],
    "strict_tags": False,
    "scopes": ["search", "verify"],
    "collections": ["handbook"],
    "top_n": 8,
    "expand_tokens": 0,
    "max_tokens": 8000,
    "toolset": "default",
    "rate_per_minute": 600,
    "burst": 60,
    "created_at": "2026-10-01T12:00:00Z",
    "expires_at": "2026-12-30T12:00:00Z",
    "previous_until": None,
    "last_used": None,
    "revoked": False,
    "created_by": "olga@acme.example",
    "created_with": "9bCd3Xy8ZtRs",
}
_KEY_TEXT: Final = "gw_local_4fGh7Kq2LmNp_…"
_BLOCK_ORDER: Final = {"users": ["elif@acme.example"], "decision_reason": "left the company"}
_BLOCK: Final = {
    "user": "elif@acme.example",
    "decided_by": "olga@acme.example",
    "decided_at": "2026-10-01T12:00:00Z",
    "decided_key": "4fGh7Kq2LmNp",
    "decision_reason": "left the company",
}
_RECEIPT: Final = {
    "users": [_BLOCK],
    "revoked_keys": [
        {"kid": "9bCd3Xy8ZtRs", "name": "key", "kind": "personal", "user": "elif@acme.example", "revoked": True}
    ],
    "created_keys": [],
    "keys_without_creator": 1,
    "keys_without_user": [],
    "removed_tags": [{"user": "elif@acme.example", "tags": ["department:sales"]}],
    "documents": [{"doc_id": "returns", "collection": "handbook", "file": "returns.md", "named_in": ["policy"]}],
    "sources": [],
}
_USER: Final = {"user": "ben@acme.example", "tags": ["department:support"]}
_TAG: Final = {
    "tag": "department:sales",
    "documents": 4,
    "collections": ["handbook"],
    "keys": 1,
    "max_tags": 0,
    "users": 2,
    "groups": 1,
    "sources": 0,
    "last_used": "2026-10-01T12:00:00Z",
}
_GROUP: Final = {"group": "/department/sales", "tags": ["department:sales"]}
_COLLECTION: Final = {
    "name": "handbook",
    "documents": 12,
    "bm25_weight": 0.4,
    "language": "en",
    "description": "Rules on travel, leave and expenses.",
}
_DELETION: Final = {
    "doc_id": "returns",
    "collection": "handbook",
    "file": "returns.md",
    "parent": None,
    "decided_by": "ana@acme.example",
    "decided_key": "5b8d1f3a7c20",
    "decided_at": "2026-03-02T09:30:00Z",
    "decision_reason": "replaced by the new terms",
}
_DOCUMENT: Final = {
    "doc_id": "returns",
    "collection": "handbook",
    "file": "returns.md",
    "title": "Returns",
    "type": "md",
    "language": "en",
    "state": "indexed",
    "reason": None,
    "parent": None,
    "segments": 1,
    "windows": 1,
    "images": 0,
    "defects": {},
    "failed_step": None,
    "pages": None,
    "pages_without_text": 0,
    "version": 1,
    "readers": "user olga@acme.example; holders of one of department:sales",
    "policy": _POLICY,
    "ceiling": None,
    "policy_version": 1,
    "policy_source": "option",
    "metadata": {"year": 2026},
    "source_path": None,
    "source_url": None,
    "content_hash": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
    "recipe": "12",
    "parser": "text",
    "model": "all-MiniLM-L6-v2-int8",
    "timings": {"parse": 0.01, "embed": 0.02},
    "size_bytes": 72,
    "created_at": "2026-10-01T12:00:00Z",
    "updated_at": "2026-10-01T12:00:00Z",
}
_PASSAGE: Final = {
    "ordinal": 0,
    "uid": "returns_1_0",
    "page_first": None,
    "page_last": None,
    "pages": None,
    "heading_path": ["Returns"],
    "headline": "Returns",
    "summary": "A customer may return a weather station within 30 days.",
    "keywords": ["return", "station"],
    "language": "en",
    "characters": 54,
    "text": "A customer may return a weather station within 30 days.",
    "windows": ["A customer may return a weather station within 30 days."],
}
_FOUND: Final = {
    "segment_uid": "returns_1_0",
    "doc_id": "returns",
    "collection": "handbook",
    "source_file_name": "returns.md",
    "heading_path": ["Returns"],
    "page_first": None,
    "page_last": None,
    "headline": "Returns",
    "summary": "A customer may return a weather station within 30 days.",
    "relevance": 0.93,
    "also_in": [],
    "text": "A customer may return a weather station within 30 days.",
    "source_url": "http://127.0.0.1:8080/open/…",
}

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
    "GET /v1/keys": RouteExample("/v1/keys", None, {"keys": [_KEY]}),
    "POST /v1/keys": RouteExample(
        "/v1/keys",
        {
            "name": "support desk",
            "kind": "act_as",
            "scopes": ["search", "verify"],
            "collections": ["handbook"],
            "max_tags": ["department:*"],
        },
        {**_KEY, "key": _KEY_TEXT},
    ),
    "GET /v1/keys/policy-tags": RouteExample(
        "/v1/keys/policy-tags", None, {"tags": ["department:sales", "level:manager"], "complete": True}
    ),
    "POST /v1/keys/{kid}/rotate": RouteExample(
        "/v1/keys/4fGh7Kq2LmNp/rotate",
        {"overlap_hours": 1},
        {**_KEY, "previous_until": "2026-10-01T13:00:00Z", "key": _KEY_TEXT},
    ),
    "DELETE /v1/keys/{kid}": RouteExample("/v1/keys/4fGh7Kq2LmNp", None, {**_KEY, "revoked": True}),
    "GET /v1/users": RouteExample("/v1/users", None, {"users": [_USER]}),
    "GET /v1/users/blocked": RouteExample("/v1/users/blocked", None, {"users": [_BLOCK]}),
    "POST /v1/users/block": RouteExample("/v1/users/block", _BLOCK_ORDER, {"users": [_BLOCK]}),
    "POST /v1/users/unblock": RouteExample(
        "/v1/users/unblock", {"users": ["elif@acme.example"]}, {"users": ["elif@acme.example"]}
    ),
    "POST /v1/users/offboard": RouteExample("/v1/users/offboard", _BLOCK_ORDER, _RECEIPT),
    "PUT /v1/users/{user}": RouteExample("/v1/users/ben@acme.example", {"tags": ["department:support"]}, _USER),
    "DELETE /v1/users/{user}": RouteExample("/v1/users/ben@acme.example", None, {"user": "ben@acme.example"}),
    "GET /v1/tags": RouteExample("/v1/tags", None, {"tags": [_TAG], "complete": True}),
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
            "users": 2,
            "keys": 1,
            "max_tags": 0,
            "groups": 1,
            "sources": 0,
            "from_policy_files": 3,
            "new_tag_in_use": False,
        },
    ),
    "GET /v1/groups": RouteExample("/v1/groups", None, {"groups": [_GROUP]}),
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
    "PUT /v1/groups/{group}": RouteExample("/v1/groups/%2Fdepartment%2Fsales", {"tags": ["department:sales"]}, _GROUP),
    "DELETE /v1/groups/{group}": RouteExample("/v1/groups/%2Fdepartment%2Fsales", None, {"group": "/department/sales"}),
    "GET /v1/collections": RouteExample("/v1/collections", None, {"collections": [_COLLECTION]}),
    "PUT /v1/collections/{name}": RouteExample(
        "/v1/collections/handbook",
        {"bm25_weight": 0.4, "language": "en", "description": "Rules on travel, leave and expenses."},
        _COLLECTION,
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
        "/v1/documents?collection=handbook&limit=50", None, {"documents": [_DOCUMENT], "next": None}
    ),
    "GET /v1/documents/{doc_id}": RouteExample(
        "/v1/documents/returns?segments=true", None, {**_DOCUMENT, "passages": [_PASSAGE], "next_passage": None}
    ),
    "PUT /v1/documents/{doc_id}/policy": RouteExample(
        "/v1/documents/returns/policy", _POLICY, {**_DOCUMENT, "policy_version": 2, "policy_source": "manual"}
    ),
    "DELETE /v1/documents/{doc_id}": RouteExample(
        "/v1/documents/returns", None, {"doc_id": "returns", "file": "returns.md"}
    ),
    "GET /v1/deletions": RouteExample("/v1/deletions?limit=50", None, {"documents": [_DELETION], "next": None}),
    "POST /v1/documents/{doc_id}/close": RouteExample("/v1/documents/returns/close", None, _DOCUMENT),
    "POST /v1/documents/{doc_id}/lift": RouteExample("/v1/documents/returns/lift", None, _DOCUMENT),
    "POST /v1/deletions/{doc_id}/restore": RouteExample("/v1/deletions/returns/restore", None, _DELETION),
    "DELETE /v1/deletions/{doc_id}": RouteExample("/v1/deletions/returns", None, _DELETION),
    "POST /v1/uploads": RouteExample(
        "/v1/uploads",
        {
            "collection": "handbook",
            "file_name": "returns.md",
            "doc_id": "returns",
            "size": 72,
            "sha256": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
            "policy": _POLICY,
            "metadata": {"year": 2026},
        },
        {
            "ticket": "up_7c1f0b2e",
            "doc_id": "returns",
            "url": "http://127.0.0.1:8080/upload/up_7c1f0b2e",
            "fields": {
                "policy": "…",
                "key": "tenants/t_5a30dba24762f1/…",
                "Content-Type": "application/octet-stream",
                "x-amz-checksum-sha256": "n4bQgYhMfWWaL+qgxVrQFaO/TxsrC4Is0V1sFbDwCgg=",
            },
            "expires_at": "2026-10-01T12:05:00Z",
        },
    ),
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
        {"phrases": ["May I send a station back?"], "top_n": 3, "where": "year >= 2024"},
        {"passages": [_FOUND], "notice": None},
    ),
}
"""Examples by method and path; values that differ in every call, such as secrets, end in an ellipsis."""
