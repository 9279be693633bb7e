"""Keys: commands state their rights, show each secret once, and rotate and revoke them."""

import sqlite3
from pathlib import Path

import pytest

from tests.support.entry.command import Command


def test_a_personal_key_holds_its_user_and_tags_and_is_shown_this_once(groundwire: Command, tenant: str) -> None:
    options = ["--user", "maria", "--tag", "b", "--tag", "a", "--name", "laptop"]
    made = groundwire.json("key", "create", "-t", tenant, "--scope", "search", *options)
    secret = made.pop("key")
    assert secret.startswith(f"gw_local_{made['kid']}_")
    assert (made["kind"], made["user"], made["tags"]) == ("personal", "maria", ["a", "b"])
    [listed] = groundwire.json("key", "list", "-t", tenant)
    assert listed == made
    stored = b"".join(path.read_bytes() for path in groundwire.home.rglob("*") if path.is_file())
    assert secret.rsplit("_", 1)[1].encode() not in stored


def test_a_key_that_acts_for_others_carries_its_bound_and_its_scope(groundwire: Command, tenant: str) -> None:
    bound = ["--max-tag", "department:*", "--max-tag", "premium"]
    made = groundwire.json("key", "create", "-t", "acme", "--act-as", "--scope", "search", *bound)
    assert made["kind"] == "act_as"
    assert made["max_tags"] == ["department:*", "premium"]
    assert made["scopes"] == ["act_as", "search"]
    assert made["user"] is None


@pytest.mark.parametrize(("options", "strict"), [([], False), (["--strict-tags"], True)])
def test_a_key_refuses_tags_outside_its_bound_only_where_that_is_requested(
    groundwire: Command, tenant: str, options: list[str], *, strict: bool
) -> None:
    create = ["key", "create", "-t", "acme", "--act-as", "--scope", "search", "--max-tag", "department:*"]
    made = groundwire.json(*create, *options)
    assert made["strict_tags"] is strict
    rotated = groundwire.json("key", "rotate", made["kid"], "-t", "acme")
    [listed] = groundwire.json("key", "list", "-t", "acme")
    assert (rotated["strict_tags"], listed["strict_tags"]) == (strict, strict)


@pytest.mark.parametrize("options", [[], ["--json"]])
def test_a_key_that_no_tag_counts_with_is_made_with_a_warning_that_names_the_remedy(
    groundwire: Command, tenant: str, options: list[str]
) -> None:
    made = groundwire("key", "create", "-t", tenant, "--act-as", "--scope", "search", *options).done()
    assert "--any-tag or --max-tag" in made.line
    assert ("key" in made.json) if options else len(made.out.splitlines()) == 3


@pytest.mark.parametrize("options", [["--act-as", "--max-tag", "*"], ["--act-as", "--max-tag", "a"], ["--user", "ann"]])
def test_a_key_with_a_bound_or_a_user_is_made_without_a_warning(
    groundwire: Command, tenant: str, options: list[str]
) -> None:
    assert not groundwire("key", "create", "-t", tenant, "--scope", "search", *options).done().err


@pytest.mark.parametrize(
    ("option", "given", "likely"),
    [
        ("--max-tag", "department sales", "department:sales"),
        ("--max-tag", "department *", "department:*"),
        ("--max-tag", "department: sales", "department:sales"),
        ("--max-tag", "department:sales ", "department:sales"),
    ],
)
def test_a_tag_with_a_space_for_a_colon_counts_as_it_is_with_a_warning_that_has_the_likely_one(
    groundwire: Command, tenant: str, option: str, given: str, likely: str
) -> None:
    made = groundwire("key", "create", "-t", tenant, "--act-as", "--scope", "search", option, given, "--json").done()
    assert made.json["max_tags"] == [given]
    assert f"the tag {given!r} has a space" in made.line
    assert repr(likely) in made.line


@pytest.mark.parametrize(
    "arguments",
    [
        ("user", "set", "ana"),
        ("search", "pump"),
        ("key", "create", "--scope", "search", "--user", "ana"),
    ],
)
def test_each_command_warns_of_a_tag_with_a_space_for_a_colon(
    groundwire: Command, tenant: str, arguments: tuple[str, ...]
) -> None:
    assert "department:sales" in groundwire(*arguments, "-t", tenant, "--tag", "department sales").done().err


