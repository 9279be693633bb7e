"""A file as it was read: its bytes, and what the parser makes of them where they are new."""

import hashlib
from dataclasses import dataclass, replace
from time import perf_counter

from groundwire.domain.documents import Document, DocumentState, ParsedDocument
from groundwire.domain.errors import DocumentRefused
from groundwire.domain.limits import MAX_DOCUMENT_BYTES
from groundwire.ports import Enricher, Parser
from groundwire.services.ingest.identity import Identity
from groundwire.services.ingest.naming import file_type
from groundwire.services.ingest.recipe import Recipe, recipe_of
from groundwire.services.ingest.request import IngestRequest


@dataclass(frozen=True, slots=True)
class Draft:
    """What is known of a file before anything is written.

    Attributes:
        content: None where not even its bytes could be read.
        recipe: what would make its segments now.
        parsed: None where it was refused, or not parsed since nothing seems new.
        refusal: why it cannot be read.
        parse_seconds: spent by the parser.
    """

    request: IngestRequest
    content: bytes | None
    content_hash: str
    recipe: Recipe
    parsed: ParsedDocument | None = None
    refusal: str | None = None
    parse_seconds: float = 0.0

    def is_of(self, current: Document) -> bool:
        """Whether the record has this content already, made by the same recipe."""
        return (
            current.state is DocumentState.INDEXED
            and current.content_hash == self.content_hash
            and current.collection == self.request.collection
            and self.recipe.made(current)
        )


class Drafting:
    """Reads and parses; writes nothing, so that it may run ahead in a thread of its own."""

    def __init__(self, identity: Identity, parser: Parser, enricher: Enricher | None) -> None:
        self._identity = identity
        self._parser = parser
        self._enricher = enricher

    def __call__(self, request: IngestRequest) -> Draft:
        """The file, parsed unless its record says that nothing is new."""
        recipe = recipe_of(request, self._parser, self._enricher)
        try:
            content = request.read()
        except DocumentRefused as refusal:
            return Draft(request, None, "", recipe, refusal=str(refusal))
        draft = Draft(request, content, hashlib.sha256(content).hexdigest(), recipe)
        current = self._identity.known(request)
        return draft if current is not None and draft.is_of(current) else self.parsed(draft)

    def parsed(self, draft: Draft) -> Draft:
        """With what the parser makes of it, unless that was asked before."""
        if draft.content is None or draft.parsed is not None or draft.refusal is not None:
            return draft
        begun = perf_counter()
        try:
            parsed = self._parse(draft.content, draft.request)
        except DocumentRefused as refusal:
            return replace(draft, refusal=str(refusal))
        return replace(draft, parsed=parsed, parse_seconds=perf_counter() - begun)

    def _parse(self, content: bytes, request: IngestRequest) -> ParsedDocument:
        if len(content) > MAX_DOCUMENT_BYTES:
            limit = MAX_DOCUMENT_BYTES // 1_048_576
            raise DocumentRefused(f"the file is larger than {limit} MB: split it")
        return self._parser.parse(content, file_type(request.file_name))
