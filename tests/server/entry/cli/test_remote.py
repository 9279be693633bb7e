"""The same commands against a service by its REST API, with a key and no home folder."""

import json
import signal
from collections.abc import Generator
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from groundwire.adapters.local.ingest.lock import FileIngestLock
from groundwire.entry.rest.openapi.example_values import KEY
from groundwire.entry.serialization.key_spec import key_spec_to_json
from tests.server.entry.cli.process import started
from tests.support.documentation.shell import Terminal
from tests.support.documents import beir
from tests.support.entry.command import Command, Finished
from tests.support.registry.key_options import with_options
from tests.support.registry.key_specs import agents_key


class Remote:
    """A server of another home, and the command of somebody who has a key for it."""

    def __init__(self, url: str, key: str, home: Path) -> None:
        self.url = url
        self.command = Command(home, {"GROUNDWIRE_URL": url, "GROUNDWIRE_KEY": key})

    def __call__(self, *arguments: str, **environment: str) -> Finished:
        return self.command(*arguments, **environment)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Generator[tuple[str, str, Command]]:
    """The address of a server, an admin's key, and the command on its own machine."""
    folder = tmp_path_factory.mktemp("server")
    there = Command(folder / "home", {})
    tenant = there.tenant("acme")
    key = there.personal_key(tenant, "ann", "--scope", "admin", "--rate", "6000", "--burst", "1000")
    with Terminal(folder, folder / "home", {}).serving("groundwire serve") as address:
        yield address, key, there


@pytest.fixture
def remote(server: tuple[str, str, Command], tmp_path: Path) -> Remote:
    return Remote(server[0], server[1], tmp_path / "nowhere")


def test_users_are_administered_as_on_the_machine_itself(remote: Remote) -> None:
    remote("user", "set", "maria@acme/x y", "--tag", "b", "--tag", "a").done()
    assert remote("user", "list", "--json").done().json == [{"user": "maria@acme/x y", "tags": ["a", "b"]}]
    remote("user", "delete", "maria@acme/x y").done()
    assert "No user has stored tags" in remote("user", "list").done().out
    assert not remote.command.home.exists()


def test_groups_and_tags_are_administered_as_on_the_machine_itself(remote: Remote) -> None:
    remote("group", "set", "/department/sales", "--tag", "department:sales").done()
    assert remote("group", "list", "--json").done().json == [
        {"group": "/department/sales", "tags": ["department:sales"]}
    ]
    refused = remote("user", "set", "maria", "--tag", "department:slaes")
    assert "Did you mean department:sales?" in refused.line
    remote("user", "set", "maria", "--tag", "department:slaes", "--yes").done()
    remote("tags", "rename", "department:slaes", "department:revenue", "--yes").done()
    tags = {row["tag"]: row for row in remote("tags", "list", "--json").done().json["tags"]}
    assert "department:revenue" in remote("tags", "list").done().out
    assert {"last_call", "last_used"} <= tags["department:revenue"].keys()
    assert (tags["department:revenue"]["users"], tags["department:sales"]["groups"]) == (1, 1)
    remote("user", "delete", "maria").done()
    remote("group", "delete", "/department/sales").done()
    assert remote("group", "list", "--json").done().json == []


def test_users_are_blocked_and_offboarded_as_on_the_machine_itself(remote: Remote) -> None:
    [blocked] = remote("user", "block", "Elif@acme.example", "--reason", "lost laptop", "--json").done().json
    assert (blocked["user"], blocked["decided_by"], blocked["decision_reason"]) == (
        "Elif@acme.example",
        "ann",
        "lost laptop",
    )
    assert remote("user", "list", "--blocked", "--json").done().json == [blocked]
    receipt = remote("user", "offboard", "elif@acme.example", "00u1", "--json").done().json
    assert [each["user"] for each in receipt["users"]] == ["Elif@acme.example", "00u1"]
    remote("user", "unblock", "ELIF@acme.example", "00u1").done()
    assert "No user is blocked" in remote("user", "list", "--blocked").done().out


def test_a_key_for_mindset_is_proposed_the_tags_of_the_services_policies(
    remote: Remote, server: tuple[str, str, Command], tmp_path: Path
) -> None:
    note = tmp_path / "note.md"
    note.write_text("# Pumps\n\nThe blue pump.\n")
    server[2].ingest("acme", note, "--any-tag", "department:sales", "--all-tag", "department:hr")
    refused = remote("key", "create", "--for", "mindset")
    assert (refused.code, "--max-tag 'department:*' (tags that policies use)" in refused.line) == (2, True)
    made = remote("key", "create", "--for", "mindset", "--any-tag", "--json").done().json
    assert (made["toolset"], made["max_tags"]) == ("mindset", ["*"])


