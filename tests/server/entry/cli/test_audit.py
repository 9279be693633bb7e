"""The audit log on the command line: what was done, and whether the record is whole."""

import json
import os
import pwd
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Final

import pytest

from tests.support.entry.command import Command

OS_USER: Final = pwd.getpwuid(os.getuid()).pw_name


def lines(groundwire: Command) -> list[str]:
    return (groundwire.home / "audit.jsonl").read_text().splitlines()


def test_every_change_by_an_operator_is_one_line(groundwire: Command, tenant: str, note: Path) -> None:
    groundwire("user", "set", "maria", "-t", tenant, "--tag", "a").done()
    kid = groundwire.json("key", "create", "-t", tenant, "--scope", "search", "--user", "maria")["kid"]
    groundwire("key", "rotate", kid, "-t", tenant).done()
    groundwire("key", "revoke", kid, "-t", tenant).done()
    groundwire.ingest(tenant, note, "--id", "pumps")
    groundwire("documents", "set-policy", "pumps", "-t", tenant, "--public", "--until-next-run").done()
    groundwire("documents", "delete", "pumps", "-t", tenant, "-y").done()
    groundwire("collection", "set", "c", "-t", tenant, "--bm25-weight", "0.5").done()
    groundwire("collection", "delete", "c", "-t", tenant, "-y").done()
    groundwire("user", "delete", "maria", "-t", tenant).done()
    groundwire("tenant", "delete", tenant, "-y").done()
    records = groundwire.json("audit", "list")
    assert [record["action"] for record in records] == [
        "tenant.create",
        "user.set",
        "key.create",
        "key.rotate",
        "key.revoke",
        *("ingest", "ingest", "ingest"),
        "documents.set-policy",
        "documents.delete",
        "collection.set",
        # The lines before its documents change are further ones.
        *("collection.deleting", "collection.delete"),
        "user.delete",
        "tenant.delete",
    ]
    assert {record["tenant"] for record in records} == {tenant}
    assert {record["os_user"] for record in records} == {OS_USER}
    assert "blue pump" not in "\n".join(lines(groundwire))


def test_the_lines_of_one_key_and_of_one_document_are_found(groundwire: Command, tenant: str, note: Path) -> None:
    kids = [
        groundwire.json("key", "create", "-t", tenant, "--scope", "search", "--user", name)["kid"]
        for name in ("maria", "ann")
    ]
    groundwire("key", "revoke", kids[0], "-t", tenant).done()
    groundwire.ingest(tenant, note, "--id", "pumps")
    groundwire("documents", "set-policy", "pumps", "-t", tenant, "--public", "--until-next-run").done()
    of_key = groundwire.json("audit", "list", "--kid", kids[0])
    assert [record["action"] for record in of_key] == ["key.create", "key.revoke"]
    of_document = groundwire.json("audit", "list", "--doc", "pumps")
    assert [record["action"] for record in of_document] == ["ingest", "documents.set-policy"]
    [latest] = groundwire.json("audit", "list", "--doc", "pumps", "--last", "1")
    assert latest["action"] == "documents.set-policy"
    assert groundwire.json("audit", "list", "--doc", "pump") == []
    assert groundwire.json("audit", "list", "--kid", kids[0], "--doc", "pumps") == []


def test_the_table_shows_when_what_and_for_whom(groundwire: Command, tenant: str) -> None:
    header, row = groundwire("audit", "list").done().out.splitlines()
    assert header.split() == ["time", "tenant", "user", "call", "status", "outcome"]
    assert row.split()[1:4] == [tenant, OS_USER, "tenant.create"]
    assert row.startswith("20")


def test_a_manual_policy_is_recorded_with_the_old_and_the_new_readers(
    groundwire: Command, tenant: str, note: Path
) -> None:
    groundwire.ingest(tenant, note, "--id", "pumps", "--user", "maria", "--any-tag", "team:a")
    groundwire("documents", "set-policy", "pumps", "-t", tenant, "--public", "--until-next-run").done()
    groundwire("documents", "set-policy", "pumps", "-t", tenant, "--public", "--until-next-run").done()
    changed, repeated = groundwire.json("audit", "list", "--last", "2")
    assert (changed["action"], changed["documents"]) == ("documents.set-policy", ["pumps@2"])
    nobody = {"public": False, "users": [], "any_tags": [], "all_tags": []}
    assert changed["policy_before"] == {**nobody, "users": ["maria"], "any_tags": ["team:a"]}
    assert changed["policy_after"] == {**nobody, "public": True}
    assert repeated["documents"] == ["pumps@2"]
    assert not {"policy_before", "policy_after"} & repeated.keys()


