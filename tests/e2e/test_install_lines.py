"""The first commands that a page gives after an install line work in an environment with that extra alone."""

import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

import pytest

from tests.e2e.installed import NO_ACCOUNT, built_model, environment_of, installed_extra, run
from tests.support.documentation.install_lines import InstallLine, install_lines
from tests.support.models.image_models import ImageRepo
from tests.support.models.repositories import Repo

Outcome = tuple[int, str]
LINES: Final = tuple(install_lines())
REACHES_THE_ACCOUNT: Final = (1, "http://127.0.0.1:9")
DONE: Final = (0, "")
OUTCOMES: Final[Mapping[str, Outcome]] = {
    ".venv/bin/groundwire --stack groundwire-dev --region eu-central-1 tenant create": REACHES_THE_ACCOUNT,
    ".venv/bin/groundwire --stack groundwire-dev --region eu-central-1 key create": REACHES_THE_ACCOUNT,
    "groundwire --stack groundwire-dev tenant list": REACHES_THE_ACCOUNT,
    "groundwire --stack groundwire-dev documents list --tenant acme": REACHES_THE_ACCOUNT,
    "groundwire model add owner/name --hub": (1, "owner/name could not be fetched"),
    "groundwire model add owner/name --from FOLDER": (0, "owner/name"),
    "groundwire reindex TENANT --model MODEL": DONE,
}
"""Exit code of a command, and what it prints, by its beginning. No test reaches an account or the hub."""
DOCTOR: Final[Mapping[str, tuple[str, set[str]]]] = {
    "docs/ingest/scans.md": ("ok  ocr       ready: eng", set()),
    "docs/retrieval/image-embeddings.md": ("ok  images    ", set()),
    "docs/retrieval/opensearch-engine.md": ("BAD index The index does not answer", {"index"}),
}
"""A line that `groundwire doctor` prints for the reader of a page, and the checks that fail: no OpenSearch is here."""


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path


def reader_of_deploy(home: Path) -> Mapping[str, str]:
    (home / ".venv").symlink_to(installed_extra("aws").parent)
    return NO_ACCOUNT


def reader_of_remote(home: Path) -> Mapping[str, str]:
    return {**NO_ACCOUNT, "AWS_DEFAULT_REGION": "eu-central-1"}


def reader_of_image_embeddings(home: Path) -> Mapping[str, str]:
    """Save an image model, and make a tenant with a text model of the machine."""
    variables = {"GROUNDWIRE_MODELS": str(home / "models")}
    Repo().write(home / "text")
    groundwire = installed_extra("models") / "groundwire"
    added = run([groundwire, "model", "add", "owner/text", "--from", "text", "--json"], home, **variables)
    assert added.returncode == 0, added.stderr
    variables["GROUNDWIRE_MODEL"] = str(next((home / "models").rglob("model.json")).parent)
    created = run([groundwire, "tenant", "create", "acme"], home, **variables)
    assert created.returncode == 0, created.stderr
    return {**variables, "GROUNDWIRE_IMAGE_MODEL": str(ImageRepo().write(home / "images"))}


def reader_of_models(home: Path) -> Mapping[str, str]:
    Repo().write(home / "FOLDER")
    return {"GROUNDWIRE_MODELS": str(home / "models"), "HF_ENDPOINT": "http://127.0.0.1:9"}


READERS: Final[Mapping[str, Callable[[Path], Mapping[str, str]]]] = {
    "docs/deploy.md": reader_of_deploy,
    "docs/operate/remote.md": reader_of_remote,
    "docs/ingest/scans.md": lambda _home: built_model(),
    "docs/retrieval/image-embeddings.md": reader_of_image_embeddings,
    "docs/retrieval/models.md": reader_of_models,
    "docs/retrieval/opensearch-engine.md": lambda _home: {**built_model(), "GROUNDWIRE_INDEX": "http://127.0.0.1:9"},
}
"""Functions by page that prepare the home for its commands, and return the variables that its reader has set."""


def outcome_of(command: str) -> Outcome:
    [outcome] = [outcome for beginning, outcome in OUTCOMES.items() if beginning in command]
    return outcome


def is_doctor(command: str) -> bool:
    return command.endswith("groundwire doctor")


def test_every_page_with_an_install_line_gives_a_command_after_it() -> None:
    assert {line.page for line in LINES} == READERS.keys()
    assert [line.page for line in LINES if not line.commands] == []


def test_the_pages_install_every_extra_that_adds_commands_or_engines_to_a_checkout() -> None:
    assert {line.extra for line in LINES} == {"aws", "models", "ocr", "opensearch"}


def test_every_expected_outcome_belongs_to_a_first_command() -> None:
    commands = [command for line in LINES for command in line.commands]
    assert [beginning for beginning in OUTCOMES if not any(beginning in command for command in commands)] == []
    assert DOCTOR.keys() == {line.page for line in LINES if any(map(is_doctor, line.commands))}


@pytest.mark.parametrize("line", LINES, ids=lambda line: f"{Path(line.page).stem}-{line.extra}")
def test_the_first_commands_after_an_install_line_work_with_that_extra_alone(line: InstallLine, home: Path) -> None:
    folder = home / "reader"
    folder.mkdir()
    place = installed_extra(line.extra)
    variables = dict(READERS[line.page](folder))
    typed = [command.replace("TENANT --model MODEL", "acme --model owner/text") for command in line.commands]
    check(line, typed, place, folder, variables)


def check(line: InstallLine, typed: list[str], place: Path, folder: Path, variables: dict[str, str]) -> None:
    path = f"{place}:{environment_of(folder)['PATH']}"
    for command, on_page in zip(typed, line.commands, strict=True):
        done = run(["bash", "-euo", "pipefail", "-c", command], folder, **variables, PATH=path)
        output = done.stdout + done.stderr
        if is_doctor(command):
            printed, failing = DOCTOR[line.page]
            assert set(re.findall(r"^BAD (\w+)", output, re.MULTILINE)) == failing, output
        else:
            code, printed = outcome_of(on_page)
            assert done.returncode == code, (command, output)
        assert printed in output, (command, output)