def test_the_checks_of_the_keys_tenant_are_shown_as_those_of_a_machine(
    remote: Remote, server: tuple[str, str, Command]
) -> None:
    kid = server[2].json("key", "create", "-t", "acme", "--scope", "search", "--user", "ben", "--days", "2")["kid"]
    shown = remote("doctor").done()
    assert shown.out.startswith("ok  documents indexed: ")
    assert shown.err.startswith(f"!! keys {kid} ")
    assert shown.err.endswith("Create a new key before then.\n")
    checks = remote("doctor", "--json").done().json
    assert {each["check"] for each in checks} == {"documents", "keys", "index", "sign_in"}
    server[2]("key", "revoke", kid, "-t", "acme").done()


def test_runs_of_ingestions_are_listed_as_on_the_machine_itself(
    remote: Remote, server: tuple[str, str, Command], tmp_path: Path
) -> None:
    note = tmp_path / "note.md"
    note.write_text("The valve closes.\n")
    server[2].ingest("acme", note, "-c", "notes", "--public")
    run = remote("ingestion", "list", "--json").done().json["ingestions"][0]
    assert (run["collection"], run["state"], run["counts"]) == ("notes", "done", {"indexed": 1})
    assert remote("ingestion", "show", run["id"], "--json").done().json == run
    assert "1 indexed" in remote("ingestion", "list").done().out
    assert "is not running" in remote("ingestion", "cancel", run["id"]).line
    [document] = (row for row in server[2].json("documents", "list", "-t", "acme") if row["collection"] == "notes")
    server[2]("documents", "delete", document["doc_id"], "-t", "acme", "--yes").done()


def test_stored_evaluations_are_compared_as_on_the_machine_itself(
    remote: Remote, server: tuple[str, str, Command], tmp_path: Path
) -> None:
    assert "Run `groundwire eval` first" in remote("evaluation", "list").done().out
    folder = beir.write(tmp_path / "own", None, [("1", "How are valves closed?")], [("1", "nowhere.md", 1)])
    for _ in range(2):
        server[2]("eval", str(folder), "-t", "acme").done()
    later, earlier = (row["id"] for row in remote("evaluation", "list", "--json").done().json)
    compared = remote("evaluation", "compare", later, earlier, "--max-loss", "0", "--json").done().json
    assert (compared["equal"], compared["gate"]) == (1, {"max_loss": 0.0, "passed": True})
    for name in (later, earlier):
        assert remote("evaluation", "show", name, "--json").done().json["evaluation"]["name"] == "own"
        remote("evaluation", "delete", name).done()
    refused = remote("evaluation", "show", later)
    assert (refused.code, "`groundwire evaluation list` names them" in refused.line) == (1, True)


def test_users_and_blocks_are_listed_whole_from_pages(remote: Remote, monkeypatch: pytest.MonkeyPatch) -> None:
    # Each row needs an answer of its own.
    monkeypatch.setattr("groundwire.entry.operator.action_result._MAX_ANSWER_BYTES", 1)
    for user in ("zoe", "elif"):
        remote("user", "set", user, "--tag", "b").done()
        remote("user", "block", user).done()
    users = [row["user"] for row in remote("user", "list", "--json").done().json]
    assert (users, {"zoe", "elif"} <= {*users}) == (sorted(users), True)
    assert [row["user"] for row in remote("user", "list", "--blocked", "--json").done().json] == ["zoe", "elif"]


def test_the_latest_lines_of_the_audit_log_are_listed_as_on_the_machine_itself(remote: Remote) -> None:
    remote("user", "set", "mara", "--tag", "b").done()
    [row] = remote("audit", "list", "--user", "MARA", "--call", "PUT /v1/users/{user}", "--json").done().json
    assert (row["details"]["entry"], row["status"]) == ("mara", 200)
    assert len(remote("audit", "list", "--last", "2", "--json").done().json) == 2
    table = remote("audit", "list", "--call", "PUT /v1/users/{user}", "--since", "1h").done().out
    assert table.splitlines()[0].split() == ["time", "user", "call", "content", "status", "outcome"]
    assert remote("audit", "list", "--user", "nobody else").done().out == "No line of the audit log matches.\n"