def test_the_lines_as_json_have_their_time_as_text_too(groundwire: Command, tenant: str) -> None:
    [line] = groundwire.json("audit", "list", "--last", "1")
    assert datetime.fromisoformat(line["time_utc"]).timestamp() == pytest.approx(line["time"], abs=1)


def test_a_deleted_collection_is_recorded_with_its_documents(groundwire: Command, tenant: str, note: Path) -> None:
    groundwire.ingest(tenant, note, "--id", "pumps", "-c", "shelf", "--public")
    groundwire("collection", "delete", "shelf", "-t", tenant, "-y").done()
    first, documents, last = groundwire.json("audit", "list", "--last", "3")
    assert (first["action"], first["documents"]) == ("collection.deleting", [])
    assert (documents["action"], documents["documents"]) == ("collection.deleting", ["pumps@1"])
    assert (last["action"], last["counts"]) == ("collection.delete", {"documents": 1})


def test_only_the_latest_lines_are_shown_when_that_is_requested(groundwire: Command, tenant: str) -> None:
    groundwire("user", "set", "maria", "-t", tenant, "--tag", "a").done()
    assert [record["action"] for record in groundwire.json("audit", "list", "--last", "1")] == ["user.set"]


def test_an_untouched_log_is_whole(groundwire: Command, tenant: str) -> None:
    assert groundwire.json("audit", "verify") == {"intact": True, "lines": 1, "problem": None, "unfinished": []}
    assert "1 line" in groundwire("audit", "verify").done().out


def _change(log: list[str]) -> list[str]:
    record = json.loads(log[1])
    return [log[0], json.dumps({**record, "user": "another process"}, separators=(",", ":")), *log[2:]]


def _remove(log: list[str]) -> list[str]:
    return [log[0], *log[2:]]


def _swap(log: list[str]) -> list[str]:
    return [log[0], log[2], log[1], *log[3:]]


def _cut(log: list[str]) -> list[str]:
    return log[:-1]


@pytest.mark.parametrize("tamper", [_change, _remove, _swap, _cut])
def test_a_tampered_log_is_found_and_the_line_named(
    groundwire: Command, tenant: str, tamper: Callable[[list[str]], list[str]]
) -> None:
    for user in ("a", "b", "c"):
        groundwire("user", "set", user, "-t", tenant, "--tag", "t").done()
    log = tamper(lines(groundwire))
    (groundwire.home / "audit.jsonl").write_text("\n".join(log) + "\n")
    found = groundwire("audit", "verify", "--json")
    assert found.code == 1
    assert found.json["intact"] is False
    assert "line" in found.json["problem"]
    shown = groundwire("audit", "verify")
    assert shown.code == 1
    assert found.json["problem"] in shown.out
    examined = groundwire("doctor", "--json")
    assert examined.code == 1
    assert [check["check"] for check in examined.json if not check["ok"]] == ["audit"]


def test_the_lines_of_a_user_a_call_an_outcome_and_a_time_are_found(
    groundwire: Command, tenant: str, note: Path
) -> None:
    groundwire.ingest(tenant, note, "--id", "pumps", "--public")
    groundwire("user", "set", "maria", "-t", tenant, "--tag", "a").done()
    groundwire("search", "blue pump", "-t", tenant, "--user", "Ann").done()
    groundwire("search", "blue pump", "-t", tenant, "--user", "bo").done()

    def found(*conditions: str) -> list[str]:
        return [str(each.get("user")) for each in groundwire.json("audit", "list", *conditions)]

    assert found("--user", "ANN") == ["Ann"]
    assert found("--doc", "pumps", "--since", "1h", "--call", "search") == ["Ann", "bo"]
    assert found("--user", "maria", "--call", "user.set") == ["maria"]
    assert found("--call", "search", "--until", "2020-01-01") == []
    assert found("--call", "search", "--since", "2020-01-01T00:00+01:00") == ["Ann", "bo"]
    assert found("--outcome", "done", "--since", "7d") != []
    assert found("--outcome", "no such outcome") == []
    assert groundwire("audit", "list", "--user", "nobody").done().out == "No line of the audit log matches.\n"


@pytest.mark.parametrize("moment", ["yesterday", "7w", "2026-13-01", ""])
def test_a_time_that_is_none_is_refused_with_the_forms_that_are(groundwire: Command, tenant: str, moment: str) -> None:
    assert tenant
    refused = groundwire("audit", "list", "--since", moment)
    assert (refused.code, "such as 7d, 24h or 90m" in refused.line) == (2, True)


def test_lines_are_found_without_an_index_where_it_cannot_be_used(groundwire: Command, tenant: str) -> None:
    groundwire("key", "create", "-t", tenant, "--name", "n", "--user", "ann", "--scope", "search").done()
    (groundwire.home / "audit-index.db").mkdir()
    [line] = groundwire.json("audit", "list", "--call", "key.create")
    assert line["tenant"] == tenant
