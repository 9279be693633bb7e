"""Stored names come from tables in the code: what is written now is named, to the byte, as a release wrote it."""

import dataclasses
import gzip
import json
import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from groundwire.adapters.aws.dynamodb.documents import items as document_items
from groundwire.adapters.codecs import segment_json
from groundwire.adapters.codecs.document_fields import STORED_PATHS, from_stored, to_stored
from groundwire.adapters.local.index_export import IndexExportFile
from groundwire.adapters.local.registry.documents import COLUMNS
from groundwire.adapters.onnx.models.installed_model import InstalledModel
from groundwire.adapters.onnx.models.manifest import ModelManifest
from groundwire.adapters.opensearch import SERVICES
from groundwire.adapters.opensearch.schema.rows import to_rows
from groundwire.domain import errors
from groundwire.domain.documents.record import Document, DocumentState, Ingestion, Refusal, RefusalCause
from groundwire.domain.documents.segment import Segment
from groundwire.domain.error_codes import AUDIT_NAMES, audit_text
from groundwire.ports import DocumentVersion
from groundwire.services.object_events.tasks import from_message, to_message
from tests.contract.stored.conftest import FIRST
from tests.contract.stored.documents import copied, items
from tests.contract.stored.reading.fixture import Fixture

FIELDS = [field.name for field in dataclasses.fields(Document)]
STORED = Fixture(FIRST, FIRST)
LATER = {
    *("ceiling", "defects", "failed_step", "images", "parser_state", "policy_from_option", "refusal_cause"),
    *("deleted_content", "deleted_by", "deleted_with_key", "deleted_because", "deleted_own"),
    *("brought_with_key", "brought_by"),
}
"""Fields that the release did not have: zero where a stored record lacks them, and then not written to an item."""
PIECES = {f"{name}-0" for name in ("terms", "starts", "rows", "counts")}
ROWS = {"ids", "policy_of", "collection_of", "language_of", "metadata_of", "lengths"}


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The home of the release, and its models."""
    return Fixture(FIRST, tmp_path_factory.mktemp("names")).unpacked("home", "first")


def test_the_columns_of_a_record_are_those_of_the_stored_table(home: Path) -> None:
    with closing(sqlite3.connect(home / "home" / "registry.db")) as connection:
        stored = {row[1] for row in connection.execute("PRAGMA table_info(documents)")}
    assert set(COLUMNS) == stored - {"tenant"} | LATER


def test_a_record_is_written_as_the_item_from_which_it_was_read_with_the_cause_of_a_refusal() -> None:
    for doc_id, item in items().items():
        written = document_items.to_item("acme", doc_id, document_items.from_item(item))
        assert ("refusal_cause" in written) is ("reason" in item)
        assert {name: value for name, value in written.items() if name != "refusal_cause"} == item


def test_every_field_of_a_record_has_an_attribute() -> None:
    known = set[str]().union(*(item.keys() for item in items().values()))
    index_keys = {document_items.COLLECTION_INDEX_KEY, document_items.CONTENT_INDEX_KEY, document_items.STALE_INDEX_KEY}
    assert known - index_keys - {"tenant", "id", "written", "carries"} == set(STORED_PATHS) - {"doc_id"} - LATER
    assert {path.partition(".")[0] for path in STORED_PATHS.values()} - {"reason"} == set(FIELDS)


@pytest.mark.parametrize(
    ("state", "cause", "state_before"),
    [
        (DocumentState.WAITING, RefusalCause.PARSER_BUSY, "parsing"),
        (DocumentState.FAILED, RefusalCause.PARSER_BROKEN, "refused"),
        (DocumentState.INDEXED, RefusalCause.PARSER_BROKEN, "indexed"),
    ],
)
def test_a_record_in_a_state_of_the_parser_is_stored_in_words_that_the_release_before_can_read(
    state: DocumentState, cause: RefusalCause, state_before: str
) -> None:
    record = document_items.from_item(next(iter(items().values()))).document
    assert record is not None
    record = replace(record, ingestion=Ingestion(state, Refusal(cause, "the parser is busy")))
    stored = to_stored(record)
    assert (stored["state"], stored["refusal_cause"]) == (state_before, RefusalCause.CONTENT.value)
    assert from_stored(stored, earlier_source=record.policy_source).ingestion == record.ingestion


def test_a_change_by_the_release_before_ends_a_state_of_the_parser() -> None:
    """The release before writes the other columns of a row, and leaves the column of the state."""
    record = document_items.from_item(next(iter(items().values()))).document
    assert record is not None
    waiting = replace(
        record, ingestion=Ingestion(DocumentState.WAITING, Refusal(RefusalCause.PARSER_BUSY, "the parser is busy"))
    )
    left = {"parser_state": to_stored(waiting)["parser_state"]}
    for ingestion in (Ingestion(DocumentState.PARSING), Ingestion(DocumentState.INDEXED)):
        changed = to_stored(replace(record, ingestion=ingestion)) | left
        assert from_stored(changed, earlier_source=record.policy_source).ingestion == ingestion


@pytest.mark.parametrize("name", STORED.json("messages")["ingestion"])
def test_a_task_is_written_as_the_message_from_which_it_was_read(name: str) -> None:
    body = STORED.json("messages")["ingestion"][name]
    assert to_message(from_message(json.loads(body))) == body


def test_a_task_with_more_fields_of_a_later_release_is_understood() -> None:
    for body in STORED.json("messages")["ingestion"].values():
        assert to_message(from_message({**json.loads(body), "later": 1})) == body


def test_the_copy_of_an_index_is_copied_to_the_same_bytes(tmp_path: Path) -> None:
    stored, copied = FIRST / "index-export.ndjson.gz", tmp_path / "copy.gz"
    header = IndexExportFile(stored).header()
    IndexExportFile(copied).append(header, IndexExportFile(stored).documents(header))
    assert gzip.decompress(copied.read_bytes()) == gzip.decompress(stored.read_bytes())


@pytest.mark.parametrize("service", SERVICES)
def test_a_document_becomes_the_rows_that_were_sent(service: str) -> None:
    """Other members are those of the first release; since then passages have terms, and metadata has markers."""
    requests = [each for each in STORED.lines(f"rows-{service}") if each["method"] == "POST"]
    sent = [line for request in requests for line in request["lines"] if "row" in line]
    found, model = copied()
    made = list[Any]()
    for record, rows in found:
        version = DocumentVersion(record.doc_id, record.version)
        made += to_rows(version, rows, record.metadata, model).values()
    added = {"language", "analyzer", "weights", "packed_segment"}
    for row, line in zip(made, plain(sent), strict=True):
        changed = {"digest", "metadata"} | (added if "weights" in row.fields else set[str]())
        assert changed <= {*row.fields}
        assert {*line["metadata"]} <= {*row.fields["metadata"]}
        assert not added & {*line}
        assert {name: row.fields[name] for name in row.fields if name not in changed} == {
            name: line[name] for name in row.fields if name not in changed
        }


def plain(lines: list[Any]) -> list[Any]:
    """Restore the tuples, which JSON does not have."""
    texts = ("heading_path", "keywords", "questions")
    return [
        line
        if "segment" not in line
        else {**line, "segment": {**line["segment"], **{name: tuple(line["segment"][name]) for name in texts}}}
        for line in lines
    ]


def test_every_field_of_a_segment_has_a_member() -> None:
    plain = Segment("u", "d", 1, "c", 0, "text", ("h",), 1, 2, "headline", "summary", sketch=b"s", token_sums=b"t")
    segment = replace(plain, raw_values=("3.14159",))
    members = {**segment_json.with_later_members(segment_json.to_members(segment), segment)}
    assert list(members) == [field.name for field in dataclasses.fields(Segment)]
    assert segment_json.from_members(members | {"later": 1}) == segment


def test_a_segment_is_stored_without_later_members_where_the_release_before_reads_it() -> None:
    plain = Segment("u", "d", 1, "c", 0, "text", ("h",), 1, 2, "headline", "summary")
    members = segment_json.to_members(replace(plain, token_sums=b"t", raw_values=("3.14159",)))
    assert not {"token_sums", "raw_values"} & members.keys()
    assert segment_json.from_members(members) == plain


def test_a_model_becomes_the_manifest_that_it_was_read_of(home: Path) -> None:
    manifests = [path.read_bytes() for path in sorted((home / "models").rglob("model.json"))]
    assert [InstalledModel.from_json(each).to_json() for each in manifests] == manifests
    assert {InstalledModel.from_json(each).kind for each in manifests} == {"embedding", "reranker"}
    built = (FIRST / "built-model.json").read_bytes()
    assert ModelManifest.from_json(built).to_json() == built


def test_the_arrays_of_a_cache_have_the_names_of_the_stored_ones(home: Path) -> None:
    [folder] = (home / "home" / "tenants").glob("*/index.cache")
    found = {path.stem for path in folder.glob("*.bin")}
    assert found == {*ROWS, *PIECES, "vectors", "signs-0", "windows", "window_starts"}
    facts = json.loads((folder / "header.json").read_text().split("\n")[0])["facts"]
    assert facts.keys() >= {"version", "schema", "identity", "inode", "dimension", "sequence", "pieces", "values"}
    assert set(facts["values"]) == {"policies", "collections", "languages", "metadata"}


def test_every_problem_has_a_name_for_audit_lines() -> None:
    known = {each for each in vars(errors).values() if isinstance(each, type) and issubclass(each, errors.DomainError)}
    assert AUDIT_NAMES.keys() == known
    assert audit_text(errors.Superseded("later", 1)) == "Superseded: later"


def test_an_error_of_an_unknown_kind_is_recorded_under_its_base_kind() -> None:
    class Lost(errors.Unavailable):
        """A part of its own does not answer."""

    assert audit_text(Lost("gone")) == "Unavailable: gone"
