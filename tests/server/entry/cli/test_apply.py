"""`groundwire apply` makes a tenant as a file states, shows each change first, and takes nothing away."""

from pathlib import Path
from typing import Any, Final

import pytest

from tests.support.entry.command import Command

AGENT: Final = """
[[keys]]
name = "agent"
kind = "act_as"
scopes = ["search"]
max_tags = ["department:*"]
collections = "every"
"""
USER: Final = '\n[users]\n"elif@acme.example" = ["department:sales"]\n'
GROUP: Final = '\n[groups]\n"/department/sales" = ["department:sales"]\n'


@pytest.fixture
def company(tmp_path: Path) -> Path:
    path = tmp_path / "company.toml"
    path.write_text(AGENT + USER + GROUP)
    return path


def applied(groundwire: Command, file: Path, *options: str) -> dict[str, Any]:
    return groundwire.json("apply", str(file), "--tenant", "acme", "--yes", *options)


def state(groundwire: Command) -> list[Any]:
    return [groundwire.json(noun, "list", "--tenant", "acme") for noun in ("key", "user", "group")]


@pytest.mark.usefixtures("tenant")
def test_a_file_creates_keys_tags_and_groups_and_repeating_it_changes_nothing(
    groundwire: Command, company: Path
) -> None:
    first = applied(groundwire, company)
    keys, users, groups = state(groundwire)

    assert [change.split()[:2] for change in first["changes"]] == [["+", "key"], ["+", "user"], ["+", "group"]]
    assert [key["name"] for key in first["keys"]] == ["agent"]
    assert first["keys"][0]["key"].startswith("gw_")
    assert [(key["kid"], key["max_tags"]) for key in keys] == [(first["keys"][0]["kid"], ["department:*"])]
    assert users == [{"user": "elif@acme.example", "tags": ["department:sales"]}]
    assert groups == [{"group": "/department/sales", "tags": ["department:sales"]}]
    assert applied(groundwire, company) == {"changes": [], "unchanged": 3, "keys": []}
    assert state(groundwire) == [keys, users, groups]


@pytest.mark.usefixtures("tenant")
def test_a_dry_run_prints_the_changes_and_makes_none(groundwire: Command, company: Path) -> None:
    shown = groundwire("apply", str(company), "--tenant", "acme", "--dry-run").done().out

    assert shown.splitlines()[0] == "+ key agent: act_as; scopes search; collections every; max_tags department:*"
    assert state(groundwire) == [[], [], []]


@pytest.mark.usefixtures("tenant")
def test_what_differs_is_changed_and_what_the_file_does_not_name_stays(groundwire: Command, company: Path) -> None:
    kid = applied(groundwire, company)["keys"][0]["kid"]
    groundwire("user", "set", "noor", "--tag", "department:finance", "--tenant", "acme").done()
    other = AGENT.replace('["search"]', '["search", "verify"]').replace("department:*", "department:sales")
    company.write_text(other + USER.replace('sales"]', 'sales", "level:board"]'))

    changed = applied(groundwire, company)
    [key], users, groups = state(groundwire)

    assert changed["changes"] == [
        "~ key agent: scopes act_as, search → search, verify; max_tags department:* → department:sales",
        "~ user elif@acme.example: department:sales → department:sales, level:board",
    ]
    assert (key["kid"], key["max_tags"], key["scopes"]) == (kid, ["department:sales"], ["act_as", "search", "verify"])
    assert {row["user"]: row["tags"] for row in users} == {
        "elif@acme.example": ["department:sales", "level:board"],
        "noor": ["department:finance"],
    }
    assert len(groups) == 1


@pytest.mark.usefixtures("tenant")
def test_a_revoked_key_is_replaced_and_two_keys_of_one_name_are_refused(groundwire: Command, company: Path) -> None:
    kid = applied(groundwire, company)["keys"][0]["kid"]
    groundwire("key", "revoke", kid, "--tenant", "acme").done()

    assert [key["name"] for key in applied(groundwire, company)["keys"]] == ["agent"]
    groundwire("key", "create", "--act-as", "--scope", "search", "--any-tag", "--name", "agent", "-t", "acme").done()
    refused = groundwire("apply", str(company), "--tenant", "acme", "--yes")
    assert (refused.code, "Two keys in force have the name 'agent'" in refused.line) == (2, True)


@pytest.mark.usefixtures("tenant")
def test_a_tag_that_is_probably_a_slip_is_refused_without_its_option(groundwire: Command, company: Path) -> None:
    applied(groundwire, company)
    company.write_text('[users]\n"ana" = ["department:slaes"]\n')

    refused = groundwire("apply", str(company), "--tenant", "acme", "--yes")

    assert (refused.code, "department:sales" in refused.err, "--new-tags" in refused.err) == (2, True, True)
    assert len(state(groundwire)[1]) == 1
    assert applied(groundwire, company, "--new-tags")["changes"] == ["+ user ana: department:slaes"]


@pytest.mark.usefixtures("tenant")
@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[keys\n", "is no TOML: "),
        ("[tenants]\n", "unknown section 'tenants'"),
        ("keys = 1\n", "begin each with [[keys]]"),
        ("users = 1\n", "`users` must be a table"),
        ('[users]\nana = "red"\n', "`ana` must be a list of texts"),
        ("[users]\nana = []\n", "`ana` has no tag"),
        (AGENT + AGENT, "two keys with the name 'agent'"),
        (AGENT.replace("scopes", "rights"), "Key 'agent': Unknown members of this request: `rights`."),
        (AGENT.replace("act_as", "robot"), "Key 'agent': `kind` must be of"),
        (AGENT.replace('name = "agent"', ""), "`name` is missing"),
    ],
)
def test_a_file_with_an_error_changes_nothing(groundwire: Command, company: Path, text: str, message: str) -> None:
    company.write_text(text + USER if "users" not in text else text)

    refused = groundwire("apply", str(company), "--tenant", "acme", "--yes")

    assert (refused.code, message in refused.line) == (2, True), refused.line
    assert state(groundwire) == [[], [], []]


@pytest.mark.usefixtures("tenant")
def test_what_cannot_be_changed_is_refused_by_name_before_any_change(groundwire: Command, company: Path) -> None:
    applied(groundwire, company)
    company.write_text(
        AGENT.replace("act_as", "personal").replace("max_tags", "tags")
        + 'user = "ana"\n'
        + USER.replace("elif", "noor")
    )

    refused = groundwire("apply", str(company), "--tenant", "acme", "--yes")

    assert (refused.code, "Key 'agent' has another `kind`" in refused.line) == (2, True)
    assert [row["user"] for row in state(groundwire)[1]] == ["elif@acme.example"]


@pytest.mark.usefixtures("tenant")
def test_keys_that_were_created_before_a_failure_are_shown(groundwire: Command, company: Path) -> None:
    # Without settings of a provider, nobody can sign in.
    company.write_text(AGENT + AGENT.replace("act_as", "oauth").replace("agent", "people"))

    failed = groundwire("apply", str(company), "--tenant", "acme", "--yes")

    assert (failed.code, "Key agent (" in failed.out) == (2, True)
    assert [key["name"] for key in state(groundwire)[0]] == ["agent"]
