"""Values of the examples of uploads."""

from typing import Final

from groundwire.entry.rest.openapi.example_values import POLICY

UPLOAD_ORDER: Final = {
    "collection": "handbook",
    "file_name": "returns.md",
    "doc_id": "returns",
    "size": 72,
    "sha256": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
    "policy": POLICY,
    "metadata": {"year": 2026},
}
OTHER_ORDER: Final = {**UPLOAD_ORDER, "file_name": "returns.dwg", "doc_id": "drawing"}
UPLOAD_TICKET: Final = {
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
}
UPLOAD_PLAN: Final = {
    "counts": {"changed": 1, "refused": 1},
    "files": [
        {
            "file_name": "returns.md",
            "doc_id": "returns",
            "plan": "changed",
            "reason": None,
            "readers_before": "everyone",
            "readers_after": "any of department:sales",
            "adds_readers": False,
            "removes_readers": True,
        },
        {
            "file_name": "returns.dwg",
            "doc_id": "drawing",
            "plan": "refused",
            "reason": "files of this type are not read",
            "readers_before": None,
            "readers_after": None,
            "adds_readers": False,
            "removes_readers": False,
        },
    ],
}
