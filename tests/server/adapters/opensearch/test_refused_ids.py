"""NextGen by both readings: a service that refuses the ids of a writer is written by appending and replacing."""

from collections import Counter
from collections.abc import Generator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from threading import Barrier
from typing import Any

import pytest

from groundwire.adapters.opensearch.backing_indexes import backing_index_name
from groundwire.adapters.opensearch.connection.errors import CustomIdsRefused, item_error
from groundwire.adapters.opensearch.schema.mapping import SCHEMA_VERSION
from groundwire.domain import errors
from groundwire.domain.access.policy import NO_READERS, single_policy
from groundwire.ports import DocumentVersion, Index, ModelId
from groundwire.ports.indexes import IndexKind
from tests.server.adapters.opensearch.rows import PASSAGES, answered, held, passages, put_passages
from tests.support.documents.index_documents import ANYONE, MODEL, TENANT, for_tags, readable, someone
from tests.support.opensearch.emulator import NEXTGEN_WITHOUT_IDS, NEXTGEN_WITHOUT_IDS_IN_BULKS, Kind
from tests.support.opensearch.indexes import Opened, indexes_at
from tests.support.opensearch.signed_calls import call

pytestmark = pytest.mark.usefixtures("hasty")

ACCEPTS = "serverless-nextgen"
FIRST, SECOND = (backing_index_name(TENANT, number, IndexKind.PASSAGES) for number in (1, 2))
MADE, LOOKED_UP, REMEMBERED = f"PUT /{FIRST}", f"GET /{FIRST}/_mapping", f"PUT /{FIRST}/_mapping"
READ, BULK = "POST /_msearch", "POST /_bulk"
D = DocumentVersion("d", 1)
REFUSAL = "Document ID is not supported in create/index operation request"

by_either_reading = pytest.mark.parametrize("service", [ACCEPTS, NEXTGEN_WITHOUT_IDS])


