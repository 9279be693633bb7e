"""A release: the workflow runs targets of the Makefile alone, and these make what is attached to the tag."""

import json
import os
import re
import subprocess
import sys
import tarfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import pytest
import yaml

from tests.support.engines.installers.python_environments import environment
from tests.support.engines.missing import Absent, answer

ROOT: Final = Path(__file__).parents[3]
DIGEST: Final = f"sha256:{'0123456789abcdef' * 4}"
IMAGE: Final = "EmbeddingImageUri=123456789012.dkr.ecr.eu-central-1.amazonaws.com/embedding:1"
WORKFLOW: Final[Mapping[Any, Any]] = yaml.safe_load((ROOT / ".github" / "workflows" / "release.yml").read_text("utf-8"))
STEPS: Final[list[Mapping[str, Any]]] = [step for job in WORKFLOW["jobs"].values() for step in job["steps"]]
TAG: Final = "v1.0.0; touch injected"
"""A tag as Git allows none: it shows that the shell never reads a tag as a command."""


@pytest.fixture(scope="module")
def clone(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A clone with the files of this checkout, and with the tools of a release."""
    folder = tmp_path_factory.mktemp("release") / "clone"
    try:
        tools = {name: environment(name).parent for name in ("sam", "release")}
    except Absent as absent:
        answer(absent)
    subprocess.run(["git", "clone", "--quiet", "--shared", str(ROOT), str(folder)], check=True)
    changed = subprocess.run(["git", "diff", "--binary", "HEAD"], cwd=ROOT, capture_output=True, check=True).stdout
    if changed:
        subprocess.run(["git", "apply"], cwd=folder, input=changed, check=True)
    for name, place in tools.items():
        (folder / f".venv-{name}").symlink_to(place)
        # As after the installation: make compares the times of lock and stamp, and the clone's locks are new.
        os.utime(folder / f"requirements-{name}.lock", (0, 0))
    return folder


def program(clone: Path, name: str, script: str) -> None:
    """Put a program of this name in front of the others."""
    file = clone / "build" / "tools" / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
    file.chmod(0o755)


def make(clone: Path, *arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
    path = f"{clone / 'build' / 'tools'}{os.pathsep}{os.environ['PATH']}"
    given = {"PATH": path, "PYTHON": sys.executable, "SAM_CLI_TELEMETRY": "0", "AWS_DEFAULT_REGION": "eu-central-1"}
    inherited = {name: value for name, value in os.environ.items() if not name.startswith(("MAKE", "MFLAGS"))}
    return subprocess.run(
        ["make", *arguments],
        cwd=clone,
        env=inherited | given | variables,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture(scope="module")
def released(clone: Path) -> Path:
    """The folder of what a release attaches, after the steps of the workflow in their order."""
    program(clone, "docker", f"echo {DIGEST}")
    for target in ("base-digest", "release"):
        done = make(clone, target, f"BUILD_FLAGS=--parameter-overrides {IMAGE}")
        assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
    return clone / "build" / "release"


def test_each_action_of_the_workflow_is_pinned_by_a_commit() -> None:
    used = [step["uses"] for step in STEPS if "uses" in step]
    assert used
    assert [each for each in used if not re.fullmatch(r"[\w-]+/[\w-]+@[0-9a-f]{40}", each)] == []


def test_each_other_step_of_the_workflow_is_a_target_of_the_makefile() -> None:
    run = [step["run"] for step in STEPS if "uses" not in step]
    assert run == ["make base-digest", "make release", "make attach"]
    targets = (ROOT / "release.mk").read_text(encoding="utf-8")
    assert all(re.search(rf"^{each.removeprefix('make ')}:", targets, re.MULTILINE) for each in run)


def test_the_workflow_may_write_releases_and_nothing_else_and_only_its_last_step_has_the_token() -> None:
    # YAML 1.1 reads the key `on` as true.
    assert WORKFLOW[True] == {"push": {"tags": ["v*"]}}
    assert WORKFLOW["permissions"] == {}
    assert [job["permissions"] for job in WORKFLOW["jobs"].values()] == [{"contents": "write"}]
    assert [step for step in STEPS if "${{" in str(step)] == STEPS[-1:]
    [checkout] = [step for step in STEPS if step.get("uses", "").startswith("actions/checkout@")]
    assert checkout["with"]["persist-credentials"] is False


def test_a_release_without_a_digest_of_the_base_image_is_refused(clone: Path) -> None:
    dockerfile = clone / "functions" / "embedding" / "Dockerfile"
    text = dockerfile.read_text(encoding="utf-8")
    dockerfile.write_text(re.sub(r"^ARG BASE_DIGEST=.*", "ARG BASE_DIGEST=", text, flags=re.MULTILINE), "utf-8")
    done = make(clone, "release")
    assert done.returncode != 0
    assert "run make base-digest" in done.stderr


def test_the_archive_of_a_release_has_the_digest_and_every_file_of_the_commit(clone: Path, released: Path) -> None:
    listed = subprocess.run(["git", "ls-files"], cwd=clone, capture_output=True, text=True, check=True).stdout
    with tarfile.open(released / "groundwire.tar.gz") as archive:
        names = {member.name.removeprefix("groundwire/") for member in archive if not member.isdir()}
        dockerfile = archive.extractfile("groundwire/functions/embedding/Dockerfile")
        assert dockerfile is not None
        assert f"ARG BASE_DIGEST=@{DIGEST}\n" in dockerfile.read().decode()
    assert names >= set(listed.splitlines())


@pytest.mark.parametrize("layer", ["GroundwireLayer", "ParsersLayer"])
def test_the_list_of_a_layer_has_the_packages_that_the_build_put_into_it(
    layer: str, clone: Path, released: Path
) -> None:
    listed = json.loads((released / f"{layer}.cdx.json").read_text(encoding="utf-8"))
    assert listed["bomFormat"] == "CycloneDX"
    built = (clone / ".aws-sam" / "build" / layer / "python").glob("*.dist-info")
    names = {re.sub(r"[-_.]+", "-", folder.name.split("-")[0]).lower() for folder in built}
    assert {re.sub(r"[-_.]+", "-", each["name"]).lower() for each in listed["components"]} == names


def test_the_list_of_the_embedding_function_has_the_hashes_of_its_lock(released: Path) -> None:
    listed = json.loads((released / "EmbeddingFunction.cdx.json").read_text(encoding="utf-8"))
    assert {"numpy", "onnxruntime"} <= {each["name"] for each in listed["components"]}
    lock = (ROOT / "functions" / "embedding" / "requirements.txt").read_text(encoding="utf-8")
    assert set(re.findall(r"sha256:([0-9a-f]{64})", lock)) <= set(re.findall(r"[0-9a-f]{64}", json.dumps(listed)))


def test_the_files_are_attached_to_the_release_of_the_tag(clone: Path, released: Path) -> None:
    program(clone, "gh", 'printf "%s\\n" "$@" > called')
    assert make(clone, "attach", TAG=TAG).returncode == 0
    called = (clone / "called").read_text(encoding="utf-8").splitlines()
    assert called[:4] == ["release", "create", TAG, "--verify-tag"]
    assert {file.name for file in released.iterdir()} == {
        Path(each).name for each in called if "build/release/" in each
    }
    assert not (clone / "injected").exists()
