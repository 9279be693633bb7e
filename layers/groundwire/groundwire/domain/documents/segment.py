"""Chunks of a document, and the segments that are indexed."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Chunk:
    """A passage cut from a document: at most `limits.SEGMENT_MAX_CHARACTERS` of text.

    Attributes:
        heading_path: headings above the passage, outermost first.
        page_first: first page it stands on; None where the format has no pages.
    """

    ordinal: int
    text: str
    heading_path: tuple[str, ...]
    page_first: int | None
    page_last: int | None


@dataclass(frozen=True, slots=True)
class Segment:
    """A passage as it is indexed and quoted.

    Attributes:
        uid: `<doc_id>.<hash>`; the same for unchanged text across versions of the document.
        version: the document's version this row belongs to; only the current one may answer.
        ordinal: position within the document, from 0.
        headline: at most ten words. summary: one to three sentences.
        title: the document's. language: ISO 639-1, or `UNDETERMINED`.
        context: where the passage stands, in an enricher's words; searched, never shown.
        questions: that the passage answers, by an enricher; searched, never shown.
        sketch: `domain.passages.minhash` of the text, for finding near-duplicates; empty where none was made.
    """

    uid: str
    doc_id: str
    version: int
    collection: str
    ordinal: int
    text: str
    heading_path: tuple[str, ...]
    page_first: int | None
    page_last: int | None
    headline: str
    summary: str
    title: str = ""
    language: str = "en"
    keywords: tuple[str, ...] = ()
    context: str = ""
    questions: tuple[str, ...] = ()
    sketch: bytes = b""
