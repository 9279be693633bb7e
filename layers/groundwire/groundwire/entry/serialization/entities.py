"""JSON of tenants, keys, users, collections, documents and passages, the same for REST and command line."""

import json
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from groundwire.domain.access.decision import Decision
from groundwire.domain.access.policy_input import policy_to_mapping
from groundwire.domain.documents import metadata
from groundwire.domain.documents.collection import STORED_COLLECTION, Collection
from groundwire.domain.documents.links import safe_url_or_none
from groundwire.domain.documents.record import Document
from groundwire.domain.documents.segment import Segment
from groundwire.domain.errors import InvalidInput
from groundwire.domain.keys.api_key import STORED_KEY, ApiKey
from groundwire.domain.keys.tenant import STORED_TENANT, Tenant
from groundwire.domain.passages.windows import windows
from groundwire.entry.serialization.readers import ceiling_to_json, describe_readers
from groundwire.entry.serialization.stored_members import format_utc, shown_members

if TYPE_CHECKING:
    from groundwire.domain.audit.facts import AuditFacts
    from groundwire.services.documents.tags.policy_tags import PolicyTags
    from groundwire.services.search import Passage


def tenant_to_json(tenant: Tenant) -> dict[str, object]:
    """Return a tenant and its limits."""
    return shown_members(STORED_TENANT, tenant)


def key_to_json(key: ApiKey) -> dict[str, object]:
    """Return a key without its secret."""
    return shown_members(STORED_KEY, key)


def keys_after(keys: Sequence[ApiKey], kid: str | None) -> Iterator[tuple[str, dict[str, object]]]:
    """Yield the keys after the one of this kid, each with its kid, of keys from the earliest.

    Raises:
        InvalidInput: no key has the kid.
    """
    # By its place: no key of a tenant is ever removed, but its rights may change between two pages.
    place = -1 if kid is None else next((place for place, key in enumerate(keys) if key.kid == kid), None)
    if place is None:
        raise InvalidInput(
            f"There is no key {kid!r} after which a page begins: request the first page without `after`."
        )
    return ((key.kid, key_to_json(key)) for key in keys[place + 1 :])


def user_to_json(user: str, tags: Iterable[str]) -> dict[str, object]:
    """Return a user's entry."""
    return {"user": user, "tags": sorted(tags)}


def collection_to_json(collection: Collection, documents: int) -> dict[str, object]:
    """Return a collection and the number of its documents."""
    members = shown_members(STORED_COLLECTION, collection)
    return {"name": members.pop("name"), "documents": documents, **members}


def policy_tags_to_json(found: "PolicyTags") -> dict[str, object]:
    """Return the tags of policies, and whether these are all of them."""
    return {"tags": list(found.tags), "complete": found.is_complete}


def document_to_json(document: Document) -> dict[str, object]:
    """Return all fields of a document's record."""
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
        "images": document.images,
        "defects": {defect.value: number for defect, number in document.defects.items()},
        "failed_step": document.failed_step and document.failed_step.value,
        "pages": document.pages,
        "pages_without_text": document.pages_without_text,
        "version": document.version,
        "readers": describe_readers(document.readers),
        "policy": policy_to_mapping(document.policy),
        "ceiling": ceiling_to_json(document.ceiling),
        "policy_version": document.policy_version,
        "policy_source": document.policy_source.value,
        # In the stored form, since JSON has no dates.
        "metadata": json.loads(metadata.to_json(document.metadata)),
        "contributed_by": document.contributor.user or None,
        "contributed_key": document.contributor.key or None,
        "source_path": document.source_path,
        # A record of an earlier release may have a URL that is not clean.
        "source_url": safe_url_or_none(document.source_url),
        "content_hash": document.content_hash,
        "recipe": document.recipe,
        "parser": document.parser,
        "model": document.model,
        "timings": dict(document.timings),
        "size_bytes": document.size_bytes,
        "created_at": format_utc(document.created_at),
        "updated_at": format_utc(document.updated_at),
    }


def deletion_to_json(document: Document) -> dict[str, object]:
    """Return a deleted document: what it was, and who decided so when and why."""
    decision = document.deletion.decision
    deleted_at = document.deletion.deleted_at
    return {
        "doc_id": document.doc_id,
        "collection": document.collection,
        "file": document.source_file_name,
        "parent": document.parent,
        "decided_by": decision.decided_by or None,
        "decided_key": decision.decided_key or None,
        "decided_at": format_utc(deleted_at) if deleted_at else None,
        "decision_reason": decision.decision_reason or None,
    }


def decision_facts(decision: Decision) -> "AuditFacts":
    """Return the members of an audit line that say why a person decided so; who and when it has anyway."""
    return {"decision_reason": decision.decision_reason} if decision.decision_reason else {}


def segment_to_json(segment: Segment, *, has_text: bool) -> dict[str, object]:
    """Return a segment; without `has_text`, its place and length alone."""
    return {
        "ordinal": segment.ordinal,
        "uid": segment.uid,
        "page_first": segment.page_first,
        "page_last": segment.page_last,
        "pages": _page_range(segment),
        "heading_path": list(segment.heading_path) if has_text else [],
        "headline": segment.headline if has_text else None,
        "summary": segment.summary if has_text else None,
        "keywords": list(segment.keywords) if has_text else [],
        "language": segment.language,
        "characters": len(segment.text),
        "text": segment.text if has_text else None,
        "raw_values": list(segment.raw_values) if has_text else [],
        "windows": list(windows(segment.text)) if has_text else None,
    }


def passage_to_json(passage: "Passage") -> dict[str, object]:
    """Return a passage of a search result; `text` is the quoted text."""
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
        "relevance": None if passage.relevance is None else round(passage.relevance, 4),
        "also_in": [other.segment.uid for other in passage.also_in],
        "also_in_files": [other.document.source_file_name for other in passage.also_in],
        "text": passage.text,
    }


def _page_range(segment: Segment) -> str | None:
    if segment.page_first is None or segment.page_first == segment.page_last:
        return None if segment.page_first is None else str(segment.page_first)
    return f"{segment.page_first}-{segment.page_last}"
