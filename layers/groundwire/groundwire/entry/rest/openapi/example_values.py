"""Values of the examples: one key, user, document and passage of an invented company, in each form of the API."""

from typing import Final

POLICY: Final = {"public": False, "users": ["olga@acme.example"], "any_tags": ["department:sales"], "all_tags": []}
KEY: Final = {
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
KEY_TEXT: Final = "gw_local_4fGh7Kq2LmNp_…"
BLOCK_ORDER: Final = {"users": ["elif@acme.example"], "decision_reason": "left the company"}
BLOCK: Final = {
    "user": "elif@acme.example",
    "decided_by": "olga@acme.example",
    "decided_at": "2026-10-01T12:00:00Z",
    "decided_key": "4fGh7Kq2LmNp",
    "decision_reason": "left the company",
}
RECEIPT: Final = {
    "users": [BLOCK],
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
USER: Final = {"user": "ben@acme.example", "tags": ["department:support"]}
TAG: Final = {
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
GROUP: Final = {"group": "/department/sales", "tags": ["department:sales"]}
COLLECTION: Final = {
    "name": "handbook",
    "documents": 12,
    "bm25_weight": 0.4,
    "language": "en",
    "description": "Rules on travel, leave and expenses.",
}
DELETION: Final = {
    "doc_id": "returns",
    "collection": "handbook",
    "file": "returns.md",
    "parent": None,
    "decided_by": "ana@acme.example",
    "decided_key": "5b8d1f3a7c20",
    "decided_at": "2026-03-02T09:30:00Z",
    "decision_reason": "replaced by the new terms",
}
DOCUMENT: Final = {
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
    "policy": POLICY,
    "ceiling": None,
    "policy_version": 1,
    "policy_source": "option",
    "metadata": {"year": 2026},
    "contributed_by": "olga@acme.example",
    "contributed_key": "4fGh7Kq2LmNp",
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
ACCESS_DOCUMENT: Final = {
    "doc_id": "returns",
    "collection": "handbook",
    "file": "returns.md",
    "title": "Returns",
    "state": "indexed",
}
ACCESS_PERSON: Final = {
    "user": "ben@acme.example",
    "tags": ["department:support"],
    "tags_from": "entry",
    "tags_ignored": 0,
    "kid": None,
    "blocked": False,
    "refused": None,
}
ACCESS: Final = {
    "allowed": False,
    "reason": "no_match",
    "person": ACCESS_PERSON,
    "document": ACCESS_DOCUMENT,
    "readers": "user olga@acme.example; holders of one of department:sales",
    "policy": POLICY,
    "policy_source": "option",
    "policy_reason": "no_match",
    "ceiling": None,
    "ceiling_reason": None,
    "needed_tags": [],
    "needs_user": False,
    "missing_tags": [["department:sales"]],
}
READERS: Final = {
    "document": ACCESS_DOCUMENT,
    "everyone": False,
    "tag_sets": [["department:sales"]],
    "named_users": ["olga@acme.example"],
    "users": [{"user": "olga@acme.example", "reason": "named_user", "blocked": False}],
    "groups": ["/department/sales"],
    "keys": [
        {
            "kid": "4fGh7Kq2LmNp",
            "name": "support desk",
            "kind": "act_as",
            "user": None,
            "acts_as": "named_user",
            "blocked": None,
        }
    ],
    "complete": True,
}
AUDIT_ROW: Final = {
    "time": "2026-10-01T12:00:00Z",
    "call": "/o",
    "content": "original",
    "documents": ["returns@1"],
    "user": "olga@acme.example",
    "user_by": None,
    "kid": "4fGh7Kq2LmNp",
    "operator": None,
    "decision": None,
    "outcome": "opened",
    "reason": None,
    "status": 200,
    "passages": None,
    "request_id": "0c1f2f7e-5a0b-4a4e-8a55-6f0f2d1c9b3a",
    "trace": None,
    "duration_ms": 4.2,
    "details": {"tags_hash": "4f53cda18c2baa0c"},
}
CHECKS: Final = [
    {"name": "index", "status": "ok", "message": "It answers, and has its model bge-small-en-v1.5.", "remedy": None},
    {
        "name": "keys",
        "status": "warning",
        "message": "4fGh7Kq2LmNp (support desk) expires in 3 days, on 2026-10-01T12:00:00Z.",
        "remedy": "Create a new key before then.",
    },
]
IDENTITY: Final = {
    "tenant": "t_5a30dba24762f1",
    "kid": "4fGh7Kq2LmNp",
    "name": "support desk",
    "kind": "act_as",
    "expires_at": "2026-12-30T12:00:00Z",
    "scopes": ["search", "verify"],
    "administrator": False,
    "bounded": True,
    "collections": ["handbook"],
    "dialects": None,
    "user": "ben@acme.example",
    "tags": ["department:support"],
    "tags_from": "call",
    "tags_ignored": 0,
}
PASSAGE: Final = {
    "ordinal": 0,
    "uid": "returns_1_0",
    "page_first": None,
    "page_last": None,
    "pages": None,
    "heading_path": ["Returns"],
    "headline": "Returns",
    "summary": "A customer may return a weather station within 30 days.",
    "keywords": ["return", "station"],
    "raw_values": [],
    "language": "en",
    "characters": 54,
    "text": "A customer may return a weather station within 30 days.",
    "windows": ["A customer may return a weather station within 30 days."],
    "source_url": "http://127.0.0.1:8080/o/…",
}
FOUND: Final = {
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
    "also_in_files": [],
    "text": "A customer may return a weather station within 30 days.",
    "source_url": "http://127.0.0.1:8080/open/…",
}
SEEN_CALLER: Final = {
    "user": "ana@acme.example",
    "user_by": None,
    "kid": "4fGh7Kq2LmNp",
    "tags": ["department:sales"],
    "tags_hash": "0f343b0931126a20",
    "calls": 14,
    "last_call": "2026-10-01T12:00:00Z",
}

DIALECT_ANSWER: Final = {
    "dialect": "vertex",
    "request": {
        "method": "POST",
        "path": "/v1beta1/projects/replay/locations/local:retrieveContexts",
        "body": {"query": {"text": "May I send a station back?"}},
    },
    "status": 200,
    "answer": {"contexts": {"contexts": [{"text": "You can return a station within 30 days."}]}},
}
