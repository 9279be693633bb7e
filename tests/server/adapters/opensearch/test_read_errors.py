"""A search returns the whole result, or fails in time with a clear error."""

import socket
from contextlib import closing

import pytest

from groundwire.domain import errors
from groundwire.ports import Index
from groundwire_egress.deadline import time_limit
from tests.server.adapters.opensearch.rows import answered, passages, put_passages
from tests.support.documents.index_documents import MODEL, TENANT, found
from tests.support.opensearch.emulator import Kind
from tests.support.opensearch.indexes import Opened, indexes_at

pytestmark = pytest.mark.usefixtures("hasty")

TIMEOUT_S = 0.4
ONCE = [(Kind.LOST, 0), (Kind.CUT, 0), (Kind.UNHEARD, 0), (Kind.REFUSED, 429), (Kind.REFUSED, 503)]


@pytest.fixture(autouse=True)
def _filled(index: Index) -> None:
    put_passages(index, passages())


@pytest.mark.parametrize(("kind", "status"), ONCE)
def test_a_search_that_fails_once_is_answered_all_the_same(
    there: Opened, index: Index, kind: Kind, status: int
) -> None:
    there.emulated.failures.add(kind, "_msearch", status)
    assert answered(index).keys() == set(passages())


@pytest.mark.parametrize(("kind", "status"), [*ONCE, (Kind.TIMED_OUT, 0), (Kind.SHARD_FAILED, 0)])
def test_a_search_that_keeps_failing_reports_it_and_gives_no_part_of_an_answer(
    there: Opened, index: Index, kind: Kind, status: int
) -> None:
    there.emulated.failures.add(kind, "_msearch", status, times=5)
    with pytest.raises(errors.Unavailable) as reported:
        found(index)
    assert reported.value.retry_after_s > 0
    assert "try again" in str(reported.value).lower()
    there.emulated.failures.clear()
    assert answered(index).keys() == set(passages())


def test_a_slow_shard_costs_no_more_than_the_deadline(there: Opened, index: Index) -> None:
    there.emulated.failures.add(Kind.HELD, "_msearch", 60)
    with time_limit(TIMEOUT_S), pytest.raises(errors.Unavailable, match="in time"):
        found(index)


def test_a_sleeping_collection_is_one_error_that_reports_it_and_answers_when_it_woke(
    there: Opened, index: Index
) -> None:
    there.emulated.fall_asleep(wakes_in=20)
    requested = len(there.emulated.calls)
    for _ in range(2):
        with time_limit(TIMEOUT_S), pytest.raises(errors.Unavailable, match="waking up") as reported:
            found(index)
        assert reported.value.retry_after_s == 15
    # Who has no time left does not knock again.
    assert len(there.emulated.calls) == requested + 2
    there.emulated.advance(20)
    assert answered(index).keys() == set(passages())


def test_a_search_asks_at_most_twice(there: Opened, index: Index) -> None:
    requested = len(there.emulated.calls)
    found(index, "text 3")
    assert there.emulated.calls[requested:] in (["POST /_msearch"], ["POST /_msearch"] * 2)


def test_an_engine_that_is_down_is_reported_with_what_to_do(there: Opened, service: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as nobody:
        address = f"http://127.0.0.1:{nobody.getsockname()[1]}"
    deleted = indexes_at(address, service, there.index_generations, MODEL)
    with closing(deleted), pytest.raises(errors.Unavailable, match="check its address"):
        found(deleted.for_tenant(TENANT))
