"""A block holds for every spelling of an id, from the next read on, and lasts until a person ends it."""

import sys
import unicodedata
from dataclasses import replace

import pytest

from groundwire.domain import errors
from groundwire.domain.access.decision import Decision
from groundwire.domain.access.user_blocks import UserBlock, UserState, block_key, stored_block_keys
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
    "el\u200bif@weirhaven.example",
    "el\u200dif@weirhaven.example",
    "elif\ufe0f@weir\u00adhaven.example",
    "\u3164elif@weirhaven.example\U000e0001",
]
_SEEN = ("ARABIC ", "SYRIAC ", "KAITHI ", "EGYPTIAN ", "INTERLINEAR ")
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


def test_invisible_characters_make_no_other_user() -> None:
    formats = {chr(code) for code in range(sys.maxunicode + 1) if unicodedata.category(chr(code)) == "Cf"}
    # Signs over or around numbers in Arabic, Syriac, Kaithi and Egyptian, and annotations, are seen.
    shown = {letter for letter in formats if block_key(letter)}
    assert {chr(0x0600), chr(0x06DD), chr(0x070F), chr(0x110BD), chr(0xFFF9)} <= shown
    assert all(unicodedata.name(letter).startswith(_SEEN) for letter in shown)
    for letter in (formats - shown) | {chr(code) for code in range(0xFE00, 0xFE10)}:
        assert block_key(f"an{letter}na") == block_key(f"{letter}ANNA{letter}") == "anna"


def test_the_key_of_a_block_is_that_of_itself() -> None:
    for code in range(0xA0, 0x1E95F):
        if not 0xD800 <= code < 0xE000:
            key = block_key(f"a{chr(code)}\u0301b")
            assert block_key(key) == key


def earlier_key(user: str) -> str:
    return stored_block_keys(user)[-1]


def test_a_block_of_an_earlier_release_holds_for_an_id_with_an_invisible_letter(
    stores: Stores, monkeypatch: pytest.MonkeyPatch
) -> None:
    earlier = UserBlock("an\u200dna", DECISION)
    with monkeypatch.context() as patch:
        for module in ("local.registry.administered.users", "aws.dynamodb.administered.users"):
            patch.setattr(f"groundwire.adapters.{module}.block_key", earlier_key)
        stores.users.block("t-acme", earlier)
    assert stores.users.blocked("t-acme") == [earlier]
    assert stores.users.state("t-acme", "AN\u200dna") == BLOCKED
    stores.users.unblock("t-acme", "an\u200dNA")
    assert stores.users.state("t-acme", "an\u200dna") == FREE
    assert stores.users.blocked("t-acme") == []
