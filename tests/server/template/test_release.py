"""A release: the targets of the Makefile make what is attached to the tag.

AWS's own tool builds the functions for it, without Docker and without the runtime's Python.
"""

import base64
import hashlib
import json
import re
import subprocess
import tarfile
from dataclasses import dataclass
from fnmatch import fnmatch
from importlib.metadata import distributions
from pathlib import Path
from typing import Final

import pytest

from groundwire import __version__
from tests.server.template.function_folders import FUNCTIONS, MOST_UNPACKED, files, of_functions, size
from tests.server.template.release_steps import make, program
from tests.support.entry.dockerfile import instructions

ROOT: Final = Path(__file__).parents[3]
DIGEST: Final = f"sha256:{'0123456789abcdef' * 4}"
IMAGE: Final = "EmbeddingImageUri=123456789012.dkr.ecr.eu-central-1.amazonaws.com/embedding:1"
TAG: Final = f"v{__version__}"
ODD_TAG: Final = f"{TAG}; touch injected"
"""A tag as Git allows none: it shows that the shell never reads a tag as a command."""
BYTECODE_OF_3_13: Final = b"\xf3\r\r\n"
ALWAYS_BELIEVED: Final = b"\x01\0\0\0"
"""Flags of bytecode that is not held against its source: what lies in a layer never changes."""
AARCH64: Final = 0xB7
"""An ELF header's machine, at offset 18."""


@dataclass(frozen=True, slots=True)
class Build:
    """Folder that the tool built from the template, and the tool's output."""

    folder: Path
    stated: str


@pytest.fixture(scope="module")
def built(clone: Path) -> Build:
    """The build of a release, after the steps of the workflow in their order; to make an image takes Docker."""
    program(clone, "docker", f"echo {DIGEST}")
    stated = ""
    for target in ("base-digest", "release"):
        done = make(clone, target, f"BUILD_FLAGS=--parameter-overrides {IMAGE}")
        assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
        stated += done.stdout + done.stderr
    return Build(clone / ".aws-sam" / "build", stated)


@pytest.fixture(scope="module")
def released(clone: Path, built: Build) -> Path:
    """The folder of what a release attaches."""
    assert built.folder.is_dir()
    return clone / "build" / "release"


@pytest.mark.parametrize("folder", ["functions/embedding", "image"])
def test_a_release_without_a_digest_of_a_base_image_is_refused(clone: Path, folder: str) -> None:
    program(clone, "docker", f"echo {DIGEST}")
    assert make(clone, "base-digest").returncode == 0
    dockerfile = clone / folder / "Dockerfile"
    text = dockerfile.read_text(encoding="utf-8")
    dockerfile.write_text(re.sub(r"^ARG BASE_DIGEST=.*", "ARG BASE_DIGEST=", text, flags=re.MULTILINE), "utf-8")
    done = make(clone, "release")
    assert done.returncode != 0
    assert f"{folder}/Dockerfile has no digest: run make base-digest" in done.stderr


def test_the_archive_of_a_release_has_the_digests_and_every_file_of_the_commit(clone: Path, released: Path) -> None:
    listed = subprocess.run(["git", "ls-files"], cwd=clone, capture_output=True, text=True, check=True).stdout
    with tarfile.open(released / "groundwire.tar.gz") as archive:
        names = {member.name.removeprefix("groundwire/") for member in archive if not member.isdir()}
        for folder in ("functions/embedding", "image"):
            dockerfile = archive.extractfile(f"groundwire/{folder}/Dockerfile")
            assert dockerfile is not None
            assert f"ARG BASE_DIGEST=@{DIGEST}\n" in dockerfile.read().decode()
    assert names >= set(listed.splitlines())


def test_the_context_of_the_servers_image_has_what_its_lines_copy(released: Path) -> None:
    with tarfile.open(released / "groundwire-image.tar.gz") as archive:
        names = {Path(member.name).name for member in archive if member.isfile()}
    dockerfile = ROOT / "image" / "Dockerfile"
    copied = [rest.split()[0] for word, rest in instructions(dockerfile) if word == "COPY" and "--from" not in rest]
    assert copied
    assert all(any(fnmatch(name, each) for name in names) for each in copied)


def test_the_files_of_a_release_pass_their_check_and_a_changed_one_does_not(clone: Path, released: Path) -> None:
    checked = make(clone, "check-release")
    assert checked.returncode == 0, checked.stdout[-2000:] + checked.stderr[-2000:]
    file = released / "ServerImage.cdx.json"
    before = file.read_bytes()
    file.write_bytes(before + b" ")
    try:
        refused = make(clone, "check-release")
    finally:
        file.write_bytes(before)
    assert refused.returncode != 0
    assert "ServerImage.cdx.json: FAILED" in refused.stdout


def test_the_build_puts_the_package_and_arm64_libraries_into_the_layer(built: Build) -> None:
    for function in FUNCTIONS:
        assert [file.name for file in (built.folder / function).iterdir()] == ["app.py"]
    assert (built.folder / "GroundwireLayer" / "python" / "groundwire" / "entry" / "mcp.py").is_file()
    assert (built.folder / "ParsersLayer" / "share" / "tessdata" / "eng.traineddata").is_file()
    for layer in ("GroundwireLayer", "ParsersLayer"):
        libraries = [file for file in (built.folder / layer).rglob("*.so*") if file.suffix != ".py"]
        assert libraries
        assert {library.read_bytes()[18] for library in libraries} == {AARCH64}
        assert f"{layer}: " in built.stated