def test_the_service_verifies_its_audit_log_and_counts_the_lines_of_the_tenant(remote: Remote) -> None:
    before = remote("audit", "verify", "--json").done().json
    assert (before["intact"], before["problem"]) == (True, None)
    # The verification is a call, whose line the next one counts.
    shown = remote("audit", "verify").done().out
    assert shown == f"Audit log verified, with {before['lines'] + 1} lines of this tenant.\n"


def test_keys_are_made_rotated_and_revoked(remote: Remote) -> None:
    made = remote("key", "create", "--scope", "search", "--act-as", "--max-tag", "*", "--json").done().json
    assert made["key"].startswith("gw_local_")
    assert remote("key", "rotate", made["kid"], "--json").done().json["key"] != made["key"]
    remote("key", "revoke", made["kid"]).done()
    listed = {row["kid"]: row["revoked"] for row in remote("key", "list", "--json").done().json}
    assert listed[made["kid"]] is True


def test_a_key_is_edited_remotely_and_listed_with_its_tags_bounds_and_last_use(remote: Remote) -> None:
    create = ("key", "create", "--scope", "search", "--act-as", "--max-tag", "hr:*", "--json")
    made = remote(*create).done().json
    edit = ("key", "edit", made["kid"], "--name", "desk", "--max-tag", "sales:*", "--collection", "handbook", "--yes")
    remote(*edit).done()
    searching = Command(remote.command.home, {"GROUNDWIRE_URL": remote.url, "GROUNDWIRE_KEY": made["key"]})
    searching("search", "pump", "--user", "ann").done()
    [row] = [row for row in remote("key", "list", "--json").done().json if row["kid"] == made["kid"]]
    assert (row["name"], row["max_tags"], row["collections"]) == ("desk", ["sales:*"], ["handbook"])
    shown = remote("key", "list").done().out
    assert all(text in shown for text in ("desk", "sales:*", "handbook", row["last_used"]))
    [seen] = [row for row in remote("user", "list", "--seen", "--json").done().json if row["kid"] == made["kid"]]
    assert (seen["user"], seen["tags"]) == ("ann", [])
    assert made["kid"] in remote("user", "list", "--seen", "--since", "1h").done().out
    remote("key", "revoke", made["kid"]).done()


def test_a_strict_key_is_made_remotely_and_stays_strict_when_rotated(remote: Remote) -> None:
    create = ["key", "create", "--scope", "search", "--act-as", "--max-tag", "hr:*", "--json"]
    made = [remote(*create, *options).done().json for options in ([], ["--strict-tags"])]
    assert [row["strict_tags"] for row in made] == [False, True]
    assert remote("key", "rotate", made[1]["kid"], "--json").done().json["strict_tags"] is True


def test_a_key_without_any_usable_tag_causes_a_warning_remotely_too(remote: Remote) -> None:
    assert "--any-tag or --max-tag" in remote("key", "create", "--scope", "search", "--act-as", "--json").done().line


def test_the_order_for_a_lenient_key_is_one_that_a_server_of_the_release_before_accepts() -> None:
    strict = replace(agents_key("t_0123456789abcdef"), strict_tags=True)
    assert key_spec_to_json(strict) == {**key_spec_to_json(replace(strict, strict_tags=False)), "strict_tags": True}
    splitting = with_options(strict, split_first_phrase=True)
    assert key_spec_to_json(splitting) == {**key_spec_to_json(strict), "split_first_phrase": True}
    listing = with_options(strict, sources=True)
    assert key_spec_to_json(listing) == {**key_spec_to_json(strict), "sources": True}


def test_a_name_that_no_collection_can_have_is_reported_as_such(remote: Remote) -> None:
    refused = remote("collection", "set", "a/b", "--bm25-weight", "0.3")
    assert (refused.code, "'a/b' cannot be a collection" in refused.line) == (2, True)


def test_collections_are_set_shown_and_deleted(remote: Remote) -> None:
    assert "BM25 weight 0.3" in remote("collection", "set", "prices", "--bm25-weight", "0.3").done().out
    shown = remote("collection", "show", "prices", "--json").done().json
    assert (shown["documents"], shown["bm25_weight"]) == (0, 0.3)
    remote("collection", "delete", "prices", "--yes").done()
    missing = remote("collection", "show", "prices")
    assert (missing.code, "'prices'" in missing.line) == (1, True)


