"""The README's first result from nothing but a clone: `make run`, two searches, the printed lines, and again.

Slow, since everything is installed; pip's own cache is all that makes it faster.
"""

import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from time import monotonic
from typing import Final

import pytest

from tests.support.documentation.pages import README, ROOT, commands
from tests.support.documentation.shell import free_port
from tests.support.engines.installers.python_environments import INSTALLS_UNCOMPILED

INSTALLED_WITHIN_S: Final = 900
STOPPED_WITHIN_S: Final = 30
_POLL_S: Final = 0.2
_LAST_WORD: Final = "Ctrl-C stops."
_OWN: Final = ("GROUNDWIRE_", "MAKE", "MFLAGS", "VIRTUAL_ENV", "COVERAGE", "PYTHON")


@dataclass(frozen=True, slots=True)
class Clone:
    """A fresh clone; `home` and `port` are what its user chose."""

    folder: Path
    home: Path
    port: int

    def environment(self) -> dict[str, str]:
        inherited = {name: value for name, value in os.environ.items() if not name.startswith(_OWN)}
        chosen = {"GROUNDWIRE_HOME": str(self.home), "PORT": str(self.port), "PYTHON": sys.executable}
        built = ROOT / ".cache" / "models" / "all-MiniLM-L6-v2-int8"
        # Building the model anew would show nothing that tests/server/adapters/onnx does not, and takes a download.
        model = {"GROUNDWIRE_MODEL": str(built)} if (built / "model.json").is_file() else {}
        return inherited | INSTALLS_UNCOMPILED | chosen | model

    def run(self, command: str) -> str:
        """Return what a command of the README prints in the clone."""
        done = subprocess.run(
            shlex.split(command), cwd=self.folder, env=self.environment(), capture_output=True, text=True, check=True
        )
        return done.stdout

    @contextmanager
    def running(self) -> Generator[str]:
        """Start `make run`, yield its output once the server answers, and end it with Ctrl-C."""
        log = self.folder.with_suffix(".log")
        make = next(command for command in commands(README) if command.startswith("make run"))
        with (
            log.open("w") as output,
            subprocess.Popen(
                shlex.split(make, comments=True),
                cwd=self.folder,
                env=self.environment(),
                stdout=output,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            ) as process,
        ):
            try:
                printed = _until_ready(process, log)
                yield printed
            finally:
                _interrupt(process)
        stated_after = log.read_text().removeprefix(printed)
        assert "Traceback" not in stated_after
        assert [line for line in stated_after.splitlines() if line and not line.startswith("make: ")] == []


def _interrupt(process: subprocess.Popen[bytes]) -> None:
    """Send the signal to make and to the server, as a terminal does."""
    if process.poll() is not None:
        return
    os.killpg(process.pid, signal.SIGINT)
    try:
        process.wait(STOPPED_WITHIN_S)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        raise


def _until_ready(process: subprocess.Popen[bytes], log: Path) -> str:
    deadline = monotonic() + INSTALLED_WITHIN_S
    while _LAST_WORD not in (printed := log.read_text()) or not printed.endswith("\n"):
        try:
            process.wait(_POLL_S)
        except subprocess.TimeoutExpired:
            assert monotonic() < deadline, printed
        else:
            pytest.fail(f"make run ended:\n{log.read_text()}")
    return printed


@pytest.fixture
def clone(tmp_path: Path) -> Iterator[Clone]:
    folder = tmp_path / "groundwire"
    subprocess.run(["git", "clone", "--quiet", "--no-local", str(ROOT), str(folder)], check=True)
    yield Clone(folder, tmp_path / "home", free_port())
    # An installation is most of a gigabyte, and pytest would keep three of them.
    shutil.rmtree(folder)


def command_for(purpose: str, printed: str) -> str:
    """Return the command that the welcome names for this purpose."""
    [line] = [line for line in printed.splitlines() if line.startswith(f"{purpose} ")]
    return line.removeprefix(purpose).strip()


def pasted(printed: str) -> list[str]:
    return [line for line in printed.splitlines() if line.startswith("curl ")]


def files_in_answer_to(line: str) -> set[str]:
    """Names of the files, or their titles where an answer has no more."""
    done = subprocess.run(["bash", "-c", line], capture_output=True, text=True, check=True)
    answer = json.loads(done.stdout)
    if "contexts" in answer:
        return {context["sourceDisplayName"] for context in answer["contexts"]["contexts"]}
    if "response" in answer:
        [message] = answer["response"]
        return {passage["title"] for passage in json.loads(message["content"][0]["text"])}
    if "hits" in answer:
        return {hit["_source"]["source_file_name"] for hit in answer["hits"]["hits"]}
    result = answer["result"]
    if "segments" in result:
        return {segment["source_file_name"] for segment in result["segments"]}
    return {found["file_path"] for found in result["structuredContent"]["edgeragapp"]["results"]}


def test_packages_that_cannot_be_fetched_are_one_sentence_about_the_network(clone: Clone) -> None:
    refusing = {"PIP_INDEX_URL": f"http://127.0.0.1:{free_port()}/simple", "PIP_RETRIES": "0", "PIP_NO_CACHE_DIR": "1"}
    done = subprocess.run(
        ["make", ".venv/installed"],
        cwd=clone.folder,
        env=clone.environment() | refusing,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode != 0
    assert "check the network and pip's index settings" in done.stderr
    assert "--require-hashes" not in done.stdout


def test_the_readmes_commands_work_in_an_empty_clone(clone: Clone) -> None:
    with clone.running() as first:
        assert f"http://127.0.0.1:{clone.port}/mcp" in first
        assert re.search(r"^key +export KEY=gw_local_\w+$", first, re.MULTILINE)
        assert re.search(rf"^page +http://127\.0\.0\.1:{clone.port}/console#ticket=gwt\.\S+$", first, re.MULTILINE)
        assert len(first[first.index("Groundwire answers") :].splitlines()) <= 8
        assert "Sample documents: 12 indexed" in first
        lines = pasted(clone.run(command_for("clients", first)))
        sales, finance, foundry, vertex, azure, opensearch = map(files_in_answer_to, lines)
        assert "sales-playbook.pptx" in foundry & vertex & opensearch
        assert "Sales Playbook 2026" in azure
        assert "sales-playbook.pptx" in sales - finance
        assert "floor-prices-2026.xlsx" in finance - sales
        as_sales, as_finance = (clone.run(command_for(f"as {people}", first)) for people in ("sales", "finance"))
        of_the_page = [typed for typed in commands(README) if typed.startswith(".venv/bin/")]
        assert [clone.run(typed) for typed in of_the_page] == [as_sales, as_finance]
        for file, seen, unseen in (("sales-playbook", as_sales, as_finance), ("floor-prices", as_finance, as_sales)):
            assert file in seen
            assert file not in unseen
    with clone.running() as second:
        assert "Sample documents" not in second
        assert pasted(clone.run(command_for("clients", second))) == lines
        assert files_in_answer_to(lines[0]) == sales