@pytest.fixture(scope="module", params=[NEXTGEN_WITHOUT_IDS, NEXTGEN_WITHOUT_IDS_IN_BULKS])
def service(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@contextmanager
def another_process(there: Opened) -> Generator[Index]:
    """Open the tenant's index as a process that knows nothing yet."""
    with closing(indexes_at(there.emulated.url, there.emulated.name, there.index_generations, MODEL)) as indexes:
        yield indexes.for_tenant(TENANT)


def metadata(there: Opened, index: str = FIRST) -> Mapping[str, Any]:
    return call(there.emulated.url, "GET", f"/{index}/_mapping")[1][index]["mappings"]["_meta"]


def expect_once(there: Opened, texts: list[str]) -> None:
    """The engine holds exactly these texts of the document, each once."""
    with another_process(there) as index:
        assert (held(there).total(), set(held(there).values())) == (len(texts), {1})
        assert [each.text for each in index.segments(D)] == texts
        assert index.count_version_rows(D) == len(texts)
        assert answered(index) == Counter(texts)


def test_the_first_put_is_refused_once_and_the_index_remembers_it(anew: Opened) -> None:
    index = anew.indexes.for_tenant(TENANT)
    put_passages(index, passages())
    assert anew.emulated.calls == [MADE, LOOKED_UP, READ, BULK, REMEMBERED, READ, BULK]
    remembered = {"schema": SCHEMA_VERSION, "model": MODEL.name, "dimension": MODEL.dimension}
    assert metadata(anew) == {**remembered, "groundwire": {"custom_ids": False}}
    before = len(anew.emulated.calls)
    put_passages(index, passages("other"), doc_id="e")
    assert anew.emulated.calls[before:] == [READ, BULK]


def test_another_process_chooses_the_writer_without_sending_a_refused_request(anew: Opened) -> None:
    put_passages(anew.indexes.for_tenant(TENANT), passages())
    before = len(anew.emulated.calls)
    with another_process(anew) as index:
        put_passages(index, passages("other"), doc_id="e")
        assert anew.emulated.calls[before:] == [LOOKED_UP, READ, BULK]


@pytest.mark.parametrize("service", [ACCEPTS])
def test_where_ids_are_accepted_nothing_is_queried_or_remembered(anew: Opened) -> None:
    put_passages(anew.indexes.for_tenant(TENANT), passages())
    assert anew.emulated.calls == [MADE, LOOKED_UP, READ, BULK]
    assert "groundwire" not in metadata(anew)


@by_either_reading
def test_an_inspection_reports_which_reading_holds(anew: Opened, service: str) -> None:
    put_passages(anew.indexes.for_tenant(TENANT), passages())
    inspected = anew.indexes.inspect(TENANT)
    assert inspected is not None
    assert inspected.custom_ids is (service == ACCEPTS)


@by_either_reading
def test_documents_are_written_again_closed_and_deleted_by_either_reading(anew: Opened) -> None:
    index = anew.indexes.for_tenant(TENANT)
    for texts in (passages(), passages(), [*passages()[:5], "text new"], passages()[:3]):
        put_passages(index, texts)
        expect_once(anew, texts)
    with another_process(anew) as other_place:
        other_place.set_readers("d", single_policy(for_tags("hr")))
    assert (readable(index, ANYONE), readable(index, someone("hr"))) == (set(), {"d"})
    assert (held(anew).total(), set(held(anew).values())) == (3, {1})
    vectors = index.vectors("d")
    assert len(vectors) == 3
    with another_process(anew) as other_place:
        assert other_place.prune("d", None) == 3
    assert not held(anew)


def test_a_process_that_checked_before_the_first_refusal_detects_it_by_its_own_refused_request(anew: Opened) -> None:
    with another_process(anew) as early:
        early.put(DocumentVersion("none", 1), single_policy(NO_READERS), [])
        put_passages(anew.indexes.for_tenant(TENANT), passages())
        before = len(anew.emulated.calls)
        early.set_readers("d", single_policy(for_tags("hr")))
        assert anew.emulated.calls[before:].count(BULK) == 3
        assert readable(early, ANYONE) == set()
        assert (held(anew).total(), set(held(anew).values())) == (PASSAGES, {1})
        before = len(anew.emulated.calls)
        early.set_readers("d", single_policy(for_tags("it")))
        assert anew.emulated.calls[before:].count(BULK) == 2


def test_a_process_without_the_right_to_change_the_mapping_remembers_it_for_itself(anew: Opened) -> None:
    with another_process(anew) as unprivileged:
        unprivileged.put(DocumentVersion("none", 1), single_policy(NO_READERS), [])
        anew.emulated.failures.add(Kind.REFUSED, "_mapping", 403)
        put_passages(unprivileged, passages())
        before = len(anew.emulated.calls)
        put_passages(unprivileged, passages("text other"))
        assert anew.emulated.calls[before:] == [READ, BULK, BULK]
    assert "groundwire" not in metadata(anew)
    put_passages(anew.indexes.for_tenant(TENANT), passages())
    assert metadata(anew)["groundwire"] == {"custom_ids": False}
    expect_once(anew, passages())


@pytest.mark.parametrize("status", [403, 503])
def test_a_put_that_was_refused_and_then_fails_is_whole_when_it_is_repeated(anew: Opened, status: int) -> None:
    index = anew.indexes.for_tenant(TENANT)
    index.put(DocumentVersion("none", 1), single_policy(NO_READERS), [])
    anew.emulated.failures.add(Kind.REFUSED, "_mapping", status, times=2)
    if status == 503:
        with pytest.raises(errors.Unavailable):
            put_passages(index, passages())
        anew.emulated.failures.clear()
    put_passages(index, passages())
    expect_once(anew, passages())


def test_several_processes_may_meet_the_refusal_at_once(anew: Opened) -> None:
    anew.indexes.for_tenant(TENANT).put(DocumentVersion("none", 1), single_policy(NO_READERS), [])
    combined = Barrier(4)

    def ingest_file(number: int) -> None:
        with another_process(anew) as index:
            combined.wait(timeout=60)
            put_passages(index, passages(), doc_id=f"e{number}")

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(ingest_file, range(4)))
    assert (held(anew).total(), set(held(anew).values())) == (4 * PASSAGES, {1})
    assert metadata(anew)["groundwire"] == {"custom_ids": False}


