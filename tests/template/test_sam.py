"""AWS's own tool accepts the template and builds it, without Docker and without the runtime's Python.

Heavy: the first run makes an environment for the tool. The name keeps these tests last.
"""

import json
import os
import re
import shlex
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import pytest

from tests.support.aws.deployment import artifacts
from tests.support.documentation.pages import GUIDES, commands
from tests.support.engines.installers.python_environments import environment
from tests.support.engines.missing import Absent, answer

ROOT: Final = Path(__file__).parents[2]
IMAGE: Final = "EmbeddingImageUri=123456789012.dkr.ecr.eu-central-1.amazonaws.com/embedding:1"
FUNCTIONS: Final = (
    *("AuthorizerFunction", "McpFunction", "ApiFunction", "IngestionFunction", "OperatorFunction"),
    *("SourcesFunction", "ParserFunction"),
)
CORE: Final = 60_000_000
PARSING: Final = 210_000_000
"""Bytes, unpacked, of the core layer, and of all that the parser function is made of; Lambda takes 262,144,000."""
BYTECODE_OF_3_13: Final = b"\xf3\r\r\n"
ALWAYS_BELIEVED: Final = b"\x01\0\0\0"
"""Flags of bytecode that is not held against its source: what lies in a layer never changes."""
AARCH64: Final = 0xB7
"""An ELF header's machine, at offset 18."""


@dataclass(frozen=True, slots=True)
class Build:
    """What the tool made of the template, and said about it."""

    folder: Path
    said: str


@pytest.fixture(scope="module")
def sam() -> Path:
    """The tool, in an environment of its own: its pins would clash with the product's."""
    try:
        return environment("sam") / "sam"
    except Absent as absent:
        answer(absent)


@pytest.fixture(scope="module")
def built(sam: Path, tmp_path_factory: pytest.TempPathFactory) -> Build:
    """As with an image that is there already: to make one takes Docker."""
    folder = tmp_path_factory.mktemp("build")
    notes = tmp_path_factory.mktemp("notes")
    return Build(folder, run(sam, notes, "build", "--build-dir", str(folder), "--parameter-overrides", IMAGE))


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


def size(*folders: Path) -> int:
    return sum(file.stat().st_size for folder in folders for file in folder.rglob("*") if file.is_file())


def files(*folders: Path) -> list[Path]:
    """Paths within the folders; one that two of them hold stands there twice."""
    return [file.relative_to(folder) for folder in folders for file in folder.rglob("*") if file.is_file()]


def test_the_template_is_valid_and_free_of_lint(sam: Path, tmp_path: Path) -> None:
    assert "is a valid SAM Template" in run(sam, tmp_path, "validate", "--lint")


def test_every_option_of_a_sam_command_on_a_page_is_one_of_the_tool(sam: Path, tmp_path: Path) -> None:
    typed = {command for page in GUIDES for command in commands(page) if command.startswith("sam ")}
    assert {"deploy", "delete", "logs"} <= {command.split()[1] for command in typed}
    for command in typed:
        _, *words = shlex.split(command)
        name = words[: 2 if words[0] == "local" else 1]
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


def test_the_build_puts_the_package_and_arm64_libraries_into_the_layer(built: Build) -> None:
    for function in FUNCTIONS:
        assert [file.name for file in (built.folder / function).iterdir()] == ["app.py"]
    assert (built.folder / "GroundwireLayer" / "python" / "groundwire" / "entry" / "mcp.py").is_file()
    assert (built.folder / "ParsersLayer" / "share" / "tessdata" / "eng.traineddata").is_file()
    for layer in ("GroundwireLayer", "ParsersLayer"):
        libraries = [file for file in (built.folder / layer).rglob("*.so*") if file.suffix != ".py"]
        assert libraries
        assert {library.read_bytes()[18] for library in libraries} == {AARCH64}
        assert f"{layer}: " in built.said


def test_layers_hold_bytecode_of_the_runtimes_python_or_the_build_states_that_it_has_none(built: Build) -> None:
    compiled = list(built.folder.rglob("*.pyc"))
    assert bool(compiled) != ("built without bytecode" in built.said)
    for file in compiled:
        assert file.read_bytes()[:8] == BYTECODE_OF_3_13 + ALWAYS_BELIEVED, file


def test_layers_stay_small_and_hold_nothing_twice_and_no_tests(built: Build) -> None:
    core, parsers = built.folder / "GroundwireLayer", built.folder / "ParsersLayer"
    assert size(core) <= CORE
    assert size(core, parsers, built.folder / "ParserFunction") <= PARSING
    within = files(core, parsers)
    assert len(set(within)) == len(within)
    assert not [file for file in within if {"tests", "grpc", "google", "opensearch_protobufs"} & set(file.parts)]


@pytest.fixture(scope="module")
def here() -> list[Path]:
    """Both layers, made by the same makefiles for the Python and the processor of this machine."""
    try:
        made = artifacts.build()
    except Absent as absent:
        answer(absent)
    return [made[layer].folder for layer in ("GroundwireLayer", "ParsersLayer")]


def test_layers_are_as_small_on_this_machines_processor(here: list[Path]) -> None:
    assert size(here[0]) <= CORE
    assert size(*here) <= PARSING


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
from groundwire.adapters.parse.readers.pdf.pages.pdfium import load_library
assert load_library().FPDF_GetPageCount(None) == 0
"""
    done = subprocess.run([sys.executable, "-I", "-c", program], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
