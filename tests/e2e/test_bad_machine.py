"""A damaged, full or forbidden machine: one clear line, and nothing that was stored is lost."""

import json
import shutil
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from groundwire.adapters.local.audit import FileAudit
from tests.e2e.company import PUBLIC, PUMP, Company, last_line
from tests.e2e.small_disk import run_on_a_disk_with, small_disk
from tests.support.clients.agent import Agent, agent
from tests.support.entry.command import Command
from tests.support.entry.demo_server import started


@pytest.fixture
def groundwire(tmp_path: Path) -> Command:
    """A home with a tenant and one document that everybody may read."""
    command = Command(tmp_path / "home", {})
    command.tenant("acme")
    note = tmp_path / "pump.md"
    note.write_text(PUMP)
    command.ingest("acme", note, "--public")
    return command


def found(groundwire: Command) -> list[str]:
    return [row["source_file_name"] for row in groundwire.json("search", "blue pump", "-t", "acme")]


def index_of(home: Path) -> Path:
    [path] = home.glob("tenants/*/index.db")
    return path


def damage(path: Path) -> bytes:
    """Overwrite the file, and return its new content."""
    path.write_bytes(b"this is no database" * 500)
    return path.read_bytes()


def test_a_damaged_index_is_reported_in_one_line_and_not_changed(groundwire: Command, tmp_path: Path) -> None:
    left = damage(index_of(groundwire.home))
    for command in (["search", "pump"], ["ingest", str(tmp_path / "pump.md"), "--public"]):
        refused = groundwire(*command, "-t", "acme")
        assert (refused.code, refused.out) == (1, "")
        assert "index.db" in refused.line
    assert index_of(groundwire.home).read_bytes() == left
    assert [row["file"] for row in groundwire.json("documents", "list", "-t", "acme")] == ["pump.md"]


def test_a_damaged_index_that_is_moved_away_is_made_again_by_ingesting(groundwire: Command, tmp_path: Path) -> None:
    damage(index_of(groundwire.home))
    for path in index_of(groundwire.home).parent.glob("index.db*"):
        path.rename(tmp_path / path.name)
    assert groundwire("ingest", str(tmp_path / "pump.md"), "-t", "acme", "--public").code == 0
    assert found(groundwire) == ["pump.md"]


def test_a_damaged_index_is_a_retryable_error_on_the_wire_that_names_no_folder(company: Company) -> None:
    folder = company.server.home / "tenants" / company.tenant
    folder.mkdir(parents=True)
    damage(folder / "index.db")
    company.run("collection", "set", "default", "--bm25-weight", "0.4")
    answer = company.agent.tool("rag_search", search_phrases=["pump"])
    assert answer.status_code == 200
    error = answer.json()["error"]
    assert error["code"] in {-32000, -32603}
    assert error["message"].startswith("RAG search failed")
    assert str(company.server.home) not in answer.text
    assert company.tenant not in answer.text
    assert "index.db" in json.dumps(last_line(company))
    assert "Traceback" not in company.server.output


def test_a_damaged_registry_is_reported_in_one_line_and_not_changed(groundwire: Command) -> None:
    registry = groundwire.home / "registry.db"
    left = damage(registry)
    for command in (["tenant", "list"], ["tenant", "create", "other"], ["search", "pump", "-t", "acme"]):
        refused = groundwire(*command)
        assert (refused.code, refused.out) == (1, "")
        assert str(groundwire.home) in refused.line
    assert registry.read_bytes() == left
    examined = groundwire("doctor", "--json")
    assert examined.code == 1
    assert "registry" in {check["check"] for check in examined.json if not check["ok"]}


def copied_model(groundwire: Command, folder: Path) -> Path:
    """The model in a folder of the test's own; what is not changed is only linked."""
    source = Path(groundwire.json("model", "info")["folder"])
    folder.mkdir()
    for path in source.iterdir():
        (folder / path.name).symlink_to(path)
    return folder


def replaced(path: Path, old: str, new: str) -> None:
    text = path.read_text()
    assert old in text
    path.unlink()
    path.write_text(text.replace(old, new))


def test_a_model_file_of_another_hash_is_refused_before_it_is_used(groundwire: Command, tmp_path: Path) -> None:
    model = copied_model(groundwire, tmp_path / "model")
    vocabulary = next(path for path in model.iterdir() if path.name.startswith("vocab"))
    replaced(vocabulary, "pump", "pomp")
    for command in (["model", "info"], ["search", "pump", "-t", "acme"]):
        refused = groundwire(*command, GROUNDWIRE_MODEL=str(model))
        assert (refused.code, refused.out) == (2, "")
        assert "sha256" in refused.line
        assert vocabulary.name in refused.line
    assert found(groundwire) == ["pump.md"]


def test_an_index_refuses_another_model_than_its_own(groundwire: Command, tmp_path: Path) -> None:
    model = copied_model(groundwire, tmp_path / "model")
    replaced(model / "model.json", '"all-MiniLM-L6-v2-int8"', '"another-model"')
    refused = groundwire("search", "pump", "-t", "acme", GROUNDWIRE_MODEL=str(model))
    assert refused.code in {1, 2}
    assert "model" in refused.line
    assert found(groundwire) == ["pump.md"]


def test_a_missing_model_is_named_with_the_command_that_builds_one(groundwire: Command, tmp_path: Path) -> None:
    refused = groundwire("search", "pump", "-t", "acme", GROUNDWIRE_MODEL=str(tmp_path / "nowhere"))
    assert refused.code == 1
    assert "groundwire model build" in refused.line