@pytest.mark.parametrize(
    ("command", "listing"),
    [(("documents", "show", "doc_1"), "documents list"), (("key", "revoke", "4fGh7Kq2LmNp"), "key list")],
)
def test_an_error_about_a_name_gives_the_command_that_lists_them_and_no_route(
    remote: Remote, command: tuple[str, ...], listing: str
) -> None:
    line = remote(*command).line
    assert f"`groundwire {listing}` names them. The service is http://" in line
    assert "GET /v1" not in line


def test_files_are_sent_found_repolicied_and_deleted(remote: Remote, note: Path) -> None:
    (sent,) = remote("ingest", str(note), "--user", "ann", "--meta", "year=2024", "--json").done().json
    assert sent["status"] == "indexed"
    found = remote("search", "blue pump", "--json").done().json
    assert {row["doc_id"] for row in found} == {sent["doc_id"]}
    assert "40 litres" in remote("search", "blue pump").done().out
    assert remote("search", "blue pump", "-c", found[0]["collection"], "--json").done().json == found
    assert remote("search", "blue pump", "-c", "never", "--json").done().json == []
    assert "note.md" in remote("documents", "list").done().out
    record = remote("documents", "show", sent["doc_id"], "--segments", "--json").done().json
    assert record["readers"] == "user ann"
    assert len(record["passages"]) > 0
    assert "every user" in remote("documents", "set-policy", sent["doc_id"], "--public", "--until-next-run").done().out
    several = remote("documents", "set-policy", "--where", "year = 2024", "--user", "bo", "--until-next-run", "--yes")
    assert "New readers of 1 document: user bo." in several.done().out
    remote("documents", "delete", sent["doc_id"], "--yes").done()
    assert remote("search", "blue pump", "--json").done().json == []


def test_a_file_that_did_not_change_is_not_sent_again_wherever_it_lies(
    remote: Remote, tmp_path: Path, note: Path
) -> None:
    other_place = tmp_path / "moved"
    other_place.mkdir()
    (first,) = remote("ingest", str(note.parent), "--public", "--restore", "--json").done().json
    (other_place / note.name).write_bytes(note.read_bytes())
    (again,) = remote("ingest", str(other_place), "--public", "--json").done().json
    assert (again["status"], again["doc_id"]) == ("unchanged", first["doc_id"])
    (closed,) = remote("ingest", str(other_place), "--user", "ann", "--json").done().json
    assert closed["status"] == "repolicied"
    note.write_text("# Pumps\n\nThe green pump takes 50 litres.\n")
    (changed,) = remote("ingest", str(note.parent), "--user", "ann", "--json").done().json
    assert (changed["status"], changed["doc_id"]) == ("indexed", first["doc_id"])
    assert "50 litres" in remote("search", "green pump").done().out


def test_a_plan_states_what_the_service_would_get_and_sends_nothing(remote: Remote, tmp_path: Path) -> None:
    folder = tmp_path / "planned"
    folder.mkdir()
    for name in ("same", "other", "closed"):
        (folder / f"{name}.txt").write_text(f"The {name} pump takes water.\n")
    command = ("ingest", str(folder), "--user", "ann", "-c", "planned")
    sent = remote(*command, "--json").done().json
    assert {(row["policy_before"], *row["policy"]["users"]) for row in sent} == {(None, "ann")}
    (folder / "other.txt").write_text("Another pump.\n")
    (folder / "fresh.txt").write_text("A fresh pump.\n")
    (folder / "empty.txt").write_text("")
    before = remote("documents", "list", "--json").done().json
    plan = remote(*command, "--dry-run", "--json")
    assert {row["file"]: row["plan"] for row in plan.json["files"]} == {
        "closed.txt": "unchanged",
        "empty.txt": "refused",
        "fresh.txt": "new",
        "other.txt": "changed",
        "same.txt": "unchanged",
    }
    assert (plan.code, plan.json["readers"]) == (1, {"everyone": 0, "ann": 4, "nobody": 0})
    public = remote("ingest", str(folder), "--public", "-c", "planned", "--dry-run").out.splitlines()
    assert public[2:5] == [
        "readers: 4 everyone, 0 nobody",
        "changed: 1 new, 3 from ann to everyone (closed.txt, other.txt, same.txt)",
        "readers gained: 3 documents (closed.txt, other.txt, same.txt)",
    ]
    lost = remote("ingest", str(folder), "--user", "ben", "-c", "planned", "--dry-run", "--json").json
    assert lost["readers_lost"] == lost["readers_gained"] == ["closed.txt", "other.txt", "same.txt"]
    assert remote("documents", "list", "--json").done().json == before
    for row in before:
        remote("documents", "delete", row["doc_id"], "--yes").done()


