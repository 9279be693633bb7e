"""A key that ends soon is named in time: in the list of keys and by `doctor`."""

from typing import Any

import pytest

from tests.support.entry.command import Command


def made(groundwire: Command, tenant: str, *options: str) -> dict[str, Any]:
    """A new key."""
    create = ("key", "create", "-t", tenant, "--scope", "search", "--user", "ann")
    return dict(groundwire.json(*create, *options))


@pytest.mark.parametrize(("days", "left"), [("1", 0), ("2", 1), ("30", 29)])
def test_the_list_has_the_days_left_of_a_key_in_its_last_thirty_days(
    groundwire: Command, tenant: str, days: str, left: int
) -> None:
    kid = made(groundwire, tenant, "--days", days)["kid"]
    [listed] = groundwire.json("key", "list", "-t", tenant)
    assert (listed["kid"], listed["expires_in_days"]) == (kid, left)
    shown = groundwire("key", "list", "-t", tenant).done().out.splitlines()
    assert "expires in days" in shown[0]
    assert shown[1].split()[-3] == str(left)


@pytest.mark.parametrize("options", [["--days", "32"], ["--never-expires"], []])
def test_the_list_has_no_days_of_a_key_that_does_not_end_soon(
    groundwire: Command, tenant: str, options: list[str]
) -> None:
    made(groundwire, tenant, *options)
    [listed] = groundwire.json("key", "list", "-t", tenant)
    assert "expires_in_days" not in listed


def test_doctor_warns_of_each_key_that_ends_soon_with_its_date_and_fails_of_none(
    groundwire: Command, tenant: str
) -> None:
    soon = [made(groundwire, tenant, "--days", days, "--name", f"for {days}") for days in ("1", "12")]
    later = made(groundwire, tenant)
    deleted = made(groundwire, tenant, "--days", "3")
    groundwire("key", "revoke", deleted["kid"], "-t", tenant).done()
    examined = groundwire("doctor").done()
    warned = examined.err.splitlines()
    assert len(warned) == len(soon)
    for key, line, left in zip(soon, warned, ["in less than a day", "in 11 days"], strict=True):
        assert line.startswith("!! keys")
        assert f"{key['kid']} ({key['name']}) of acme expires {left}, on {key['expires_at']}" in line
    assert later["kid"] not in examined.out
    checks = [each for each in groundwire.json("doctor") if each["check"] == "keys"]
    assert [(each["ok"], each["warning"]) for each in checks] == [(True, True)] * 2


def test_doctor_finds_keys_in_order_where_none_ends_soon(groundwire: Command, tenant: str) -> None:
    made(groundwire, tenant)
    [check] = [each for each in groundwire.json("doctor") if each["check"] == "keys"]
    assert check == {"check": "keys", "ok": True, "detail": "none expires within 30 days"}


def test_doctor_counts_the_keys_in_force_that_may_search_as_others(groundwire: Command, tenant: str) -> None:
    searching = ("key", "create", "-t", tenant, "--user", "olga", "--scope", "admin", "--may-search-as", "--json")
    kids = [groundwire(*searching).done().json["kid"] for _ in range(3)]
    groundwire("key", "revoke", kids[0], "-t", tenant).done()
    checks = [each["detail"] for each in groundwire.json("doctor") if each["check"] == "keys"]
    assert checks == ["none expires within 30 days", "in force with --may-search-as: 2"]
    refused = groundwire("key", "create", "-t", tenant, "--user", "olga", "--scope", "search", "--may-search-as")
    assert (refused.code, "without bounds" in refused.line) == (2, True)


def test_a_key_is_edited_where_the_command_runs(groundwire: Command, tenant: str) -> None:
    kid = made(groundwire, tenant)["kid"]
    edit = ("key", "edit", kid, "-t", tenant)
    assert f"Changed key {kid} (desk)" in groundwire(*edit, "--name", "desk", "--rate", "7").done().out
    [listed] = groundwire.json("key", "list", "-t", tenant)
    assert (listed["name"], listed["rate_per_minute"]) == ("desk", 7)
    changed = groundwire(*edit, "--never-expires", "--scope", "verify", "--json").done().json
    assert (changed["expires_at"], changed["scopes"], changed["name"]) == (None, ["verify"], "desk")
    for options in ([], ["--days", "3", "--never-expires"], ["--no-tags", "--tag", "a"]):
        assert groundwire(*edit, *options).code == 2
    assert groundwire("key", "edit", "000000000000", "-t", tenant, "--name", "x").code == 1
