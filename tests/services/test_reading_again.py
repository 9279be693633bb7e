"""Documents whose content is the same are read again where text recognition would read more of them."""

from dataclasses import replace
from typing import Any

import pytest

from groundwire.domain.documents.parsed import ParsedDocument, ReadingDefect
from groundwire.services.ingest.request import IngestStatus
from tests.support.documents.plain_text_parser import PlainText
from tests.support.isolation.policies import PUBLIC
from tests.support.worlds.world import World


@pytest.mark.parametrize(
    ("scanned", "status"),
    [
        ({"defects": {ReadingDefect.UNVERIFIED_LAYER: 1}}, IngestStatus.INDEXED),
        ({"pages_without_text": 1}, IngestStatus.INDEXED),
        ({}, IngestStatus.UNCHANGED),
    ],
)
def test_recognition_that_is_turned_on_reads_documents_with_scanned_pages_again(
    scanned: dict[str, Any], status: IngestStatus, world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    tenant, parse = world.tenant("cedar"), PlainText.parse

    def scan(parser: PlainText, content: bytes, file_type: str, **options: bool) -> ParsedDocument:
        return replace(parse(parser, content, file_type, **options), **scanned)

    def ingest() -> IngestStatus:
        return world.ingest(tenant, "The harbour.", PUBLIC, path="/nowhere/harbour.txt", doc_id="harbour").status

    monkeypatch.setattr(PlainText, "parse", scan)
    assert ingest() is IngestStatus.INDEXED
    monkeypatch.setattr(PlainText, "ocr_version", "ocr-eng")
    assert ingest() is status
    assert ingest() is IngestStatus.UNCHANGED