def test_a_plan_names_deleted_documents_and_copies_which_the_service_leaves_out(remote: Remote, tmp_path: Path) -> None:
    first, second = tmp_path / "first", tmp_path / "second"
    for folder in (first, second):
        folder.mkdir()
        (folder / f"{folder.name}.txt").write_text("The tariff of the harbour rises in June.\n")
    (first / "taken.txt").write_text("The crane is taken out of use.\n")
    options = ("--user", "ann", "-c", "left")
    kept, taken = remote("ingest", str(first), *options, "--json").done().json
    remote("documents", "delete", taken["doc_id"], "--yes").done()

    plan = remote("ingest", str(first), *options, "--dry-run", "--json").done().json
    run = remote("ingest", str(first), *options, "--json").done().json
    restoring = remote("ingest", str(first), *options, "--restore", "--dry-run", "--json").done().json
    copies = remote("ingest", str(second), *options, "--dry-run").done().out
    only_copies = remote("ingest", str(second), *options).done()

    assert {row["file"]: row["plan"] for row in plan["files"]} == {"first.txt": "unchanged", "taken.txt": "held_back"}
    assert {row["file"]: row["status"] for row in run} == {"first.txt": "unchanged", "taken.txt": "held_back"}
    assert {row["plan"] for row in restoring["files"]} == {"unchanged", "new"}
    assert f"The collection has the content of 1 new file from another source ({kept['doc_id']})." in copies
    assert only_copies.out.splitlines() == ["No files were ingested."]
    remote("documents", "delete", kept["doc_id"], "--yes").done()


def test_content_that_the_server_ingested_itself_is_no_second_document_unless_copies_are_taken(
    remote: Remote, server: tuple[str, str, Command], tmp_path: Path
) -> None:
    _, _, there = server
    [tenant] = there.json("tenant", "list")
    for name in ("here", "sent"):
        (tmp_path / name).mkdir()
        (tmp_path / name / f"{name}.txt").write_text("The lease of the depot ends in May.\n")
    [own] = there.ingest(tenant["tenant"], tmp_path / "here", "--user", "ann", "-c", "copies")
    left = remote("ingest", str(tmp_path / "sent"), "--user", "ann", "-c", "copies").done()
    assert f"sent.txt ({own['doc_id']})" in left.err
    assert "`--copies` ingests it again" in left.err
    [sent] = remote("ingest", str(tmp_path / "sent"), "--user", "ann", "-c", "copies", "--copies", "--json").done().json
    [pair] = remote("documents", "duplicates", "--json").done().json
    assert {pair["doc_id"], pair["other_doc_id"]} == {own["doc_id"], sent["doc_id"]}
    deleted = remote("documents", "delete", sent["doc_id"], "--copies", "--yes").done()
    assert len(deleted.out.splitlines()) == 2
    assert remote("documents", "list", "-c", "copies", "--json").done().json == []


def test_new_content_without_options_keeps_a_manual_policy_as_one(remote: Remote, note: Path) -> None:
    (sent,) = remote("ingest", str(note), "--user", "ann", "-c", "kept", "--json").done().json
    remote("documents", "set-policy", sent["doc_id"], "--user", "ben", "--until-next-run").done()
    note.write_text("# Pumps\n\nThe red pump takes 60 litres.\n")
    (changed,) = remote("ingest", str(note), "-c", "kept", "--json").done().json
    record = remote("documents", "show", sent["doc_id"], "--json").done().json
    assert (changed["status"], record["version"]) == ("indexed", 2)
    assert (record["readers"], record["policy_source"]) == ("user ben", "manual")
    remote("documents", "delete", sent["doc_id"], "--yes").done()


def test_a_wrong_key_is_reported_without_being_shown(remote: Remote) -> None:
    wrong = remote.command.environment["GROUNDWIRE_KEY"][:-8] + "00000000"
    refused = remote("key", "list", GROUNDWIRE_KEY=wrong)
    assert refused.code == 1
    assert "does not admit this key" in refused.line
    assert wrong not in refused.line


