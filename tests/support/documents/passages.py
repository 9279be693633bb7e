"""A call, and what a search would find for it."""

from typing import Final

from groundwire.domain.access.policy import NO_READERS, Principal
from groundwire.domain.access.policy_source import PolicySource
from groundwire.domain.access.scopes import Scope
from groundwire.domain.documents.ids import segment_uid
from groundwire.domain.documents.record import Document, DocumentState, IndexSync, Ingestion
from groundwire.domain.documents.segment import Segment
from groundwire.domain.keys.caller import Caller
from groundwire.domain.keys.grants import ALL_COLLECTIONS, KeyKind
from groundwire.domain.keys.options import USUAL_OPTIONS
from groundwire.services.call_context import CallContext
from groundwire.services.search import Passage
from groundwire_mcp.definitions.content import TextContent
from groundwire_mcp.definitions.tool_context import InputRequired, ToolContext
from groundwire_mcp.definitions.tools import ToolResult

TURN: Final = ToolContext("2025-11-25")


def text_of(result: ToolResult | InputRequired) -> str:
    """What a client that forwards only `content` gives to its model."""
    assert isinstance(result, ToolResult)
    first = result.content[0]
    assert isinstance(first, TextContent)
    return first.text


def call() -> CallContext:
    """By maria's agent, which gets eight passages."""
    principal = Principal("t_1", "maria", frozenset({"a"}))
    scopes = frozenset({Scope.SEARCH, Scope.VERIFY})
    return CallContext(Caller(principal, "kid", KeyKind.ACT_AS, scopes, ALL_COLLECTIONS, USUAL_OPTIONS))


def segment(text: str, ordinal: int) -> Segment:
    """One of the document `doc`."""
    uid = segment_uid("doc", text, ordinal)
    return Segment(uid, "doc", 1, "default", ordinal, text, ("Pumps",), None, None, "Pumps", "About pumps.")


def passage(found: Segment) -> Passage:
    """The segment as an answer."""
    return Passage(found, document(), 0.5)


def document() -> Document:
    """The record of `doc`, whose policy has changed twice."""
    return Document(
        doc_id="doc",
        collection="default",
        source_file_name="pumps.md",
        source_file_type="md",
        source_path="/pumps.md",
        source_url=None,
        blob="doc/1",
        title="Pumps",
        policy=NO_READERS,
        policy_source=PolicySource.OPTION,
        ceiling=None,
        version=1,
        policy_version=3,
        ingestion=Ingestion(DocumentState.INDEXED),
        sync=IndexSync(is_stale=False),
        content_hash="0",
        recipe="r",
        segments=1,
        pages=None,
        pages_without_text=0,
        size_bytes=1,
        created_at=0.0,
        updated_at=0.0,
    )
