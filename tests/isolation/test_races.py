"""Searches that begin after a change has returned never see what it took away, however many run at once."""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from threading import Event

import pytest

from groundwire.domain.access.policy import NO_READERS, Policy
from groundwire.services.keys.admin import KeyWithSecret
from tests.support.worlds.world import World, caller

ROUND_TRIPS = 12
SEARCHERS = 3
PUBLIC = Policy(public=True, users=frozenset(), any_tags=frozenset(), all_tags=frozenset())


class Withdrawals:
    """Documents that are ingested and then hidden, deleted or redacted; `deleted` lists the words removed so far."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.tenant = world.tenant("amber")
        self.key = world.acting_key(self.tenant)
        self.deleted: list[str] = []
        self.over = Event()

    def word(self, number: int) -> str:
        return f"canary{number:03}"

    def put(self, number: int, text: str) -> None:
        doc_id = f"d{number}"
        self.world.ingest(self.tenant, text, PUBLIC, path=f"/nowhere/{doc_id}.txt", doc_id=doc_id)

    def delayed_sightings(self) -> list[str]:
        """Return the words that searches found although they were removed before the searches started."""
        seen: list[str] = []
        last = False
        while not last:
            last = self.over.is_set()
            before = list(self.deleted)
            answer = self.world.search(caller(self.key), "ledger", *before[-1:])
            seen += [word for word in before if word.encode() in answer.bytes]
        return seen


def repolicy(withdrawals: Withdrawals, number: int) -> None:
    withdrawals.world.services.administration.document_admin.override_policy(
        withdrawals.tenant, f"d{number}", NO_READERS
    )


def delete(withdrawals: Withdrawals, number: int) -> None:
    withdrawals.world.services.administration.document_admin.delete(withdrawals.tenant, f"d{number}")


def redact(withdrawals: Withdrawals, number: int) -> None:
    withdrawals.put(number, "The ledger says nothing.")


@pytest.fixture
def withdrawals(world: World) -> Iterator[Withdrawals]:
    made = Withdrawals(world)
    yield made
    made.over.set()


@pytest.mark.parametrize("remove", [repolicy, delete, redact])
def test_no_search_that_begins_after_a_withdrawal_finds_what_was_removed(
    withdrawals: Withdrawals, remove: Callable[[Withdrawals, int], None]
) -> None:
    with ThreadPoolExecutor(SEARCHERS) as pool:
        searchers = [pool.submit(withdrawals.delayed_sightings) for _ in range(SEARCHERS)]
        try:
            for number in range(ROUND_TRIPS):
                word = withdrawals.word(number)
                withdrawals.put(number, f"The ledger speaks of {word}.")
                assert word.encode() in withdrawals.world.search(caller(withdrawals.key), word).bytes
                remove(withdrawals, number)
                withdrawals.deleted.append(word)
        finally:
            withdrawals.over.set()
        assert [searcher.result() for searcher in searchers] == [[]] * SEARCHERS


def test_no_call_that_begins_after_a_revocation_is_answered(world: World) -> None:
    tenant = world.tenant("amber")
    world.ingest(tenant, "The ledger.", PUBLIC, path="/nowhere/d.txt", doc_id="d")
    revoked, over = Event(), Event()

    def delayed_answers(key: KeyWithSecret) -> list[int]:
        delayed: list[int] = []
        last = False
        while not last:
            last = over.is_set()
            before = revoked.is_set()
            status = world.search(caller(key), "ledger").status
            delayed += [status] if before and status != 401 else []
        return delayed

    with ThreadPoolExecutor(SEARCHERS) as pool:
        for _ in range(ROUND_TRIPS):
            revoked.clear()
            over.clear()
            key = world.acting_key(tenant)
            searchers = [pool.submit(delayed_answers, key) for _ in range(SEARCHERS)]
            try:
                world.search(caller(key), "ledger")
                world.services.administration.key_admin.revoke(tenant, key.key.kid)
                revoked.set()
                assert world.search(caller(key), "ledger").status == 401
            finally:
                over.set()
            assert [searcher.result() for searcher in searchers] == [[]] * SEARCHERS
