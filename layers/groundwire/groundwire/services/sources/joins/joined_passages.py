"""Passages of sources as passages of an answer: their documents, their marks of origin, and their share."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, TypeVar
from urllib.parse import urlsplit

from groundwire.domain.access.policy_source import PolicySource
from groundwire.domain.documents.ids import segment_uid
from groundwire.domain.documents.links import safe_url_or_none
from groundwire.domain.documents.record import Document, DocumentState, IndexSync, Ingestion, names_digest
from groundwire.domain.documents.segment import Segment
from groundwire.domain.limits import MAX_JOINED_SHARE
from groundwire.domain.sources.source import SOURCE_DOCUMENT_PREFIX, McpSource
from groundwire.services.search.results import Passage
from groundwire_readers.text.normalisation import normalise

if TYPE_CHECKING:
    from groundwire.services.sources.joins.answer_passages import AnswerPassage
    from groundwire.services.sources.joins.passage_scores import PassageScore

_DIGEST_CHARACTERS = 8

ItemT = TypeVar("ItemT")


def merge_passages(own: Sequence[Passage], found: Sequence[Passage], top_n: int) -> list[Passage]:
    """Return at most `top_n` passages; every prefix of the list has at most a third from sources.

    The own ones keep their order; a passage of a source is before the first own one that is less relevant.
    """
    waiting, merged = sorted(found, key=_rank, reverse=True), list[Passage]()
    remaining, joined = list(own), 0
    while len(merged) < top_n and (remaining or waiting):
        # One passage of a source for two own ones before it, in integers instead of thirds.
        has_room = waiting and (joined + 1) * (MAX_JOINED_SHARE - 1) <= len(merged) - joined
        if has_room and (not remaining or _rank(waiting[0]) > _rank(remaining[0])):
            merged.append(waiting.pop(0))
            joined += 1
        elif remaining:
            merged.append(remaining.pop(0))
        else:
            break
    return merged


def within_share(items: Sequence[ItemT], is_joined: Callable[[ItemT], bool]) -> list[ItemT]:
    """Return the items without those of sources that would exceed a third of any prefix of the list."""
    kept, joined = list[ItemT](), 0
    for item in items:
        if not is_joined(item):
            kept.append(item)
        elif (joined + 1) * (MAX_JOINED_SHARE - 1) <= len(kept) - joined:
            kept.append(item)
            joined += 1
    return kept


def source_passage(source: McpSource, collection: str, found: "AnswerPassage", score: "PassageScore") -> Passage:
    """Return a passage of a source's answer; passages of one page have one document."""
    origin = f"MCP source {normalise(source.name)}"
    title = f"{found.title} ({origin})" if found.title else origin
    page = names_digest(found.title, found.url)[:_DIGEST_CHARACTERS]
    doc_id = f"{SOURCE_DOCUMENT_PREFIX}{source.tool_prefix}.{page}"
    segment = Segment(
        uid=segment_uid(doc_id, found.text, 0),
        doc_id=doc_id,
        version=1,
        collection=collection,
        ordinal=0,
        text=found.text,
        heading_path=(),
        page_first=None,
        page_last=None,
        headline=title,
        summary="",
        title=title,
    )
    document = _document(source, doc_id, collection, title, found.url or _server(source))
    return Passage(
        segment=segment,
        document=document,
        score=max(0.0, score.similarity),
        relevance=score.relevance,
        similarity=score.similarity,
    )


def _rank(passage: Passage) -> float:
    for value in (passage.relevance, passage.similarity):
        if value is not None:
            return value
    return passage.score


def _server(source: McpSource) -> str:
    """Return the address of a source's server without path and query, which may be nobody's business.

    A document without an address would get a link to this server, where it is not: a reserved name leads nowhere
    (RFC 2606).
    """
    parts = urlsplit(source.server_url)
    return safe_url_or_none(f"{parts.scheme}://{parts.netloc}/") or f"https://{source.tool_prefix.lower()}.invalid/"


def _document(source: McpSource, doc_id: str, collection: str, title: str, url: str) -> Document:
    return Document(
        doc_id=doc_id,
        collection=collection,
        source_file_name=title,
        source_file_type="mcp",
        source_path=None,
        source_url=url,
        blob=None,
        title=title,
        policy=source.policy,
        policy_source=PolicySource.MANUAL,
        ceiling=None,
        version=1,
        policy_version=1,
        ingestion=Ingestion(DocumentState.INDEXED),
        sync=IndexSync(is_stale=False),
        content_hash="",
        recipe="",
        segments=0,
        pages=None,
        pages_without_text=0,
        size_bytes=0,
        created_at=source.created_at,
        updated_at=source.updated_at,
    )
