"""Chunks of a document, and the segments that are indexed."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Chunk:
    """Passage cut from a document: at most `limits.SEGMENT_MAX_CHARACTERS` of text.

    Attributes:
        heading_path: headings above the passage, outermost first.
        page_first: first page of the passage; None where the format has no pages.
        has_column_names: its table has a header row; True where it has no table.
        is_unverified: some of its text is an invisible layer over a picture, which names nothing.
        raw_values: numbers that cells of its tables store with more digits than they show.
    """

    ordinal: int
    text: str
    heading_path: tuple[str, ...]
    page_first: int | None
    page_last: int | None
    has_column_names: bool = True
    is_unverified: bool = False
    raw_values: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Segment:
    """Passage as it is indexed and quoted.

    Attributes:
        uid: `<doc_id>.<hash>`; the same for unchanged text across versions of the document.
        version: the document's version to which the segment belongs; only the current one is searched.
        ordinal: position within the document, from 0.
        headline: at most ten words. summary: one to three sentences.
        title: the document's. language: ISO 639-1, or `UNDETERMINED_LANGUAGE`.
        context: an enricher's sentence on the passage's place in the document; searched, never shown.
        questions: an enricher's questions that the passage answers; searched, never shown.
        sketch: `domain.passages.minhash` of the text, for near-duplicates; empty where none was made.
        token_sums: `domain.text.token_sums` of the text; empty in rows of an earlier release.
        raw_values: numbers that cells store with more digits than they show; searched, in no answer.
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
    token_sums: bytes = b""
    raw_values: tuple[str, ...] = ()