def test_layers_hold_bytecode_of_the_runtimes_python_or_the_build_states_that_it_has_none(built: Build) -> None:
    compiled = list(built.folder.rglob("*.pyc"))
    assert bool(compiled) != ("built without bytecode" in built.stated)
    for file in compiled:
        assert file.read_bytes()[:8] == BYTECODE_OF_3_13 + ALWAYS_BELIEVED, file


def test_a_function_with_its_layers_fits_into_lambda_and_holds_nothing_twice_and_no_tests(built: Build) -> None:
    for name, folders in of_functions(lambda part: built.folder / part).items():
        assert size(*folders) <= MOST_UNPACKED, name
        within = files(*folders)
        assert len(set(within)) == len(within), name
        assert not [file for file in within if {"tests", "grpc", "google", "opensearch_protobufs"} & set(file.parts)]


@pytest.mark.parametrize("layer", ["GroundwireLayer", "ParsersLayer"])
def test_scanners_find_each_package_with_its_description_files_and_parts(built: Build, layer: str) -> None:
    libraries = built.folder / layer / "python"
    packages = list(distributions(path=[str(libraries)]))
    assert packages
    for package in packages:
        assert package.metadata["Name"]
        recorded = package.files or []
        assert "METADATA" in {file.name for file in recorded}, package.metadata["Name"]
        for file in recorded:
            content = (libraries / file).read_bytes()
            assert file.hash is None or file.hash.value == _digest(content), file


def _digest(content: bytes) -> str:
    return base64.urlsafe_b64encode(hashlib.sha256(content).digest()).decode().rstrip("=")


def test_layers_keep_the_bills_of_material_of_wheels(built: Build) -> None:
    kept = {file.parents[1].name.partition("-")[0] for file in built.folder.rglob("*.dist-info/sboms/*")}
    assert {"cryptography", "xberg"} <= kept


@pytest.mark.parametrize("layer", ["GroundwireLayer", "ParsersLayer"])
def test_the_list_of_a_layer_has_the_packages_that_the_build_put_into_it(
    layer: str, clone: Path, released: Path
) -> None:
    listed = json.loads((released / f"{layer}.cdx.json").read_text(encoding="utf-8"))
    assert listed["bomFormat"] == "CycloneDX"
    built = (clone / ".aws-sam" / "build" / layer / "python").glob("*.dist-info")
    names = {re.sub(r"[-_.]+", "-", folder.name.split("-")[0]).lower() for folder in built}
    assert {re.sub(r"[-_.]+", "-", each["name"]).lower() for each in listed["components"]} == names


@pytest.mark.parametrize(
    ("listing", "place"),
    [("EmbeddingFunction", "functions/embedding/requirements.txt"), ("ServerImage", "requirements-image.lock")],
)
def test_the_list_of_an_image_has_the_hashes_of_its_lock(listing: str, place: str, released: Path) -> None:
    listed = json.loads((released / f"{listing}.cdx.json").read_text(encoding="utf-8"))
    assert {"numpy", "onnxruntime"} <= {each["name"] for each in listed["components"]}
    lock = (ROOT / place).read_text(encoding="utf-8")
    assert set(re.findall(r"sha256:([0-9a-f]{64})", lock)) <= set(re.findall(r"[0-9a-f]{64}", json.dumps(listed)))


def test_the_files_are_attached_to_the_release_of_the_tag(clone: Path, released: Path) -> None:
    program(clone, "gh", 'printf "%s\\n" "$@" > called')
    assert make(clone, "attach", TAG=TAG).returncode == 0
    called = (clone / "called").read_text(encoding="utf-8").splitlines()
    assert called[:4] == ["release", "create", TAG, "--verify-tag"]
    wheels = (clone / "build" / "wheels").iterdir()
    assert {file.name for file in (*released.iterdir(), *wheels)} == {
        Path(each).name for each in called if each.startswith("build/")
    }


@pytest.mark.usefixtures("released")
@pytest.mark.parametrize("tag", ["v9.9.9", ODD_TAG])
def test_a_tag_of_another_version_than_the_packages_creates_no_release(clone: Path, tag: str) -> None:
    program(clone, "gh", "touch created")
    done = make(clone, "attach", TAG=tag)
    assert done.returncode != 0
    assert f"is not {TAG}" in done.stderr
    assert not (clone / "created").exists()
    assert not (clone / "injected").exists()


def test_the_wheels_of_the_release_are_what_is_downloaded_for_the_index(clone: Path) -> None:
    program(clone, "gh", 'printf "%s\\n" "$@" > called')
    assert make(clone, "download", TAG=ODD_TAG).returncode == 0
    called = (clone / "called").read_text(encoding="utf-8").splitlines()
    assert called == ["release", "download", ODD_TAG, "--pattern", "*.whl", "--dir", "build/wheels"]
    assert not (clone / "injected").exists()
