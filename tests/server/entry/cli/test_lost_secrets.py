"""A home without its `secrets.json`: no command replaces it while keys depend on it, and each names the remedy."""

import pytest

from tests.support.documentation.shell import free_port
from tests.support.entry.command import Command


def _no_server(*_: object) -> None:
    pytest.fail("The server started.")


@pytest.fixture
def kid(groundwire: Command, tenant: str) -> str:
    """A key of a home that has lost its secrets since."""
    made = groundwire.json("key", "create", "-t", tenant, "--scope", "search", "--user", "ana")
    (groundwire.home / "secrets.json").unlink()
    return str(made["kid"])


@pytest.mark.usefixtures("kid")
def test_doctor_reports_lost_secrets_and_fails(groundwire: Command) -> None:
    examined = groundwire("doctor", "--json")
    assert examined.code == 1
    [bad] = [row for row in examined.json if not row["ok"]]
    assert bad["check"] == "secrets"
    assert "restore it from a backup" in bad["detail"]
    assert not (groundwire.home / "secrets.json").exists()


@pytest.mark.usefixtures("kid")
@pytest.mark.parametrize(
    "command",
    [("serve",), ("key", "create", "-t", "acme", "--scope", "search", "--user", "ben")],
    ids=["serve", "key create"],
)
def test_a_command_that_needs_lost_secrets_refuses_and_makes_no_others(
    groundwire: Command, command: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("groundwire.entry.local_server.server.serve", _no_server)
    port = ("--port", str(free_port())) if command == ("serve",) else ()
    refused = groundwire(*command, *port)
    assert refused.code == 1
    assert "restore it from a backup" in refused.line
    assert not (groundwire.home / "secrets.json").exists()


def test_without_a_backup_the_keys_are_revoked_and_new_ones_made(groundwire: Command, tenant: str, kid: str) -> None:
    assert [row["kid"] for row in groundwire.json("key", "list", "-t", tenant)] == [kid]
    groundwire("key", "revoke", kid, "-t", tenant).done()
    groundwire.personal_key(tenant, "ana")
    groundwire("doctor").done()


def test_a_home_without_keys_is_sound_before_its_secrets_are_made(groundwire: Command, tenant: str) -> None:
    [row] = [row for row in groundwire.json("doctor") if row["check"] == "secrets"]
    assert row["ok"]
    assert not (groundwire.home / "secrets.json").exists()
