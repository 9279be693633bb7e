"""Manual changes and reconciliation during an ingestion: all stores agree, and the last manual change is kept."""

import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from groundwire.domain.access.policy import Policy
from groundwire.domain.documents.record import DocumentState
from groundwire.domain.errors import Conflict, Unavailable
from tests.server.services.crashing import PowerCutError
from tests.server.services.interrupted_backends import Site, open_site
from tests.support.isolation.policies import NO_READERS, PUBLIC, for_users

NAME, DOC = "a.txt", "a"
OLD, NEW = "The old ledger.\n\nIts old end.", "The new ledger.\n\nIts new end."
ANN, BEN = for_users("ann"), for_users("ben")
BRINGING = ("before index.vectors", "after blobs.put", "after image_index.put", "before index.put", "after index.put")
RECONCILING = (
    "before index.prune",
    "before index.set_readers",
    "after index.set_readers",
    "before image_index.prune",
    "before image_index.set_readers",
)
WRITING = ("before documents.write_attachment_tree", "before documents.write")


@pytest.fixture(params=["machine", "cloud"])
def site(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Site]:
    with open_site(request.param, tmp_path, monkeypatch) as opened:
        yield opened


def say(site: Site, policy: Policy) -> None:
    site.administration.override_policy(site.tenant, DOC, policy)


def close(site: Site) -> None:
    say(site, ANN)


def delete(site: Site) -> None:
    site.administration.delete(site.tenant, DOC)


def die() -> None:
    raise PowerCutError


def ingest_and_die(site: Site, moment: str) -> None:
    """An ingestion of the new file is killed there."""
    site.during.at(moment, die)
    with suppress(PowerCutError):
        site.attempt(NAME, NEW, PUBLIC)


@pytest.mark.parametrize("moment", BRINGING)
@pytest.mark.parametrize("stated", [NO_READERS, PUBLIC, ANN])
def test_a_manual_policy_stays_though_it_repeats_the_old_one_and_an_ingested_file_has_another(
    site: Site, moment: str, stated: Policy
) -> None:
    site.ingest_file(NAME, OLD, stated)
    site.during.at(moment, lambda: say(site, stated))
    site.ingest_file(NAME, NEW, PUBLIC if stated != PUBLIC else NO_READERS)
    assert site.during.is_over
    assert site.document(NAME).policy == stated
    assert site.document(NAME).policy_overridden_at > 0
    site.check({NAME: NEW})


@pytest.mark.parametrize("moment", BRINGING)
def test_a_file_whose_own_policy_is_set_manually_meanwhile_is_there_whole(site: Site, moment: str) -> None:
    site.ingest_file(NAME, OLD, PUBLIC)
    site.during.at(moment, lambda: say(site, PUBLIC))
    site.ingest_file(NAME, NEW, PUBLIC)
    assert site.during.is_over
    assert site.document(NAME).policy_overridden_at > 0
    site.check({NAME: NEW})


@pytest.mark.parametrize("moment", RECONCILING + WRITING)
def test_a_file_that_comes_in_while_a_policy_is_being_reconciled_is_there_whole(site: Site, moment: str) -> None:
    site.ingest_file(NAME, OLD, PUBLIC)
    site.during.at(moment, lambda: site.ingest_file(NAME, NEW, PUBLIC))
    say(site, ANN)
    assert site.during.is_over
    assert site.document(NAME).policy == ANN
    site.sweep()
    site.check({NAME: NEW})


@pytest.mark.parametrize("moment", ["before index.prune", "after index.prune", "before blobs.delete"])
def test_a_file_that_comes_in_again_while_its_deletion_is_being_reconciled_is_there_whole(
    site: Site, moment: str
) -> None:
    site.ingest_file(NAME, OLD, PUBLIC)

    def put_again() -> None:
        site.put_at, site.restores = time.time() + 60, True
        site.ingest_file(NAME, NEW, PUBLIC)

    site.during.at(moment, put_again)
    delete(site)
    assert site.during.is_over
    assert site.stored(DOC).state is DocumentState.INDEXED
    site.sweep()
    site.check({NAME: NEW})


