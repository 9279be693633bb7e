"""A block holds for every spelling of an id, from the next read on, and lasts until a person ends it."""

from dataclasses import replace

import pytest

from groundwire.domain import errors
from groundwire.domain.access.decision import Decision
from groundwire.domain.access.user_blocks import UserBlock, UserState, block_key
from groundwire.domain.limits import MAX_USER_CHARACTERS
from tests.support.registry.backends import Stores
from tests.support.registry.records import tenant

DECISION = Decision("olga", 1_800_000_000.25, "KIDKIDKIDKID", "left the company")
ELIF = UserBlock("Elif@Weirhaven.example", DECISION)
BLOCKED = UserState(None, is_blocked=True)
FREE = UserState(None, is_blocked=False)

SPELLINGS = [
    "Elif@Weirhaven.example",
    "elif@weirhaven.example",
    "ELIF@WEIRHAVEN.EXAMPLE",
    "\uff25\uff4c\uff49\uff46@weirhaven.example",
]
OTHERS = ["elif@weirhaven.example2", "elif", "elif@weirhaven_example", "%", "el\u0131f@weirhaven.example"]


@pytest.fixture(autouse=True)
def two_tenants(stores: Stores) -> None:
    stores.tenants.add(tenant("t-acme"))
    stores.tenants.add(tenant("t-blue"))


def test_a_block_holds_for_every_spelling_and_for_nobody_else(stores: Stores) -> None:
    stores.users.block("t-acme", ELIF)
    assert {each: stores.users.state("t-acme", each) for each in SPELLINGS} == dict.fromkeys(SPELLINGS, BLOCKED)
    assert {each: stores.users.state("t-acme", each) for each in OTHERS} == dict.fromkeys(OTHERS, FREE)
    assert stores.users.state("t-blue", "elif@weirhaven.example") == FREE


def test_tags_and_block_come_by_one_read_and_neither_changes_the_other(stores: Stores) -> None:
    stores.users.set("t-acme", "ann", frozenset({"sales"}))
    assert stores.users.state("t-acme", "ann") == UserState(frozenset({"sales"}), is_blocked=False)
    stores.users.block("t-acme", UserBlock("ANN", DECISION))
    assert stores.users.state("t-acme", "ann") == UserState(frozenset({"sales"}), is_blocked=True)
    assert stores.users.all("t-acme") == [("ann", frozenset({"sales"}))]
    stores.users.delete("t-acme", "ann")
    assert stores.users.state("t-acme", "ann") == BLOCKED


def test_a_block_that_ended_has_ended_for_every_spelling_and_cannot_end_twice(stores: Stores) -> None:
    stores.users.block("t-acme", ELIF)
    stores.users.block("t-blue", ELIF)
    stores.users.unblock("t-acme", "ELIF@weirhaven.example")
    assert stores.users.state("t-acme", ELIF.user) == FREE
    assert stores.users.state("t-blue", ELIF.user) == BLOCKED
    with pytest.raises(errors.NotFound):
        stores.users.unblock("t-acme", ELIF.user)


def test_blocks_are_listed_as_they_were_decided_the_earliest_first(stores: Stores) -> None:
    later = UserBlock("bob", replace(DECISION, decided_at=DECISION.decided_at + 1, decision_reason="", decided_key=""))
    stores.users.block("t-acme", later)
    stores.users.block("t-acme", ELIF)
    assert stores.users.blocked("t-acme") == [ELIF, later]
    assert stores.users.blocked("t-blue") == []


def test_a_second_block_leaves_the_first_as_it_was(stores: Stores) -> None:
    stores.users.block("t-acme", ELIF)
    stores.users.block("t-acme", UserBlock("elif@weirhaven.example", replace(DECISION, decision_reason="again")))
    assert stores.users.blocked("t-acme") == [ELIF]


def test_an_id_whose_compatibility_form_is_very_long_can_be_read_and_blocked(stores: Stores) -> None:
    longest = "\ufdfa" * MAX_USER_CHARACTERS
    assert stores.users.state("t-acme", longest) == FREE
    stores.users.block("t-acme", UserBlock(longest, DECISION))
    assert stores.users.state("t-acme", longest) == BLOCKED


def test_blocks_end_with_their_tenant_and_are_counted(stores: Stores) -> None:
    stores.users.block("t-acme", ELIF)
    stores.users.block("t-blue", ELIF)
    assert stores.tenants.delete("t-acme")["blocked_users"] == 1
    assert stores.users.blocked("t-acme") == []
    assert stores.users.blocked("t-blue") == [ELIF]


def test_the_key_of_a_block_is_the_same_for_composed_and_decomposed_letters() -> None:
    assert block_key("Zoe\u0301") == block_key("ZO\u00c9") == block_key("zo\u00e9")
    assert block_key("stra\u00dfe") == block_key("STRASSE")
    assert block_key("ta\u0390s") == block_key("TA\u0390S".upper()) == block_key("ta\u03b9\u0308\u0301s")
