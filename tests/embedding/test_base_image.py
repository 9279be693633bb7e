"""The base image of the embedding function: by digest after `make base-digest`, by tag and with a notice before."""

import os
import re
import shutil
import subprocess
from pathlib import Path
from typing import Final

import pytest

from tests.embedding.dockerfile import instructions

ROOT: Final = Path(__file__).parents[2]
DOCKERFILE: Final = Path("functions", "embedding", "Dockerfile")
DIGEST: Final = f"sha256:{'0123456789abcdef' * 4}"


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    for file in (Path("Makefile"), DOCKERFILE):
        (tmp_path / file).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / file, tmp_path / file)
    return tmp_path


def resolve(checkout: Path, answer: str) -> subprocess.CompletedProcess[str]:
    """Run the target beside a Docker that answers this; it checks that it is asked for the image of the build."""
    tools = checkout / "tools"
    tools.mkdir()
    docker = tools / "docker"
    asked = "buildx imagetools inspect --format {{.Manifest.Digest}} public.ecr.aws/lambda/python:3.13-x86_64"
    docker.write_text(f'#!/bin/sh\n[ "$*" = "{asked}" ] || exit 1\necho "{answer}"\n')
    docker.chmod(0o755)
    environment = {**os.environ, "PATH": f"{tools}{os.pathsep}{os.environ['PATH']}"}
    return subprocess.run(
        ["make", "base-digest"], cwd=checkout, env=environment, capture_output=True, text=True, check=False
    )


def base_digest(checkout: Path) -> str:
    [line] = [rest for word, rest in instructions(checkout / DOCKERFILE) if word == "ARG" and "BASE_DIGEST=" in rest]
    return line.partition("=")[2]


def test_the_digest_that_docker_resolves_is_written_for_both_stages(checkout: Path) -> None:
    done = resolve(checkout, DIGEST)

    assert done.returncode == 0, done.stderr
    assert base_digest(checkout) == f"@{DIGEST}"
    bases = [rest for word, rest in instructions(checkout / DOCKERFILE) if word == "FROM"]
    assert len(bases) == 2
    assert all(base.split(" AS ")[0].endswith("${PYTHON}-${ARCHITECTURE}${BASE_DIGEST}") for base in bases)


@pytest.mark.parametrize("answer", ["", "sha256:0123", f"{DIGEST}/", "latest"])
def test_an_answer_that_is_no_digest_changes_nothing(checkout: Path, answer: str) -> None:
    before = (checkout / DOCKERFILE).read_text(encoding="utf-8")

    assert resolve(checkout, answer).returncode != 0

    assert (checkout / DOCKERFILE).read_text(encoding="utf-8") == before


def test_the_digest_in_the_checkout_is_one_or_the_build_prints_that_there_is_none() -> None:
    assert re.fullmatch(r"(@sha256:[0-9a-f]{64})?", base_digest(ROOT))
    notices = [rest for word, rest in instructions(ROOT / DOCKERFILE) if word == "RUN" and "make base-digest" in rest]
    assert len(notices) == 1
    for given, printed in (("", True), (f"@{DIGEST}", False)):
        ran = subprocess.run(
            ["sh", "-c", notices[0]], env={"BASE_DIGEST": given}, capture_output=True, text=True, check=True
        )
        assert bool(ran.stdout) == printed


def test_the_target_resolves_the_tag_that_the_template_builds_from() -> None:
    defaults = dict(
        rest.split("=", 1) for word, rest in instructions(ROOT / DOCKERFILE) if word == "ARG" and "=" in rest
    )
    tag = f"public.ecr.aws/lambda/python:{defaults['PYTHON']}-{defaults['ARCHITECTURE']}"
    assert tag in (ROOT / "Makefile").read_text(encoding="utf-8")