@pytest.mark.parametrize("option", ["--any-tag", "--all-tag"])
def test_an_ingestion_warns_of_a_tag_with_a_space_for_a_colon(
    groundwire: Command, tenant: str, note: Path, option: str
) -> None:
    run = groundwire("ingest", str(note), "-t", tenant, option, "department sales", "--json").done()
    assert [each["status"] for each in run.json] == ["indexed"]
    assert "'department:sales'" in run.line


@pytest.mark.parametrize("tag", ["department:sales", "Q4-2024", "premium_access", "level:senior manager", "*"])
def test_a_tag_without_a_colon_or_with_a_space_in_its_value_gets_no_warning(
    groundwire: Command, tenant: str, tag: str
) -> None:
    options = ("--act-as", "--scope", "search", "--max-tag", tag)
    assert groundwire("key", "create", "-t", tenant, *options).done().err == ""


def test_a_key_is_printed_on_a_line_of_its_own_with_the_next_command(groundwire: Command, tenant: str) -> None:
    shown = groundwire("key", "create", "-t", tenant, "--scope", "search", "--user", "maria").done().out.splitlines()
    assert len(shown) == 3
    assert shown[1].startswith("gw_local_")
    assert "groundwire connect" in shown[2]


def test_expiry_is_ninety_days_unless_another_is_given(groundwire: Command, tenant: str) -> None:
    usual = ["key", "create", "-t", tenant, "--scope", "search", "--user", "maria"]
    assert groundwire.json(*usual)["expires_at"] is not None
    assert groundwire.json(*usual, "--never-expires")["expires_at"] is None


def test_a_key_shows_the_dialects_that_it_may_use_where_they_were_named(groundwire: Command, tenant: str) -> None:
    usual = ["key", "create", "-t", tenant, "--scope", "search", "--user", "maria"]
    assert "dialects" not in groundwire.json(*usual)
    named = groundwire.json(*usual, "--dialect", "openai", "--dialect", "default")
    assert named["dialects"] == ["default", "openai"]
    assert groundwire.json("key", "list", "-t", tenant)[1]["dialects"] == ["default", "openai"]


def test_zero_days_are_refused_with_the_option_for_a_key_that_does_not_expire(groundwire: Command, tenant: str) -> None:
    refused = groundwire("key", "create", "-t", tenant, "--scope", "search", "--user", "ana", "--days", "0")
    assert refused.code == 2
    assert "--never-expires" in refused.line


@pytest.mark.parametrize(
    ("options", "stated"),
    [
        (["--scope", "search"], "--user U for one person, --act-as"),
        (["--scope", "search", "--act-as", "--user", "maria"], "no user and no tags of its own"),
        (["--scope", "search", "--user", "maria", "--max-tag", "a"], "Only a delegated key or a sign-in key"),
        (["--scope", "search", "--user", "maria", "--strict-tags"], "Only a delegated key can be strict"),
        (["--scope", "act_as", "--user", "maria"], "act_as"),
        (["--user", "maria"], "--scope"),
        (["--scope", "everything", "--user", "maria"], "'everything' is not one of 'search'"),
        (["--scope", "search", "--user", "maria", "--top-n", "21"], "1 to 20"),
        (["--scope", "search", "--user", "maria", "--days", "0"], "day"),
        (
            ["--scope", "search", "--user", "maria", "--days", "3651"],
            "1 to 3650. For a key that does not expire, use --never-expires",
        ),
        (["--scope", "search", "--user", "maria", "--rate", "600001"], "1 to 600000"),
        (["--scope", "search", "--user", "maria", "--burst", "100001"], "1 to 100000"),
        (["--scope", "search", "--user", "maria", "--toolset", "nope"], "'nope'"),
        (["--scope", "search", "--user", "maria", "--dialect", "nope"], "'nope'"),
        (["--scope", "search", "--user", "maria", "--tag", "sys:x"], "reserved"),
    ],
)
def test_a_key_that_contradicts_itself_is_refused_in_one_line(
    groundwire: Command, tenant: str, options: list[str], stated: str
) -> None:
    refused = groundwire("key", "create", "-t", tenant, *options)
    assert refused.code == 2
    assert stated in refused.line
    assert groundwire.json("key", "list", "-t", tenant) == []


