"""Drafts of ingestion: a file's bytes, and the parsed document where the content is new."""

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from time import perf_counter
from typing import Final

from groundwire.domain.documents import metadata
from groundwire.domain.documents.record import Document, DocumentState, Refusal, RefusalCause
from groundwire.domain.errors import DocumentRefused, ParsingFailed
from groundwire.ports import Enricher, Parsers
from groundwire.services.ingest.deletions.holds import Holds
from groundwire.services.ingest.document_match import DocumentMatcher, FileMatch
from groundwire.services.ingest.request import IngestRequest
from groundwire.services.ingest.source_objects.display_names import file_type
from groundwire.services.ingest.source_objects.sidecars import SidecarFileRefused
from groundwire_readers.contents.limits import MAX_DOCUMENT_BYTES
from groundwire_readers.contents.parsed import MAIL_FILE_TYPES, ParsedDocument, ReadingDefect

CHUNKING_VERSION: Final = "chunks-7"
"""Version of chunking, changed whenever the same file would give other segments, so that it is parsed again."""
_PICTURES: Final = " pictures="
_RECOGNITION: Final = " recognition="


@dataclass(frozen=True, slots=True)
class Recipe:
    """Inputs of segments: parser, chunking and the owner's settings; the index records the model itself.

    Attributes:
        pictures: model of the pictures of images; empty without one.
        recognition: text recognition of pages without text; empty without one.
    """

    base: str
    pictures: str
    recognition: str

    def to_text(self, images: int, scanned_pages: int) -> str:
        """Return the text that a record with so many images and scanned pages stores."""
        pictures = f"{_PICTURES}{self.pictures}" if images and self.pictures else ""
        recognition = f"{_RECOGNITION}{self.recognition}" if scanned_pages and self.recognition else ""
        return f"{self.base}{pictures}{recognition}"

    def is_current_for(self, document: Document) -> bool:
        """Return whether the document needs no new parsing.

        A new model or recognition concerns the documents with images or scanned pages alone.
        """
        if document.failed_step is not None:
            return False
        # The parts are in the order of `to_text`, so the last one is split off first.
        before, _, recognition = document.recipe.partition(_RECOGNITION)
        base, _, pictures = before.partition(_PICTURES)
        has_pictures = not (document.images and self.pictures) or pictures == self.pictures
        scanned = scanned_pages(document.pages_without_text, document.defects)
        is_recognised = not (scanned and self.recognition) or recognition == self.recognition
        return base == self.base and has_pictures and is_recognised


def scanned_pages(without_text: int, defects: Mapping[ReadingDefect, int]) -> int:
    """Return the number of pages whose text recognition reads or confirms."""
    return without_text + defects.get(ReadingDefect.UNVERIFIED_LAYER, 0)


def current_recipe(request: IngestRequest, parser: Parsers, enricher: Enricher | None, image_model: str) -> Recipe:
    """Return the recipe by which this file would be parsed now; `image_model` is empty without one."""
    parts = [parser.version, CHUNKING_VERSION]
    if request.language is not None:
        parts.append(f"language={request.language}")
    if request.metadata:
        # A text may hold a lone surrogate, which plain UTF-8 refuses.
        metadata_json = metadata.to_json(request.metadata).encode("utf-8", "surrogatepass")
        parts.append(f"metadata={hashlib.sha256(metadata_json).hexdigest()[:16]}")
    if enricher is not None:
        parts.append(f"enricher={enricher.version}")
    return Recipe(" ".join(parts), image_model, parser.ocr_version)


@dataclass(frozen=True, slots=True)
class IngestDraft:
    """State of a file's ingestion before anything is written.

    Attributes:
        content: None where the bytes could not be read.
        recipe: the recipe by which segments would be made now.
        parsed: None where the file was refused, or not parsed since nothing seems new.
        refusal: why it cannot be read.
        is_held_back: a deletion held the file back when it was to be read; then it has no content.
        parse_seconds: time of parsing.
    """

    request: IngestRequest
    content: bytes | None
    content_hash: str
    recipe: Recipe
    parsed: ParsedDocument | None = None
    refusal: Refusal | None = None
    parse_seconds: float = 0.0
    is_held_back: bool = False

    def matches(self, current: Document) -> bool:
        """Return whether the record has this content already, made by the same recipe.

        A mail that is restored is read again, as an attachment of it may have been held back.
        """
        is_restored_mail = self.request.restores and current.source_file_type in MAIL_FILE_TYPES
        return not is_restored_mail and (
            current.state is DocumentState.INDEXED
            and current.content_hash == self.content_hash
            and current.collection == self.request.collection
            and self.recipe.is_current_for(current)
        )


def to_refusal(error: DocumentRefused) -> Refusal:
    """Return the refusal that a record stores for this error."""
    match error:
        case SidecarFileRefused():
            return Refusal(RefusalCause.SIDECAR_FILE, str(error))
        case ParsingFailed():
            return Refusal(RefusalCause.PARSER_BROKEN, str(error))
        case _:
            return Refusal(RefusalCause.CONTENT, str(error))


class DraftReader:
    """Reader and parser of files; it writes nothing, so it may run ahead in a thread of its own."""

    def __init__(
        self,
        identity: DocumentMatcher,
        holds: Holds,
        parser: Parsers,
        enricher: Enricher | None,
        image_model: Callable[[str], str],
    ) -> None:
        """Initialise; `image_model` returns the name of the model of a tenant's pictures, empty without one."""
        self._identity = identity
        self._holds = holds
        self._parser = parser
        self._enricher = enricher
        self._image_model = image_model

    def __call__(self, request: IngestRequest, match: FileMatch | None) -> IngestDraft:
        """Read the file, and parse it unless its record shows that nothing is new, or a deletion holds it back.

        Args:
            request: the file.
            match: records that were found for it already; None: they are looked up.
        """
        recipe = current_recipe(request, self._parser, self._enricher, self._image_model(request.tenant))
        match = match or self._identity.find(request)
        if self._holds.foresee(request, match, "") is not None:
            return IngestDraft(request, None, "", recipe, is_held_back=True)
        try:
            content = request.read()
        except DocumentRefused as refusal:
            return IngestDraft(request, None, "", recipe, refusal=to_refusal(refusal))
        draft = IngestDraft(request, content, hashlib.sha256(content).hexdigest(), recipe)
        if self._holds.foresee(request, match, draft.content_hash) is not None:
            return replace(draft, content=None, is_held_back=True)
        return draft if match.current is not None and draft.matches(match.current) else self.parse(draft)

    def parse(self, draft: IngestDraft) -> IngestDraft:
        """Return the draft with the parsed document, unless it is already parsed or refused."""
        if draft.content is None or draft.parsed is not None or draft.refusal is not None:
            return draft
        started = perf_counter()
        try:
            parsed = self._parse(draft.content, draft.request)
        except DocumentRefused as refusal:
            return replace(draft, refusal=to_refusal(refusal))
        return replace(draft, parsed=parsed, parse_seconds=perf_counter() - started)

    def _parse(self, content: bytes, request: IngestRequest) -> ParsedDocument:
        if len(content) > MAX_DOCUMENT_BYTES:
            limit = MAX_DOCUMENT_BYTES // 1_048_576
            raise DocumentRefused(f"the file is larger than {limit} MB: split it")
        return self._parser.for_tenant(request.tenant).parse(
            content,
            file_type(request.file_name),
            with_images=True,
            with_thumbnails=bool(self._image_model(request.tenant)),
        )
