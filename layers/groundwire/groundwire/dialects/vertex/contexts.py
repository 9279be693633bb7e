"""Answer of `retrieveContexts`: contexts with their source, their chunk and their distance."""

from collections.abc import Sequence
from typing import Final

from groundwire.domain.documents.source_url import safe_url_or_none
from groundwire.services.search import Passage

BETA_VERSION: Final = "v1beta1"


def contexts_answer(passages: Sequence[Passage], version: str) -> dict[str, object]:
    """Return the answer of a version of the API; both lists are there without contexts, too."""
    return {"contexts": {"contexts": [_context(passage, version) for passage in passages]}}


def _context(passage: Passage, version: str) -> dict[str, object]:
    document = passage.document
    score = {} if passage.distance is None else {"score": passage.distance}
    return {
        # A client shows it as the source of the text, so that it is never a link for one caller.
        "sourceUri": safe_url_or_none(document.source_url) or document.source_file_name,
        "sourceDisplayName": document.source_file_name,
        "text": passage.text,
        "chunk": _chunk(passage, version),
        **score,
    }


def _chunk(passage: Passage, version: str) -> dict[str, object]:
    segment = passage.segment
    chunk: dict[str, object] = {"text": segment.text}
    if segment.page_first is not None:
        last = segment.page_first if segment.page_last is None else segment.page_last
        chunk["pageSpan"] = {"firstPage": segment.page_first, "lastPage": last}
    if version == BETA_VERSION:
        chunk |= {"fileId": passage.document.doc_id, "chunkId": segment.uid}
    return chunk
