"""The operator's commands on a machine: they are those of a stack's function, executed in the process."""

import json
from pathlib import Path
from typing import Any

import pytest

from groundwire.domain.errors import InvalidInput
from groundwire.entry.cli.target.local import LocalOperator
from groundwire.entry.cli.target.rest import REQUESTS
from groundwire.entry.operator import actions
from groundwire.entry.operator.action_result import ActionResult
from tests.support.entry.command import Command

CREATE = ("key", "create", "-t", "acme", "--scope", "search", "--user", "ann")


def audited(groundwire: Command) -> list[dict[str, Any]]:
    lines = (groundwire.home / "audit.jsonl").read_text().splitlines()
    return [line for line in map(json.loads, lines) if line.get("decision") == "operator"]


@pytest.mark.parametrize(
    ("action", "command"),
    [
        ("tenant.create", ("tenant", "create", "birch")),
        ("tenant.list", ("tenant", "list")),
        ("tenant.delete", ("tenant", "delete", "acme", "--yes")),
        ("key.create", CREATE),
        ("key.list", ("key", "list", "-t", "acme")),
        ("user.set", ("user", "set", "ann", "--tag", "a", "-t", "acme")),
        ("user.change", ("user", "set", "ann", "--add-tag", "a", "-t", "acme")),
        ("user.list", ("user", "list", "-t", "acme")),
        ("user.seen", ("user", "list", "--seen", "-t", "acme")),
        ("tenant.set-rate", ("tenant", "set-rate", "acme", "--rate", "7", "--burst", "2")),
        ("tenant.suspend", ("tenant", "suspend", "acme")),
        ("tenant.resume", ("tenant", "resume", "acme")),
        ("collection.set", ("collection", "set", "handbook", "-t", "acme")),
        ("collection.list", ("collection", "list", "-t", "acme")),
        ("documents.list", ("documents", "list", "-t", "acme")),
        ("source.list", ("source", "list", "-t", "acme")),
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

    for table in ("ACTIONS", "MACHINE_ACTIONS"):
        counting = {name: counted(name, original) for name, original in vars(actions)[table].items()}
        monkeypatch.setattr(actions, table, counting)
    groundwire(*command).done()
    # A command with tags first looks for those that nobody has.
    assert [name for name in executed if name != "tags.check"] == [action]


def test_every_action_within_a_tenant_is_a_request_to_a_service_too() -> None:
    areas = ("key.", "user.", "tags.", "access.", "group.", "documents.")
    assert set(REQUESTS) == {*actions.MACHINE_ACTIONS, *(name for name in actions.ACTIONS if name.startswith(areas))}


def test_no_machine_action_is_one_of_a_stack() -> None:
    assert not actions.MACHINE_ACTIONS.keys() & actions.ACTIONS.keys()
    assert {*actions.MACHINE_ACTIONS, *actions.ACTIONS} >= actions.READING_ACTIONS


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


def test_changes_within_a_tenant_are_audited_once_with_what_they_changed(groundwire: Command, note: Path) -> None:
    tenant = groundwire.tenant("acme")
    [row] = groundwire.ingest("acme", note, "--public")
    before = len(audited(groundwire))
    document, where = row["doc_id"], ("-t", "acme")
    for words in (
        ("user", "set", "ann", "--tag", "a"),
        ("user", "list"),
        ("user", "delete", "ann"),
        ("collection", "set", "handbook", "--floor", "auto"),
        ("collection", "describe", "handbook", "Rules on travel."),
        ("collection", "show", "handbook"),
        ("documents", "set-policy", document, "--nobody"),
        ("documents", "show", document),
        ("documents", "delete", document, "--yes"),
        ("collection", "delete", "handbook", "--yes"),
    ):
        groundwire(*words, *where).done()
    lines = audited(groundwire)[before:]
    assert [(line["action"], line["tenant"]) for line in lines] == [
        (action, tenant)
        for action in (
            *("user.set", "user.delete", "collection.set", "collection.describe"),
            *("documents.set-policy", "documents.delete", "collection.deleting", "collection.delete"),
        )
    ]
    assert [line.get("user") for line in lines[:2]] == ["ann"] * 2
    assert [line.get("collection") for line in lines] == [
        None,
        None,
        "handbook",
        "handbook",
        None,
        None,
        *["handbook"] * 2,
    ]
    assert [line["documents"][0].split("@")[0] for line in lines[4:6]] == [document] * 2
    assert (lines[4]["policy_before"]["public"], lines[4]["policy_after"]["public"]) == (True, False)
    assert (lines[6]["documents"], lines[7]["counts"]) == ([], {"documents": 0})


def test_a_row_of_a_machine_names_no_address_of_a_service(groundwire: Command) -> None:
    assert "url" not in groundwire.json("tenant", "create", "acme")
    assert "url" not in groundwire.json(*CREATE)
    assert set(groundwire.json("tenant", "delete", "acme", "--yes")) == {"tenant", "deleted"}


def test_a_command_with_a_member_that_its_action_does_not_know_is_refused(groundwire: Command) -> None:
    groundwire.tenant("acme")
    with pytest.raises(InvalidInput, match="`colour`"):
        LocalOperator().execute("tenant.list", colour="red")


@pytest.mark.parametrize(
    ("action", "fields", "stated"),
    [
        ("documents.set-policy", {"doc_id": "d", "policy": "public"}, "`policy`"),
        ("source.create", {"body": None}, "valid dictionary"),
        ("user.set", {"user": "ann", "tags": "a"}, "`tags`"),
        ("collection.show", {"name": "handbook", "colour": "red"}, "`colour`"),
        ("documents.list", {"collection": 1}, "`collection`"),
    ],
)
def test_an_action_within_a_tenant_refuses_a_member_of_another_type(
    groundwire: Command, monkeypatch: pytest.MonkeyPatch, action: str, fields: dict[str, object], stated: str
) -> None:
    tenant = groundwire.tenant("acme")
    monkeypatch.setenv("GROUNDWIRE_HOME", str(groundwire.home))
    with pytest.raises(InvalidInput, match=stated):
        LocalOperator().execute(action, tenant=tenant, **fields)
