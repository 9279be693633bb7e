"""`groundwire events`: calls with a live key, written for their owner alone."""

import json
import stat
from pathlib import Path

from tests.support.entry.command import Command


def test_events_of_a_live_key_carry_the_authorizers_context(groundwire: Command, tenant: str, tmp_path: Path) -> None:
    key = groundwire.acting_key(tenant)
    folder = tmp_path / "events"
    written = groundwire("events", str(folder), "--user", "maria", "--tag", "a", KEY=key).done().out.splitlines()
    assert {Path(line) for line in written} == set(folder.iterdir())
    event = json.loads((folder / "rag_search.json").read_text())
    context = event["requestContext"]["authorizer"]["lambda"]
    assert (context["decision"], context["tenant"], context["user"]) == ("admitted", tenant, "maria")
    assert {stat.S_IMODE(path.stat().st_mode) for path in folder.iterdir()} == {0o600}


def test_events_need_a_key(groundwire: Command, tmp_path: Path) -> None:
    refused = groundwire("events", str(tmp_path / "events"))
    assert refused.code == 2
    assert "--key" in refused.line


def test_a_key_that_is_not_admitted_writes_refused_calls_and_reports_it(
    groundwire: Command, tenant: str, tmp_path: Path
) -> None:
    key = groundwire.acting_key(tenant)
    [kept] = groundwire.json("key", "list", "-t", tenant)
    groundwire("key", "revoke", str(kept["kid"]), "-t", tenant)
    written = groundwire("events", str(tmp_path / "events"), "--user", "maria", KEY=key)
    assert written.code == 1
    assert "does not admit this combination" in written.err
