"""Documents whose content is the same are read again where recognition or a new reader reads them otherwise."""

from dataclasses import replace
from typing import Any, Final

import pytest

from groundwire.domain.access.policy_source import DeclaredPolicy
from groundwire.services.ingest.request import IngestRequest, IngestStatus
from groundwire.services.ingest.rows.segments import SegmentProgress
from groundwire_readers.contents.parsed import Block, BlockKind, ParsedDocument, ReadingDefect
from tests.support.documents.plain_text_parser import PlainText
from tests.support.isolation.policies import PUBLIC
from tests.support.worlds.world import World, caller


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


NAMES: Final = ("ferry", "harbour", "lighthouse")


def requests_for(tenant: str) -> list[IngestRequest]:
    def request(name: str) -> IngestRequest:
        policy = DeclaredPolicy(PUBLIC, None)
        content = f"The {name} is old.".encode()
        return IngestRequest(
            tenant, "default", f"/nowhere/{name}.txt", f"{name}.txt", lambda: content, policy, name, None
        )

    return [request(name) for name in NAMES]


def run(world: World, tenant: str, progress: SegmentProgress) -> list[IngestStatus]:
    return [each.status for each in world.services.ingestion.batch(tenant, "default", requests_for(tenant), progress)]


def read_as_new(parser: PlainText, content: bytes, file_type: str, **_: bool) -> ParsedDocument:
    text = content.decode().replace("old", "new")
    return ParsedDocument("text/plain", None, (Block(BlockKind.PARAGRAPH, text),), None, 0)


@pytest.mark.parametrize("stopped_at", [0, 1, 2])
@pytest.mark.parametrize("is_at_end", [False, True])
def test_a_stopped_reading_by_a_new_reader_continues_with_the_next_run_and_all_documents_answer_meanwhile(
    world: World, monkeypatch: pytest.MonkeyPatch, stopped_at: int, *, is_at_end: bool
) -> None:
    tenant = world.tenant("cedar")
    headers = caller(world.acting_key(tenant), "ann", frozenset[str]())
    embedded: list[int] = []

    def stop(done: int, total: int) -> None:
        embedded.append(done)
        # There are two reports for each document: before its passage is embedded, and after.
        if len(embedded) == 2 * stopped_at + (2 if is_at_end else 1):
            raise KeyboardInterrupt

    def texts() -> set[str]:
        return {text for name in NAMES for text in world.search(headers, f"The {name} is").texts}

    assert run(world, tenant, lambda _done, _total: None) == [IngestStatus.INDEXED] * 3
    monkeypatch.setattr(PlainText, "version", "plain-text-2")
    monkeypatch.setattr(PlainText, "parse", read_as_new)
    world.reopen()
    with pytest.raises(KeyboardInterrupt):
        run(world, tenant, stop)
    again = ["new"] * stopped_at + ["old"] * (3 - stopped_at)
    assert texts() == {f"The {name} is {state}." for name, state in zip(NAMES, again, strict=True)}

    world.reopen()
    statuses = run(world, tenant, lambda _done, _total: None)
    assert statuses == [IngestStatus.UNCHANGED] * stopped_at + [IngestStatus.INDEXED] * (3 - stopped_at)
    assert texts() == {f"The {name} is new." for name in NAMES}
    assert run(world, tenant, lambda _done, _total: None) == [IngestStatus.UNCHANGED] * 3
