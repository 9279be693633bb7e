"""`groundwire access`: who can read, why, what can she read, what if; the same on a machine and over REST."""

from pathlib import Path

import pytest

from tests.support.entry.command import Command


@pytest.fixture
def doc(groundwire: Command, tenant: str, note: Path) -> str:
    groundwire("ingest", str(note), "-t", tenant, "--any-tag", "team:legal", "--id", "d-1").done()
    return "d-1"


def test_access_check_states_the_decision_the_tags_and_what_is_missing(
    groundwire: Command, tenant: str, doc: str
) -> None:
    denied = groundwire("access", "check", doc, "-t", tenant, "--user", "ann", "--tag", "board")
    assert denied.code == 1
    assert "ann may not read" in denied.out
    assert "Access would need team:legal in addition." in denied.out
    groundwire("user", "set", "ann", "-t", tenant, "--tag", "team:legal").done()
    allowed = groundwire("access", "check", doc, "-t", tenant, "--user", "ann").done()
    assert "Tags stored for the user: team:legal." in allowed.out
    assert "Without team:legal there is no access." in allowed.out


def test_access_check_of_a_blocked_user_states_the_block_first(groundwire: Command, tenant: str, doc: str) -> None:
    groundwire("user", "set", "ann", "-t", tenant, "--tag", "team:legal").done()
    groundwire("user", "block", "ANN", "-t", tenant).done()
    checked = groundwire("access", "check", doc, "-t", tenant, "--user", "ann", "--json")
    assert (checked.code, checked.json["reason"], checked.json["policy_reason"]) == (1, "blocked", "tags")


def test_access_readers_lists_users_tags_groups_and_keys(groundwire: Command, tenant: str, doc: str) -> None:
    groundwire("user", "set", "ann", "-t", tenant, "--tag", "team:legal").done()
    groundwire("group", "set", "lawyers", "-t", tenant, "--tag", "team:legal").done()
    groundwire("key", "create", "-t", tenant, "--act-as", "--max-tag", "team:*", "--scope", "search").done()
    groundwire("key", "create", "-t", tenant, "--user", "bo", "--tag", "board", "--scope", "search", "--yes").done()
    out = groundwire("access", "readers", doc, "-t", tenant).done().out
    assert "Holders of team:legal." in out
    assert "User ann: tags" in out
    assert "Group lawyers" in out
    assert out.count("Key ") == 1
    assert "for users and tags of its calls" in out


def test_access_readers_of_a_closed_document_is_nobody(groundwire: Command, tenant: str, doc: str) -> None:
    groundwire("documents", "close", doc, "-t", tenant).done()
    assert "Nobody." in groundwire("access", "readers", doc, "-t", tenant).done().out.splitlines()


def test_access_documents_lists_what_a_person_can_read(groundwire: Command, tenant: str, doc: str) -> None:
    found = groundwire("access", "documents", "-t", tenant, "--tag", "team:legal", "--json").done().json
    assert [(row["doc_id"], row["reason"]) for row in found["documents"]] == [(doc, "tags")]
    nothing = groundwire("access", "documents", "-t", tenant, "--user", "ann").done()
    assert "This person can read no document." in nothing.out + nothing.err


def test_access_what_if_states_the_effect_and_changes_nothing(groundwire: Command, tenant: str, doc: str) -> None:
    groundwire("user", "set", "ann", "-t", tenant, "--tag", "team:legal").done()
    closed = groundwire("access", "what-if", "policy", doc, "-t", tenant).done().out
    assert "Added: nothing" in closed
    assert "user ann" in closed
    moved = groundwire("access", "what-if", "tags", "ann", "-t", tenant, "--tag", "board").done().out
    assert "Removed:" in moved
    assert doc in moved
    assert groundwire("access", "check", doc, "-t", tenant, "--user", "ann").code == 0


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["tags", "ann", "--any-tag", "a"], "use them with policy"),
        (["policy", "d-1", "--tag", "a"], "--any-tag and --all-tag"),
        (["block", "ann", "--tag", "a"], "--tag has no effect"),
        (["policy", "d-2"], "There is no document 'd-2'."),
        (["max-tags", "000000000000", "--tag", "a"], "There is no key"),
    ],
)
def test_access_what_if_names_what_is_wrong_with_a_change(
    groundwire: Command, tenant: str, doc: str, options: list[str], message: str
) -> None:
    assert doc
    refused = groundwire("access", "what-if", *options, "-t", tenant)
    assert (refused.code in {1, 2}, message in refused.err) == (True, True), refused.err
