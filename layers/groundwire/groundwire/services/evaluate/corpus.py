"""Ingestion of a test set's documents through the production pipeline; only the parser differs, without files."""

import json
from collections.abc import Callable, Sequence
from typing import Final, Self, cast

from groundwire.domain.access.policy import Policy
from groundwire.domain.access.policy_source import DeclaredPolicy
from groundwire.domain.documents.collection import Collection
from groundwire.domain.errors import DocumentRefused, NotFound
from groundwire.ports import Collections
from groundwire.services.evaluate.test_set import CorpusDocument, doc_id_of
from groundwire.services.ingest.request import IngestRequest
from groundwire.services.keys.tenants import TenantAdmin
from groundwire_readers.contents.parsed import Block, BlockKind, ParsedDocument
from groundwire_readers.text.normalisation import normalise

COLLECTION: Final = "corpus"
_TENANT: Final = "evaluation"
_TYPE: Final = "corpus"
_EVERYBODY: Final = Policy(public=True, users=frozenset(), any_tags=frozenset(), all_tags=frozenset())


LanguageDetector = Callable[[Sequence[Block]], str | None]
"""Function that returns the ISO 639-1 code of a document's language; None if there is too little prose."""


class CorpusParser:
    """Parser of the content that `ingest_request` makes: title and paragraphs, complete and unchanged."""

    def __init__(self, detect_language: LanguageDetector) -> None:
        self._detect_language = detect_language

    @property
    def version(self) -> str:
        """Version, changed whenever a text would be split differently or taken for another language."""
        return "corpus-3"

    @property
    def ocr_version(self) -> str:
        """Empty: there are no page images to recognise."""
        return ""

    def for_tenant(self, _tenant: str) -> Self:
        """Return this parser, which all tenants share."""
        return self

    def parse(
        self,
        content: bytes,
        file_type: str,
        *,
        with_images: bool = False,  # noqa: ARG002 - the port's
        with_thumbnails: bool = False,  # noqa: ARG002
    ) -> ParsedDocument:
        """Return the paragraphs; a document with only a title has that as its text.

        Raises:
            DocumentRefused: the file is no document of a test set.
        """
        if file_type != _TYPE:
            raise DocumentRefused("this is not a document of the test set")
        title, text = cast("tuple[str, str]", json.loads(content))
        paragraphs = [normalise(part) for part in (text if text.strip() else title).split("\n\n")]
        blocks = tuple(Block(BlockKind.PARAGRAPH, paragraph) for paragraph in paragraphs if paragraph)
        return ParsedDocument("application/json", title, blocks, None, 0, language=self._detect_language(blocks))

    def close(self) -> None:
        """Do nothing: the parser has no resources."""


def ingest_request(tenant: str, document: CorpusDocument) -> IngestRequest:
    """Return the request to ingest one document that everybody may read."""
    return IngestRequest(
        tenant=tenant,
        collection=COLLECTION,
        source_path=document.id,
        file_name=f"{doc_id_of(document.id)}.{_TYPE}",
        read=lambda: json.dumps((document.title, document.text)).encode(),
        policy=DeclaredPolicy(_EVERYBODY, None),
        doc_id=doc_id_of(document.id),
        source_url=None,
    )


def ensure_corpus_tenant(tenants: TenantAdmin, collections: Collections, bm25_weight: float) -> str:
    """Return the id of the evaluation tenant, after storing its one collection with this BM25 weight."""
    try:
        tenant = tenants.find(_TENANT).tenant
    except NotFound:
        tenant = tenants.create(_TENANT).tenant
    collections.put(tenant, Collection(COLLECTION, bm25_weight))
    return tenant
