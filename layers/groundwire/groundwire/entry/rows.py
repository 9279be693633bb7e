"""What is told of tenants, keys, users, collections, documents and passages: the same over REST and by the command."""

import json
from collections.abc import Iterable
from typing import TYPE_CHECKING

from groundwire.domain import metadata
from groundwire.domain.access import Policy
from groundwire.domain.credentials import ApiKey, Tenant
from groundwire.domain.documents import Collection, Document, Segment
from groundwire.domain.grants import EVERY
from groundwire.domain.moments import utc
from groundwire.domain.source_urls import harmless_url

if TYPE_CHECKING:
    from groundwire.services.search import Passage


def moment(seconds: float | None) -> str | None:
    """Epoch seconds as UTC to the second, ISO 8601; None also where no calendar has that moment."""
    found = None if seconds is None else utc(seconds)
    return None if found is None else found.strftime("%Y-%m-%dT%H:%M:%SZ")


def tenant_row(tenant: Tenant) -> dict[str, object]:
    """A tenant and its limits."""
    return {
        "name": tenant.name,
        "tenant": tenant.tenant,
        "rate_per_minute": tenant.rate_per_minute,
        "burst": tenant.burst,
        "created_at": moment(tenant.created_at),
    }


def key_row(key: ApiKey) -> dict[str, object]:
    """A key without its secret."""
    return {
        "kid": key.kid,
        "name": key.name,
        "kind": key.kind.value,
        "user": key.user,
        "tags": sorted(key.tags),
        "max_tags": list(key.max_tags),
        "strict_tags": key.strict_tags,
        "scopes": sorted(key.scopes),
        "collections": EVERY if key.collections == EVERY else sorted(key.collections),
        "top_n": key.top_n,
        "expand_tokens": key.expand_tokens,
        "toolset": key.toolset,
        "rate_per_minute": key.rate_per_minute,
        "burst": key.burst,
        "created_at": moment(key.created_at),
        "expires_at": moment(key.expires_at),
        "previous_until": moment(key.previous_until),
        "last_used": moment(key.last_used),
        "revoked": key.revoked,
    }


def user_row(user: str, tags: Iterable[str]) -> dict[str, object]:
    """The entry of a user."""
    return {"user": user, "tags": sorted(tags)}


def collection_row(collection: Collection, documents: int) -> dict[str, object]:
    """A collection and how many documents it has."""
    return {
        "name": collection.name,
        "documents": documents,
        "bm25_weight": collection.bm25_weight,
        "language": collection.language,
    }


def policy_members(policy: Policy) -> dict[str, object]:
    """A policy as files and requests spell it."""
    return {
        "public": policy.public,
        "users": sorted(policy.users),
        "any_tags": sorted(policy.any_tags),
        "all_tags": sorted(policy.all_tags),
    }


def describe(policy: Policy) -> str:
    """Who may read, in one line."""
    if policy.public:
        return "everybody of the tenant"
    parts = [("users " if len(policy.users) > 1 else "user ") + ", ".join(sorted(policy.users))] if policy.users else []
    rules: list[str] = []
    if policy.any_tags:
        rules.append("one of " + ", ".join(sorted(policy.any_tags)))
    if policy.all_tags:
        rules.append("all of " + ", ".join(sorted(policy.all_tags)))
    if rules:
        parts.append("holders of " + " and ".join(rules))
    return "; ".join(parts) or "nobody"


def record_row(document: Document) -> dict[str, object]:
    """Everything that the registry keeps of a document."""
    return {
        "doc_id": document.doc_id,
        "collection": document.collection,
        "file": document.source_file_name,
        "title": document.title,
        "type": document.source_file_type,
        "language": document.language,
        "state": document.state.value,
        "reason": document.reason,
        "parent": document.parent,
        "segments": document.segments,
        "windows": document.windows,
        "pages": document.pages,
        "pages_without_text": document.pages_without_text,
        "version": document.version,
        "readers": describe(document.policy),
        "policy": policy_members(document.policy),
        "policy_version": document.policy_version,
        "metadata": json.loads(metadata.to_json(document.metadata)),
        "source_path": document.source_path,
        "source_url": harmless_url(document.source_url),
        "content_hash": document.content_hash,
        "recipe": document.recipe,
        "parser": document.parser,
        "model": document.model,
        "timings": dict(document.timings),
        "size_bytes": document.size_bytes,
        "created_at": moment(document.created_at),
        "updated_at": moment(document.updated_at),
    }


def segment_row(segment: Segment) -> dict[str, object]:
    """A passage without its text, which answers quote."""
    return {
        "ordinal": segment.ordinal,
        "uid": segment.uid,
        "page_first": segment.page_first,
        "page_last": segment.page_last,
        "pages": _pages(segment),
        "heading_path": list(segment.heading_path),
        "headline": segment.headline,
        "summary": segment.summary,
        "keywords": list(segment.keywords),
        "language": segment.language,
        "characters": len(segment.text),
    }


def passage_row(passage: "Passage") -> dict[str, object]:
    """A passage of an answer; `text` is all that is quoted."""
    segment, document = passage.segment, passage.document
    page_first, page_last = passage.pages
    return {
        "segment_uid": segment.uid,
        "doc_id": segment.doc_id,
        "collection": segment.collection,
        "source_file_name": document.source_file_name,
        "heading_path": list(segment.heading_path),
        "page_first": page_first,
        "page_last": page_last,
        "headline": segment.headline,
        "summary": segment.summary,
        "score": round(passage.score, 6),
        "also_in": [other.segment.uid for other in passage.also_in],
        "text": passage.text,
    }


def _pages(segment: Segment) -> str | None:
    if segment.page_first is None or segment.page_first == segment.page_last:
        return None if segment.page_first is None else str(segment.page_first)
    return f"{segment.page_first}-{segment.page_last}"
