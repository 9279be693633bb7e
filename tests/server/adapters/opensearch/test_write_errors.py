"""Whatever happens to a bulk, nothing is lost and nothing is there twice once it was repeated."""

from collections import Counter
from collections.abc import Callable

import pytest

from groundwire.domain import errors
from groundwire.domain.access.policy import single_policy
from groundwire.ports import DocumentVersion, Index
from tests.server.adapters.opensearch.rows import PASSAGES, answered, held, passages, put_passages
from tests.support.documents.index_documents import ANYONE, for_tags, readable, someone
from tests.support.opensearch.emulator import Kind
from tests.support.opensearch.indexes import Opened

pytestmark = pytest.mark.usefixtures("hasty")

CUTS = (Kind.LOST, Kind.CUT, Kind.UNHEARD)
LONGER_THAN_ANY_TIMEOUT = 50


def until_done(change: Callable[[], object]) -> int:
    """The change is done, however often it has to be repeated; returns how often it failed, each time clearly."""
    reported: list[str] = []
    while len(reported) < 5:
        try:
            change()
        except errors.Unavailable as problem:
            reported.append(str(problem).lower())
        else:
            assert all("try again" in each for each in reported)
            return len(reported)
    raise AssertionError("it never succeeds")


def expect(there: Opened, index: Index, contents: list[str]) -> None:
    """The document is exactly these texts, each once, in the engine too."""
    assert [one.text for one in index.segments(DocumentVersion("d", 1))] == contents
    assert set(held(there).values()) == {1}
    assert held(there).total() == len(contents)
    assert index.count_rows() == index.count_version_rows(DocumentVersion("d", 1)) == len(contents)
    assert answered(index) == Counter(contents)


@pytest.mark.parametrize("kind", CUTS)
def test_a_bulk_with_a_broken_connection_is_complete_after_the_repeat(
    there: Opened, index: Index, kind: Kind, service: str
) -> None:
    there.emulated.failures.add(kind, "_bulk")
    failures = until_done(lambda: put_passages(index, passages()))
    # Where ids are the service's own, the adapter cannot know whether it was done: its caller repeats all of it.
    assert failures == (1 if service == "serverless-classic" else 0)
    expect(there, index, passages())


@pytest.mark.parametrize("kind", CUTS)
def test_a_version_that_is_replaced_stays_whole_until_the_next_one_is(there: Opened, index: Index, kind: Kind) -> None:
    put_passages(index, passages("old"))
    there.emulated.failures.add(kind, "_bulk", times=LONGER_THAN_ANY_TIMEOUT)
    with pytest.raises(errors.Unavailable):
        put_passages(index, passages("new"), version=2)
    assert [one.text for one in index.segments(DocumentVersion("d", 1))] == passages("old")
    there.emulated.failures.clear()
    until_done(lambda: put_passages(index, passages("new"), version=2))
    index.prune("d", 2)
    assert [one.text for one in index.segments(DocumentVersion("d", 2))] == passages("new")
    assert (held(there).total(), set(held(there).values())) == (PASSAGES, {1})


@pytest.mark.parametrize("status", [429, 503])
def test_a_bulk_that_is_refused_for_the_moment_is_done_in_the_end(there: Opened, index: Index, status: int) -> None:
    there.emulated.failures.add(Kind.REFUSED, "_bulk", status, times=2)
    until_done(lambda: put_passages(index, passages()))
    expect(there, index, passages())


def test_a_bulk_with_half_of_its_actions_refused_repeats_that_half(there: Opened, index: Index) -> None:
    requested = len(there.emulated.calls)
    there.emulated.failures.add(Kind.HALF_REFUSED, "_bulk", times=3)
    put_passages(index, passages())
    expect(there, index, passages())
    assert there.emulated.calls[requested:].count("POST /_bulk") == 4


@pytest.mark.parametrize("status", [413, 429, 503])
def test_a_final_refusal_is_reported_and_can_be_repeated_later(there: Opened, index: Index, status: int) -> None:
    there.emulated.failures.add(Kind.REFUSED, "_bulk", status, times=LONGER_THAN_ANY_TIMEOUT)
    with pytest.raises(errors.Unavailable) as reported:
        put_passages(index, passages())
    assert reported.value.retry_after_s > 0
    there.emulated.failures.clear()
    put_passages(index, passages())
    expect(there, index, passages())


@pytest.mark.parametrize("kind", [*CUTS, Kind.HALF_REFUSED])
def test_a_policy_that_is_cut_off_in_between_is_everywhere_when_it_is_repeated(
    there: Opened, index: Index, kind: Kind
) -> None:
    put_passages(index, passages())
    there.emulated.failures.add(kind, "_bulk", times=2)
    until_done(lambda: index.set_readers("d", single_policy(for_tags("hr"))))
    assert readable(index, ANYONE) == set()
    assert readable(index, someone("hr")) == {"d"}
    assert (held(there).total(), set(held(there).values())) == (PASSAGES, {1})
    assert [one.text for one in index.segments(DocumentVersion("d", 1))] == passages()


@pytest.mark.parametrize("kind", [*CUTS, Kind.HALF_REFUSED])
def test_a_deletion_that_is_cut_off_in_between_is_complete_when_it_is_repeated(
    there: Opened, index: Index, kind: Kind
) -> None:
    put_passages(index, passages())
    put_passages(index, passages("other"), doc_id="e")
    there.emulated.failures.add(kind, "_bulk", times=2)
    until_done(lambda: index.prune("d", None))
    assert index.count_version_rows(DocumentVersion("d", 1)) == 0
    assert answered(index, "other") == Counter(passages("other"))
    assert held(there).total() == PASSAGES
