"""Publishing: wheels of the commit, sent to the index by the identity of the workflow."""

import re
import subprocess
import tomllib
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from tests.server.template.package_index import MINTED, PackageIndex, running_index
from tests.server.template.release_steps import make
from tests.support.entry.certificates import Authority

ROOT: Final = Path(__file__).parents[3]
VERSION: Final = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
ALONE: Final = ("groundwire_egress", "groundwire_mcp", "groundwire_readers")
INSTALLED: Final = "groundwire"
"""The wheel that people install: all packages, and what a checkout serves."""


@pytest.fixture(scope="module")
def wheels(clone: Path) -> Path:
    """The folder of the wheels, after a change that the commit does not have."""
    (clone / "layers" / "mcp" / "groundwire_mcp" / "uncommitted.py").touch()
    done = make(clone, "wheels")
    assert done.returncode == 0, done.stderr
    return clone / "build" / "wheels"


@pytest.fixture
def authority(tmp_path: Path) -> Authority:
    return Authority(tmp_path)


@pytest.fixture
def index(authority: Authority) -> Iterator[PackageIndex]:
    with running_index(authority.server_context(["127.0.0.1"])) as opened:
        yield opened


def contents(folder: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in folder.iterdir()}


def publish(clone: Path, authority: Authority, **variables: str) -> subprocess.CompletedProcess[str]:
    return make(clone, "publish", SSL_CERT_FILE=str(authority.ca_file), UV_HTTP_RETRIES="0", **variables)


def test_each_wheel_has_the_licence_and_the_files_of_the_commit(clone: Path, wheels: Path) -> None:
    names = (INSTALLED, *ALONE)
    assert sorted(contents(wheels)) == sorted(f"{name}-{VERSION}-py3-none-any.whl" for name in names)
    listed = subprocess.run(["git", "ls-files"], cwd=clone, capture_output=True, text=True, check=True).stdout
    for name in names:
        with zipfile.ZipFile(wheels / f"{name}-{VERSION}-py3-none-any.whl") as archive:
            held = set(archive.namelist())
        folder = f"{name}-{VERSION}.dist-info/licenses"
        assert {f"{folder}/LICENSE", f"{folder}/NOTICE"} <= held
        packages = r"groundwire\w*" if name == INSTALLED else name
        modules = set(re.findall(rf"^(?:layers|tools)/\w+/({packages}/.*\.py)$", listed, re.MULTILINE))
        assert modules == {each for each in held if each.endswith(".py") and "/packaged/" not in each}


def test_the_installed_wheel_has_what_a_checkout_serves(clone: Path, wheels: Path) -> None:
    served = ("template.yaml", "functions", "samples/documents", "samples/questions")
    command = ["git", "ls-files", "--", *served]
    listed = subprocess.run(command, cwd=clone, capture_output=True, text=True, check=True).stdout.split()
    with zipfile.ZipFile(wheels / f"{INSTALLED}-{VERSION}-py3-none-any.whl") as archive:
        packed = {each for each in archive.namelist() if "/packaged/" in each and not each.endswith("/")}
    assert packed == {f"groundwire/packaged/{name}" for name in listed}


def test_wheels_of_one_commit_have_the_same_bytes(clone: Path, wheels: Path) -> None:
    before = contents(wheels)
    assert make(clone, "wheels").returncode == 0
    assert contents(wheels) == before


def test_wheels_are_published_by_the_identity_of_the_job_alone(
    clone: Path, wheels: Path, authority: Authority, index: PackageIndex
) -> None:
    done = publish(clone, authority, PUBLISH_URL=f"{index.address}/upload", **index.of_a_job())
    assert done.returncode == 0, done.stderr
    assert index.uploads == contents(wheels)
    assert (index.ended, index.refused) == ([MINTED], [])


def test_without_the_identity_of_a_job_nothing_is_sent(
    clone: Path, wheels: Path, authority: Authority, index: PackageIndex
) -> None:
    another = index.of_a_job() | {"ACTIONS_ID_TOKEN_REQUEST_TOKEN": "of-another-job"}
    done = publish(clone, authority, PUBLISH_URL=f"{index.address}/upload", **another)
    assert done.returncode != 0
    assert index.refused == ["/identity?version=1&audience=packages.example"]
    assert index.uploads == {}


def test_without_an_address_publishing_names_the_variable(
    clone: Path, wheels: Path, authority: Authority, index: PackageIndex
) -> None:
    done = publish(clone, authority, PUBLISH_URL="", **index.of_a_job())
    assert done.returncode != 0
    assert "Set PUBLISH_URL to the address for uploads" in done.stderr


def test_an_address_is_no_command(clone: Path, wheels: Path, authority: Authority) -> None:
    publish(clone, authority, PUBLISH_URL='https://127.0.0.1/"; touch injected; "')
    assert not (clone / "injected").exists()
