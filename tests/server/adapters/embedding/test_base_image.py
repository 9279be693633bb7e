"""The base images of the embedding function and of the server: by digest after `make base-digest`, by tag before."""

import os
import re
import shutil
import subprocess
from pathlib import Path
from typing import Final

import pytest

from tests.support.aws.template.variants import TEMPLATE
from tests.support.entry.dockerfile import expanded, instructions

ROOT: Final = Path(__file__).parents[4]
DOCKERFILE: Final = Path("functions", "embedding", "Dockerfile")
DOCKERFILES: Final = (DOCKERFILE, Path("image", "Dockerfile"))
DIGEST: Final = f"sha256:{'0123456789abcdef' * 4}"

both = pytest.mark.parametrize("dockerfile", DOCKERFILES, ids=str)


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    for file in (Path("Makefile"), Path("release.mk"), *DOCKERFILES):
        (tmp_path / file).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / file, tmp_path / file)
    return tmp_path


def resolve(checkout: Path, answer: str) -> subprocess.CompletedProcess[str]:
    """Run the target with a Docker that prints this answer and accepts only the calls for the builds' images."""
    tools = checkout / "tools"
    tools.mkdir()
    docker = tools / "docker"
    calls = "|".join(
        f'"buildx imagetools inspect --format {{{{.Manifest.Digest}}}} {built_from(dockerfile)}"'
        for dockerfile in DOCKERFILES
    )
    docker.write_text(f'#!/bin/sh\ncase "$*" in {calls}) echo "{answer}" ;; *) exit 1 ;; esac\n')
    docker.chmod(0o755)
    environment = {**os.environ, "PATH": f"{tools}{os.pathsep}{os.environ['PATH']}"}
    return subprocess.run(
        ["make", "base-digest"], cwd=checkout, env=environment, capture_output=True, text=True, check=False
    )


def built_from(dockerfile: Path) -> str:
    """Return the tag that a build without arguments starts from."""
    words = [rest for word, rest in instructions(ROOT / dockerfile) if word == "ARG" and "=" in rest]
    return expanded(bases(ROOT / dockerfile)[0], dict(rest.split("=", 1) for rest in words) | {"BASE_DIGEST": ""})


def bases(dockerfile: Path) -> list[str]:
    return [rest.split(" AS ")[0] for word, rest in instructions(dockerfile) if word == "FROM"]


def base_digest(dockerfile: Path) -> str:
    [line] = [rest for word, rest in instructions(dockerfile) if word == "ARG" and "BASE_DIGEST=" in rest]
    return line.partition("=")[2]


def test_the_digest_that_docker_resolves_is_written_for_both_stages_of_both_images(checkout: Path) -> None:
    done = resolve(checkout, DIGEST)

    assert done.returncode == 0, done.stderr
    for dockerfile in DOCKERFILES:
        assert base_digest(checkout / dockerfile) == f"@{DIGEST}"
        first, second = bases(checkout / dockerfile)
        assert first == second
        assert first.endswith("${BASE_DIGEST}")


@pytest.mark.parametrize("answer", ["", "sha256:0123", f"{DIGEST}/", "latest"])
def test_an_answer_that_is_no_digest_changes_nothing(checkout: Path, answer: str) -> None:
    before = [(checkout / dockerfile).read_text(encoding="utf-8") for dockerfile in DOCKERFILES]

    assert resolve(checkout, answer).returncode != 0

    assert [(checkout / dockerfile).read_text(encoding="utf-8") for dockerfile in DOCKERFILES] == before


@both
def test_the_digest_in_the_checkout_is_one_or_the_build_prints_that_there_is_none(dockerfile: Path) -> None:
    assert re.fullmatch(r"(@sha256:[0-9a-f]{64})?", base_digest(ROOT / dockerfile))
    notices = [rest for word, rest in instructions(ROOT / dockerfile) if word == "RUN" and "make base-digest" in rest]
    assert len(notices) == 1
    for given, printed in (("", True), (f"@{DIGEST}", False)):
        ran = subprocess.run(
            ["sh", "-c", notices[0]], env={"BASE_DIGEST": given}, capture_output=True, text=True, check=True
        )
        assert bool(ran.stdout) == printed


def test_the_image_has_the_runtime_of_the_zipped_functions_and_the_processor_of_the_template() -> None:
    runtime = TEMPLATE["Globals"]["Function"]["Runtime"].removeprefix("python")
    [processor] = TEMPLATE["Resources"]["EmbeddingFunction"]["Properties"]["Architectures"]
    assert built_from(DOCKERFILE).endswith(f":{runtime}-{processor}")