def test_a_taken_port_is_reported_in_one_line_with_the_remedy(groundwire: Command) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        refused = groundwire("serve", "--port", str(port))
    assert (refused.code, refused.out) == (1, "")
    assert str(port) in refused.line
    assert "--port " in refused.line


@pytest.mark.parametrize(
    "command", [["tenant", "list"], ["tenant", "create", "a"], ["search", "x", "-t", "a"], ["serve"], ["audit", "list"]]
)
@pytest.mark.parametrize("below", ["", "inner"])
def test_a_home_that_cannot_be_a_folder_is_reported_in_one_line(tmp_path: Path, command: list[str], below: str) -> None:
    file = tmp_path / "home"
    file.write_text("a file in place of the folder")
    refused = Command(file / below, {})(*command)
    assert (refused.code, refused.out) == (1, "")
    assert str(file) in refused.line
    assert file.read_text() == "a file in place of the folder"


@pytest.mark.parametrize("room", [0, 20_000, 60_000])
def test_a_disk_that_fills_up_during_ingestion_destroys_no_data(groundwire: Command, tmp_path: Path, room: int) -> None:
    big = tmp_path / "big.md"
    big.write_text("\n\n".join(f"# Part {n}\n\nThe part number {n} of the machine." for n in range(40)))
    failed = run_on_a_disk_with(room, groundwire.home, "ingest", str(big), "-t", "acme", "--public")
    assert failed.code == 1
    assert "disk" in failed.line
    assert found(groundwire)[0] == "pump.md"
    assert groundwire.json("audit", "verify")["intact"] is True
    assert groundwire("ingest", str(big), "-t", "acme", "--public").code == 0
    assert "big.md" in {row["file"] for row in groundwire.json("documents", "list", "-t", "acme")}


def test_a_server_whose_disk_fills_up_answers_no_call_that_it_cannot_record(groundwire: Command) -> None:
    key = groundwire.acting_key("acme", "--rate", "100000", "--burst", "10000")
    before = len(groundwire.json("audit", "list", "--last", "10000"))
    with (
        started(groundwire.home, "serve", program=small_disk(150_000)) as server,
        httpx.Client(base_url=server.url) as http,
    ):
        answers = list(until_refused(agent(http, key)))
    refused = answers.pop()
    assert {answer.status_code for answer in answers} == {200}
    assert refused.status_code == 503
    assert int(refused.headers["retry-after"]) >= 1
    assert refused.json()["error"]["code"] == -32000
    assert str(groundwire.home) not in refused.text
    assert "pump.md" not in refused.text
    recorded = groundwire.json("audit", "list", "--last", "10000")[before:]
    assert [line["status"] for line in recorded if line["status"] == 200] == [200] * len(answers)
    assert groundwire.json("audit", "verify")["intact"] is True
    with started(groundwire.home, "serve") as server, httpx.Client(base_url=server.url) as http:
        assert agent(http, key).files("pump") == {"pump.md"}


def test_searches_go_on_while_the_disk_is_full_and_are_recorded(tmp_path: Path) -> None:
    in_namespace = ["unshare", "--map-root-user", "--mount"]
    if shutil.which("unshare") is None or subprocess.run([*in_namespace, "true"], check=False).returncode != 0:
        pytest.skip("this system lets no user mount a small disk")
    command = [*in_namespace, sys.executable, "-B", "-m", "tests.e2e.full_disk", str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=120)
    found = json.loads(done.stdout.splitlines()[-1])
    assert (found["kept"], found["is_full"], found["before"], found["left"]) == (True, True, 200, False)
    # The first call finds the disk full, and the next ones get the reserve.
    assert found["statuses"] == [503, *[200] * 199]
    assert (found["answered_lines"], found["is_intact"]) == (200, True)


def test_a_call_that_could_not_be_recorded_goes_unanswered(groundwire: Command) -> None:
    key = groundwire.acting_key("acme")
    FileAudit(groundwire.home).append({"filler": "x" * 200_000})
    with (
        started(groundwire.home, "serve", program=small_disk(150_000)) as server,
        httpx.Client(base_url=server.url) as http,
    ):
        refused = agent(http, key).tool("rag_search", search_phrases=["pump"])
    assert refused.status_code == 503
    assert "recorded" in refused.json()["error"]["message"]
    assert refused.json()["id"] == 1
    assert refused.json()["error"]["data"]["retryable"] is True
    assert "pump.md" not in refused.text


def until_refused(asker: Agent) -> Iterator[httpx.Response]:
    """The answers to one call after the other, up to the first that is no success."""
    for _ in range(2000):
        answer = asker.tool("rag_search", search_phrases=["pump"])
        yield answer
        if answer.status_code != 200:
            return


def test_one_damaged_index_keeps_no_other_tenant_from_being_served(groundwire: Command, tmp_path: Path) -> None:
    damage(index_of(groundwire.home))
    groundwire.tenant("other")
    groundwire.ingest("other", tmp_path / "pump.md", "--public")
    key = groundwire.acting_key("other")
    with started(groundwire.home, "serve") as server, httpx.Client(base_url=server.url) as http:
        assert "index.db is damaged" in server.printed
        assert agent(http, key).files("pump") == {"pump.md"}


def test_two_servers_share_a_home(company: Company) -> None:
    company.ingest("pump.md", PUMP, PUBLIC)
    with started(company.server.home, "serve") as second, httpx.Client(base_url=second.url) as http:
        assert agent(http, company.key()).files("pump") == company.agent.files("pump") == {"pump.md"}