def test_a_key_without_the_scope_is_refused_with_the_scope_that_it_needs(
    remote: Remote, server: tuple[str, str, Command]
) -> None:
    searching = server[2].personal_key("acme", "joe")
    refused = remote("key", "list", GROUNDWIRE_KEY=searching)
    assert refused.code == 1
    assert "admin" in refused.line


@pytest.mark.parametrize(
    ("command", "stated"),
    [
        (["tenant", "list"], "--url"),
        (["serve"], "GROUNDWIRE_URL"),
        (["compact"], "is not available with --url"),
        (["reindex", "acme", "--abandon"], "is not available with --url"),
        (["key", "list", "-t", "acme"], "leave --tenant out"),
        (["ingest", ".", "--sync"], "--sync"),
        (["search", "pump", "--expand", "40"], "the key sets the surrounding text"),
        (["search", "pump", "--explain"], "--json"),
        (["doctor", "--before"], "leave --url out"),
        (["doctor", "--token", "-"], "key explain-token"),
        (["doctor", "--wake"], "--stack NAME doctor"),
    ],
)
def test_a_command_without_a_remote_form_is_refused(remote: Remote, command: list[str], stated: str) -> None:
    refused = remote(*command)
    assert refused.code == 2
    assert stated in refused.line


@pytest.mark.parametrize(
    ("url", "stated"),
    [
        ("http://docs.example", "https"),
        ("ftp://127.0.0.1", "https"),
        ("https://user:pass@docs.example", "as the server printed it"),
        ("https://docs.example/?a=b", "as the server printed it"),
    ],
)
def test_a_key_goes_nowhere_unencrypted(groundwire: Command, url: str, stated: str) -> None:
    refused = groundwire("key", "list", GROUNDWIRE_URL=url, GROUNDWIRE_KEY="k")
    assert (refused.code, stated in refused.line) == (2, True)


def test_a_service_without_a_key_is_not_called(groundwire: Command) -> None:
    refused = groundwire("--url", "https://docs.example", "key", "list")
    assert (refused.code, "GROUNDWIRE_KEY" in refused.line) == (2, True)


class Scripted(BaseHTTPRequestHandler):
    """Handler that gives prepared answers in turn, and records each request's path and credential."""

    answers: list[tuple[int, dict[str, str], bytes]]
    requested: list[tuple[str, str | None]]

    def do_GET(self) -> None:
        self.requested.append((self.path, self.headers["authorization"]))
        status, headers, body = self.answers.pop(0)
        self.send_response(status)
        for name, value in {**headers, "content-length": str(len(body))}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
        pass


@pytest.fixture
def scripted() -> Generator[tuple[str, type[Scripted]]]:
    class Handler(Scripted):
        """One script for each test."""

    Handler.answers, Handler.requested = [], []
    with HTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}", Handler
        server.shutdown()
        thread.join()


def test_a_service_that_asks_to_wait_is_called_again(groundwire: Command, scripted: tuple[str, type[Scripted]]) -> None:
    url, script = scripted
    script.answers += [(429, {"retry-after": "0"}, b"{}"), (503, {"retry-after": "0"}, b""), (200, {}, b'{"keys":[]}')]
    assert groundwire("key", "list", "--json", GROUNDWIRE_URL=url, GROUNDWIRE_KEY="k").done().json == []
    assert len(script.requested) == 3


def passages_page(start: int, number: int, following: int | None) -> tuple[int, dict[str, str], bytes]:
    hidden = {"pages": None, "text": None}
    page = {"metadata": {}, "timings": {}, "defects": {}, "segments": 300, "next_passage": following}
    passages = [{"ordinal": ordinal, **hidden} for ordinal in range(start, start + number)]
    return 200, {}, json.dumps({**page, "passages": passages}).encode()


@pytest.mark.parametrize("number", [10, 200])
def test_only_the_passages_that_are_printed_are_fetched(
    groundwire: Command, scripted: tuple[str, type[Scripted]], number: int
) -> None:
    """A service of an earlier release returns more passages than were requested."""
    url, script = scripted
    script.answers.append(passages_page(0, number, number))
    shown = groundwire("documents", "show", "d", GROUNDWIRE_URL=url, GROUNDWIRE_KEY="k").done().out
    assert ("Passage 9" in shown, "Passage 10" in shown, "290 more passages. Print all" in shown) == (True, False, True)
    assert [path for path, _ in script.requested] == ["/v1/documents/d?segments=true&max_passages=10"]


