"""A test set's documents through the real ingestion: only the parser is exchanged, as there is no file to read."""

import json
from typing import Final, cast

from groundwire.domain.access.policy import Policy
from groundwire.domain.documents.parsed import Block, BlockKind, ParsedDocument
from groundwire.domain.errors import DocumentRefused
from groundwire.domain.text.normalisation import normalise
from groundwire.services.evaluate.test_set import CorpusDocument, doc_id_of
from groundwire.services.ingest.request import IngestRequest

COLLECTION: Final = "corpus"
_TYPE: Final = "corpus"
_EVERYBODY: Final = Policy(public=True, users=frozenset(), any_tags=frozenset(), all_tags=frozenset())


class CorpusParser:
    """Implements `ports.Parser` for what `request` makes: title and paragraphs, nothing left out or added."""

    @property
    def version(self) -> str:
        """Changed whenever a text would be taken apart otherwise."""
        return "corpus-2"

    @property
    def ocr_version(self) -> str:
        """There is no picture of a page to recognise."""
        return ""

    def parse(self, content: bytes, file_type: str) -> ParsedDocument:
        """The paragraphs; a document that is nothing but its title has that for text. Raises DocumentRefused."""
        if file_type != _TYPE:
            raise DocumentRefused("this is no document of a test set")
        title, text = cast("tuple[str, str]", json.loads(content))
        paragraphs = [normalise(part) for part in (text if text.strip() else title).split("\n\n")]
        blocks = tuple(Block(BlockKind.PARAGRAPH, paragraph) for paragraph in paragraphs if paragraph)
        return ParsedDocument("application/json", title, blocks, None, 0)

    def close(self) -> None:
        """Nothing is held."""


def ingest_request(tenant: str, text: CorpusDocument) -> IngestRequest:
    """The ingestion of one document, readable by everybody."""
    return IngestRequest(
        tenant=tenant,
        collection=COLLECTION,
        source_path=text.id,
        file_name=f"{doc_id_of(text.id)}.{_TYPE}",
        read=lambda: json.dumps((text.title, text.text)).encode(),
        policy=_EVERYBODY,
        doc_id=doc_id_of(text.id),
        source_url=None,
    )