@pytest.mark.parametrize("killed", ["after blobs.put", "after image_index.put", "after index.put"])
@pytest.mark.parametrize("moment", RECONCILING + WRITING)
def test_what_a_killed_ingestion_left_is_known_though_a_policy_was_being_reconciled_meanwhile(
    site: Site, moment: str, killed: str
) -> None:
    site.ingest_file(NAME, OLD, PUBLIC)
    site.during.at(moment, lambda: ingest_and_die(site, killed))
    say(site, ANN)
    assert site.during.is_over
    if site.stored(DOC).sync.is_stale:
        site.sweep()
    site.check({NAME: OLD})


@pytest.mark.parametrize("happens", [close, delete])
@pytest.mark.parametrize("killed", ["after blobs.put", "after image_index.put", "after index.put"])
def test_what_a_killed_ingestion_left_is_known_whatever_is_decided_afterwards(
    site: Site, killed: str, happens: Callable[[Site], None]
) -> None:
    site.ingest_file(NAME, OLD, PUBLIC)
    ingest_and_die(site, killed)
    happens(site)
    site.sweep()
    site.check({NAME: OLD} if site.stored(DOC).state is DocumentState.INDEXED else {})


@pytest.mark.parametrize("killed", ["after embedders.for_model", "after blobs.put", "after index.put"])
def test_of_a_first_ingestion_that_is_killed_when_its_document_was_deleted_nothing_remains(
    site: Site, killed: str
) -> None:
    def delete_and_die() -> None:
        delete(site)
        die()

    site.during.at(killed, delete_and_die)
    with suppress(PowerCutError):
        site.attempt(NAME, NEW, PUBLIC)
    assert site.during.is_over
    site.sweep()
    site.check({})


@pytest.mark.parametrize("moment", RECONCILING + WRITING)
def test_the_later_of_two_policies_that_are_reconciled_at_once_is_in_the_index(site: Site, moment: str) -> None:
    site.ingest_file(NAME, OLD, PUBLIC)
    site.during.at(moment, lambda: say(site, BEN))
    say(site, ANN)
    assert site.during.is_over
    assert site.document(NAME).policy == (ANN if moment == "before documents.write_attachment_tree" else BEN)
    site.check({NAME: OLD})


@pytest.mark.parametrize("moment", RECONCILING)
def test_a_policy_that_is_set_while_a_new_version_is_reconciled_is_in_the_index(site: Site, moment: str) -> None:
    site.ingest_file(NAME, OLD, PUBLIC)
    site.during.at(moment, lambda: say(site, BEN))
    site.ingest_file(NAME, NEW, ANN)
    assert site.during.is_over
    assert site.document(NAME).policy == BEN
    site.check({NAME: NEW})


def test_a_document_of_a_chosen_id_that_is_deleted_while_its_file_is_read_stays_deleted(site: Site) -> None:
    site.ingest_file(NAME, OLD, PUBLIC)
    site.put_at = time.time() - 60
    site.during.at("after documents.read", lambda: delete(site))
    assert not site.attempt(NAME, NEW, PUBLIC)
    assert site.during.is_over
    site.sweep()
    site.check({})


def test_a_deletion_leaves_nothing_where_nobody_ingests_anything_afterwards(site: Site) -> None:
    site.ingest_file(NAME, OLD, PUBLIC)
    delete(site)
    assert site.stored(DOC).state is DocumentState.DELETED
    site.check({})


def test_on_a_machine_a_deletion_takes_along_what_a_killed_ingestion_left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with open_site("machine", tmp_path, monkeypatch) as site:
        site.ingest_file(NAME, OLD, PUBLIC)
        ingest_and_die(site, "after index.put")
        delete(site)
        assert site.stored(DOC).state is DocumentState.DELETED
        site.check({})


def test_an_index_that_refuses_for_good_is_no_race(site: Site) -> None:
    site.ingest_file(NAME, OLD, PUBLIC)

    def refuse() -> None:
        site.during.at("before index.prune", refuse)
        raise Conflict("The index was made by another version.")

    site.during.at("before index.prune", refuse)
    with pytest.raises(Unavailable, match="another version"):
        close(site)
    assert site.stored(DOC).policy == ANN