def test_rotation_keeps_the_kid_and_states_until_when_the_old_secret_works(groundwire: Command, tenant: str) -> None:
    old = groundwire.acting_key(tenant)
    [kid] = [row["kid"] for row in groundwire.json("key", "list", "-t", tenant)]
    new = groundwire.json("key", "rotate", kid, "-t", tenant, "--overlap-hours", "1")
    assert new["kid"] == kid
    assert new["key"] != old
    assert new["previous_until"] is not None


def test_a_revoked_key_stays_listed_and_cannot_be_rotated(groundwire: Command, tenant: str) -> None:
    groundwire.acting_key(tenant)
    [kid] = [row["kid"] for row in groundwire.json("key", "list", "-t", tenant)]
    assert kid in groundwire("key", "revoke", kid, "-t", tenant).done().out
    assert [row["revoked"] for row in groundwire.json("key", "list", "-t", tenant)] == [True]
    refused = groundwire("key", "rotate", kid, "-t", tenant)
    assert refused.code == 1
    assert "revoked" in refused.line


def test_another_tenants_key_is_not_found(groundwire: Command, tenant: str) -> None:
    groundwire.acting_key(tenant)
    [kid] = [row["kid"] for row in groundwire.json("key", "list", "-t", tenant)]
    other = groundwire.tenant("other")
    for verb in ("revoke", "rotate"):
        refused = groundwire("key", verb, kid, "-t", other)
        assert refused.code == 1
        assert "key list" in refused.line
    assert [row["revoked"] for row in groundwire.json("key", "list", "-t", tenant)] == [False]


def test_a_stored_expiry_that_no_calendar_has_takes_no_list_along(groundwire: Command, tenant: str) -> None:
    groundwire.acting_key(tenant)
    with sqlite3.connect(groundwire.home / "registry.db") as registry:
        registry.execute("UPDATE keys SET expires_at = ?", (10**15 * 86_400.0,))
    registry.close()
    [listed] = groundwire.json("key", "list", "-t", tenant)
    assert listed["expires_at"] is None
    assert listed["kid"] in groundwire("key", "list", "-t", tenant).done().out
    assert "Revoked key" in groundwire("key", "revoke", listed["kid"], "-t", tenant).done().out


def test_a_key_shows_that_it_splits_the_first_phrase_where_it_does(groundwire: Command, tenant: str) -> None:
    usual = ["key", "create", "-t", tenant, "--scope", "search", "--user", "maria"]
    assert "split_first_phrase" not in groundwire.json(*usual)
    assert groundwire.json(*usual, "--split-first-phrase")["split_first_phrase"] is True


def test_a_key_shows_that_it_lists_the_tools_of_sources_where_it_does(groundwire: Command, tenant: str) -> None:
    usual = ["key", "create", "-t", tenant, "--scope", "search", "--user", "maria"]
    assert "sources" not in groundwire.json(*usual)
    assert groundwire.json(*usual, "--sources")["sources"] is True


def test_a_key_shows_its_floor_where_it_has_one(groundwire: Command, tenant: str) -> None:
    usual = ["key", "create", "-t", tenant, "--scope", "search", "--user", "maria"]
    assert "floor" not in groundwire.json(*usual)
    assert groundwire.json(*usual, "--floor", "0")["floor"] == 0.0
    assert groundwire(*usual, "--floor", "2").code == 2


def test_a_list_of_keys_shows_tags_bounds_and_collections(groundwire: Command, tenant: str) -> None:
    create = ("key", "create", "-t", tenant, "--scope", "search")
    groundwire(*create, "--user", "maria", "--tag", "department:sales", "--collection", "handbook").done()
    groundwire(*create, "--act-as", "--max-tag", "level:*").done()
    heading, *rows = groundwire("key", "list", "-t", tenant).done().out.splitlines()
    assert all(name in heading for name in ("tags", "max tags", "collections"))
    assert {("department:sales" in row, "handbook" in row, "level:*" in row, " every " in row) for row in rows} == {
        (True, True, False, False),
        (False, False, True, True),
    }