@pytest.mark.parametrize(
    ("kind", "status"), [(Kind.LOST, 0), (Kind.CUT, 0), (Kind.UNHEARD, 0), (Kind.REFUSED, 502), (Kind.REFUSED, 504)]
)
def test_rows_without_ids_are_not_sent_again_when_the_answer_is_missing(
    there: Opened, index: Index, kind: Kind, status: int
) -> None:
    put_passages(index, passages("before"), doc_id="e")
    there.emulated.failures.add(kind, "_bulk", status)
    before = len(there.emulated.calls)
    with pytest.raises(errors.Unavailable):
        put_passages(index, passages())
    assert there.emulated.calls[before:] == [READ, BULK]
    index.prune("e", None)
    put_passages(index, passages())
    expect_once(there, passages())


def test_the_next_generation_asks_again_and_remembers_for_itself(anew: Opened) -> None:
    put_passages(anew.indexes.for_tenant(TENANT), passages())
    building = anew.indexes.start_generation(TENANT, ModelId("other", MODEL.dimension))
    before = len(anew.emulated.calls)
    put_passages(building, passages())
    assert anew.emulated.calls[before:].count(BULK) == 2
    assert metadata(anew, SECOND)["groundwire"] == {"custom_ids": False}
    anew.indexes.swap(TENANT)
    assert (held(anew, 2).total(), set(held(anew, 2).values())) == (PASSAGES, {1})


@pytest.mark.parametrize("service", [ACCEPTS])
def test_rows_that_have_ids_are_replaced_when_the_service_refuses_ids_later(anew: Opened) -> None:
    put_passages(anew.indexes.for_tenant(TENANT), passages())
    anew.emulated.become(NEXTGEN_WITHOUT_IDS)
    with another_process(anew) as index:
        put_passages(index, passages()[1:])
        expect_once(anew, passages()[1:])
        index.set_readers("d", single_policy(for_tags("hr")))
        assert (held(anew).total(), set(held(anew).values())) == (PASSAGES - 1, {1})


def test_an_index_stays_with_its_writer_when_the_service_accepts_ids_later(anew: Opened) -> None:
    put_passages(anew.indexes.for_tenant(TENANT), passages())
    anew.emulated.become(ACCEPTS)
    with another_process(anew) as index:
        put_passages(index, passages()[1:])
    expect_once(anew, passages()[1:])


def test_a_writer_that_was_accepted_replaces_rows_of_one_that_was_refused(anew: Opened) -> None:
    with another_process(anew) as early:
        early.put(DocumentVersion("none", 1), single_policy(NO_READERS), [])
        put_passages(anew.indexes.for_tenant(TENANT), passages())
        anew.emulated.become(ACCEPTS)
        put_passages(early, passages())
        expect_once(anew, passages())


@pytest.mark.parametrize(
    ("status", "reported", "is_refusal"),
    [
        (400, {"type": "illegal_argument_exception", "reason": REFUSAL}, True),
        (400, REFUSAL, True),
        (400, {"type": "mapper_parsing_exception", "reason": f"failed to parse field [title]: '{REFUSAL}'"}, False),
        (400, {"type": "illegal_argument_exception", "reason": "unknown setting"}, False),
        (400, None, False),
        (403, {"type": "Forbidden", "reason": REFUSAL}, False),
        (503, {"reason": REFUSAL}, False),
    ],
)
def test_no_other_error_is_taken_for_the_refusal_of_ids(status: int, reported: object, *, is_refusal: bool) -> None:
    assert isinstance(item_error(status, reported), CustomIdsRefused) is is_refusal
