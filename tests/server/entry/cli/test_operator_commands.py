"""The operator's commands on a machine: they are those of a stack's function, executed in the process."""

import json
from typing import Any

import pytest

from groundwire.domain.errors import InvalidInput
from groundwire.entry.cli.target.local import LocalOperator
from groundwire.entry.operator import actions
from groundwire.entry.operator.action_result import ActionResult
from tests.support.entry.command import Command

CREATE = ("key", "create", "-t", "acme", "--scope", "search", "--user", "ann")


def audited(groundwire: Command) -> list[dict[str, Any]]:
    lines = (groundwire.home / "audit.jsonl").read_text().splitlines()
    return [line for line in map(json.loads, lines) if line.get("action", "").startswith(("tenant.", "key."))]


@pytest.mark.parametrize(
    ("action", "command"),
    [
        ("tenant.create", ("tenant", "create", "birch")),
        ("tenant.list", ("tenant", "list")),
        ("tenant.delete", ("tenant", "delete", "acme", "--yes")),
        ("key.create", CREATE),
        ("key.list", ("key", "list", "-t", "acme")),
    ],
)
def test_a_command_on_a_machine_executes_the_operators_action(
    groundwire: Command, monkeypatch: pytest.MonkeyPatch, action: str, command: tuple[str, ...]
) -> None:
    groundwire.tenant("acme")
    executed: list[str] = []

    def counted(name: str, original: "actions.Action") -> "actions.Action":
        def run(services: Any, fields: Any) -> ActionResult:
            executed.append(name)
            return original(services, fields)

        return run

    counting = {name: counted(name, original) for name, original in actions.ACTIONS.items()}
    monkeypatch.setattr(actions, "ACTIONS", counting)
    groundwire(*command).done()
    assert executed == [action]


def test_changes_are_audited_once_and_reading_is_not(groundwire: Command) -> None:
    tenant = groundwire.tenant("acme")
    key = groundwire.json(*CREATE)
    groundwire.json("key", "list", "-t", "acme")
    groundwire.json("tenant", "list")
    groundwire.json("key", "rotate", key["kid"], "-t", "acme")
    groundwire("key", "revoke", key["kid"], "-t", "acme").done()
    groundwire.json("tenant", "delete", "acme", "--yes")
    lines = audited(groundwire)
    assert [line["action"] for line in lines] == [
        *("tenant.create", "key.create", "key.rotate", "key.revoke", "tenant.delete")
    ]
    assert {line["tenant"] for line in lines} == {tenant}
    assert [line.get("kid") for line in lines] == [None, *[key["kid"]] * 3, None]
    assert lines[-1]["deleted"]["keys"] == 1
    assert not any(key["key"] in str(line) for line in lines)


def test_a_row_of_a_machine_names_no_address_of_a_service(groundwire: Command) -> None:
    assert "url" not in groundwire.json("tenant", "create", "acme")
    assert "url" not in groundwire.json(*CREATE)
    assert set(groundwire.json("tenant", "delete", "acme", "--yes")) == {"tenant", "deleted"}


def test_a_command_with_a_member_that_its_action_does_not_know_is_refused(groundwire: Command) -> None:
    groundwire.tenant("acme")
    with pytest.raises(InvalidInput, match="`colour`"):
        LocalOperator().execute("tenant.list", colour="red")
