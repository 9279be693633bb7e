"""AWS's own tool accepts the template, and the makefiles by which it builds work with this machine's Python.

Heavy: the first run makes an environment for the tool. What it builds is examined in test_release.py.
"""

import json
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import pytest

from tests.server.template.function_folders import MOST_UNPACKED, of_functions, size
from tests.support.aws.deployment import artifacts
from tests.support.documentation.pages import GUIDES, commands
from tests.support.engines.installers.python_environments import environment
from tests.support.engines.missing import Absent, answer

ROOT: Final = Path(__file__).parents[3]


@pytest.fixture(scope="module")
def sam() -> Path:
    """The tool, in an environment of its own: its pins would clash with the product's."""
    try:
        return environment("sam") / "sam"
    except Absent as absent:
        answer(absent)


def run(sam: Path, notes: Path, *arguments: str) -> str:
    environment = {
        **os.environ,
        # The machine's own settings for pip count; the tool's notes about itself go to a folder of the test.
        "__SAM_CLI_APP_DIR": str(notes),
        "SAM_CLI_TELEMETRY": "0",
        "AWS_DEFAULT_REGION": "eu-central-1",
        "PYTHON": sys.executable,
    }
    done = subprocess.run(
        [str(sam), *arguments], cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


def test_the_template_is_valid_and_free_of_lint(sam: Path, tmp_path: Path) -> None:
    assert "is a valid SAM Template" in run(sam, tmp_path, "validate", "--lint")


def test_every_option_of_a_sam_command_on_a_page_is_one_of_the_tool(sam: Path, tmp_path: Path) -> None:
    typed = {command for page in GUIDES for command in commands(page) if command.startswith("sam ")}
    assert {"deploy", "delete", "logs"} <= {command.split()[1] for command in typed}
    for command in typed:
        _, *words = shlex.split(command)
        name = words[: 2 if words[0] in ("list", "local") else 1]
        options = {word for word in words if word.startswith("--")}
        assert options <= set(re.findall(r"--[a-z-]+", run(sam, tmp_path, *name, "--help"))), command


def versions(sam: Path, image: str) -> dict[str, str]:
    """Logical ids of the versions that are published, by function; another id is another version."""
    order = {"template": str(ROOT / "template.yaml"), "parameters": {"EmbeddingImageUri": image}}
    done = subprocess.run(
        [str(sam.with_name("python")), str(Path(__file__).with_name("publishing.py"))],
        input=json.dumps(order),
        env={**os.environ, "AWS_DEFAULT_REGION": "eu-central-1"},
        capture_output=True,
        text=True,
        check=True,
    )
    return json.loads(done.stdout)


def test_another_image_is_another_version_of_the_embedding_function_alone(sam: Path) -> None:
    before, after = versions(sam, "registry/embedding:1"), versions(sam, "registry/embedding:2")
    assert before.keys() == after.keys() == {"EmbeddingFunction"}
    assert before != after


@pytest.fixture(scope="module")
def made_here() -> Mapping[str, artifacts.Artifact]:
    """All artifacts, made by the same makefiles for the Python and the processor of this machine."""
    try:
        return artifacts.build()
    except Absent as absent:
        answer(absent)


@pytest.fixture(scope="module")
def here(made_here: Mapping[str, artifacts.Artifact]) -> list[Path]:
    return [made_here[layer].folder for layer in ("GroundwireLayer", "ParsersLayer")]


def test_functions_fit_into_lambda_on_this_machines_processor(made_here: Mapping[str, artifacts.Artifact]) -> None:
    for name, folders in of_functions(lambda part: made_here[part].folder).items():
        assert size(*folders) <= MOST_UNPACKED, name


def test_the_layers_hold_all_that_the_functions_import(here: list[Path]) -> None:
    imports = [
        "opensearchpy",
        "Stemmer",
        "xberg",
        "yaml",
        "cryptography.hazmat.primitives.ciphers.aead",
        "aws_lambda_powertools",
    ]
    entries = ("authorizer", "mcp", "rest", "functions.ingestion", "operator.function", "functions.sources")
    handlers = [f"groundwire.entry.{name}" for name in entries]
    program = f"""
import sys
sys.path[:] = [{str(here[0] / "python")!r}, {str(here[1] / "python")!r}, *(p for p in sys.path if "-packages" not in p)]
for name in {imports + handlers}:
    __import__(name)
from groundwire_readers.readers.pdf.pdfium import load_library
assert load_library().FPDF_GetPageCount(None) == 0
"""
    done = subprocess.run([sys.executable, "-I", "-c", program], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