@pytest.mark.parametrize("option", ["--json", "--all"])
def test_all_passages_are_fetched_where_all_are_printed(
    groundwire: Command, scripted: tuple[str, type[Scripted]], option: str
) -> None:
    url, script = scripted
    script.answers += [passages_page(0, 200, 200), passages_page(200, 100, None)]
    shown = groundwire("documents", "show", "d", option, GROUNDWIRE_URL=url, GROUNDWIRE_KEY="k").done().out
    assert ("299" in shown, "more passages" in shown) == (True, False)
    assert [path for path, _ in script.requested][1:] == ["/v1/documents/d?segments=true&from_passage=200"]


def test_every_page_of_keys_is_listed(groundwire: Command, scripted: tuple[str, type[Scripted]]) -> None:
    url, script = scripted
    for kid, following in (("one", "cursor"), ("two", None)):
        script.answers.append((200, {}, json.dumps({"keys": [{**KEY, "kid": kid}], "next": following}).encode()))
    shown = groundwire("key", "list", "--json", GROUNDWIRE_URL=url, GROUNDWIRE_KEY="k").done().out
    assert ("one" in shown, "two" in shown) == (True, True)
    assert [path for path, _ in script.requested] == ["/v1/keys", "/v1/keys?after=cursor"]


def test_a_redirect_is_reported_and_never_followed(groundwire: Command, scripted: tuple[str, type[Scripted]]) -> None:
    url, script = scripted
    script.answers.append((302, {"location": f"{url}/elsewhere"}, b""))
    refused = groundwire("key", "list", GROUNDWIRE_URL=url, GROUNDWIRE_KEY="k")
    assert (refused.code, "/elsewhere" in refused.line) == (1, True)
    assert script.requested == [("/v1/keys", "Bearer k")]


@pytest.mark.parametrize(
    ("status", "body", "stated"), [(500, b"<html>", "failed (500)"), (200, b"<html>", "like a Gr")]
)
def test_an_address_without_a_service_is_reported_in_one_line(
    groundwire: Command, scripted: tuple[str, type[Scripted]], status: int, body: bytes, stated: str
) -> None:
    url, script = scripted
    script.answers.append((status, {}, body))
    refused = groundwire("key", "list", GROUNDWIRE_URL=url, GROUNDWIRE_KEY="k")
    assert (refused.code, stated in refused.line) == (1, True)


def test_files_that_would_take_readers_away_from_many_documents_are_not_sent_without_a_word(
    remote: Remote, tmp_path: Path
) -> None:
    folder = tmp_path / "many"
    folder.mkdir()
    for number in range(11):
        (folder / f"{number}.txt").write_text(f"The pump number {number} takes water.\n")
    sent = remote("ingest", str(folder), "--user", "ann", "--user", "ben", "-c", "many", "--json").done().json
    refused = remote("ingest", str(folder), "--user", "ann", "-c", "many")
    assert (refused.code, refused.out) == (1, "")
    assert "removes readers from 11 documents" in refused.line
    assert "11 repolicied" in remote("ingest", str(folder), "--user", "ann", "-c", "many", "--yes").done().out
    for row in sent:
        remote("documents", "delete", row["doc_id"], "--yes").done()


def test_files_that_wait_in_the_service_are_named_and_a_run_that_is_stopped_states_what_was_sent(
    server: tuple[str, str, Command], remote: Remote, note: Path
) -> None:
    _, _, there = server
    [tenant] = there.json("tenant", "list")
    with (
        FileIngestLock(there.home / "tenants").hold(tenant["tenant"]),
        started(remote.command, "ingest", str(note), "--user", "ann", "-c", "waiting", "--json") as process,
    ):
        assert process.stderr is not None
        assert process.stderr.readline() == "Waiting in the service for another ingestion: note.md\n"
        process.send_signal(signal.SIGTERM)
        out, err = process.communicate(timeout=5)
    assert process.returncode == 128 + signal.SIGTERM
    assert err.splitlines()[-1] == "Stopped: 1 queued, 0 not yet sent. Run the same command again to continue."
    reported = json.loads(out)
    assert (reported["stopped"], reported["not_yet_sent"]) == ("SIGTERM", 0)
    assert [(row["file"], row["status"]) for row in reported["files"]] == [("note.md", "queued")]
