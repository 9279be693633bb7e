"""AWS's own tool accepts the template and builds it, without Docker and without the runtime's Python.

Heavy: the first run makes an environment for the tool. The name keeps these tests last.
"""

import base64
import hashlib
import json
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib.metadata import distributions
from pathlib import Path
from typing import Final

import pytest

from tests.support.aws.deployment import artifacts
from tests.support.aws.template.variants import TEMPLATE, variant
from tests.support.documentation.pages import GUIDES, commands
from tests.support.engines.installers.python_environments import environment
from tests.support.engines.missing import Absent, answer

ROOT: Final = Path(__file__).parents[3]
IMAGE: Final = "EmbeddingImageUri=123456789012.dkr.ecr.eu-central-1.amazonaws.com/embedding:1"
FUNCTIONS: Final = (
    *("AuthorizerFunction", "McpFunction", "ApiFunction", "IngestionFunction", "OperatorFunction"),
    *("SourcesFunction", "ParserFunction"),
)
MOST_UNPACKED: Final = 262_144_000
"""Bytes of a function with its layers, unpacked, by Lambda's quotas (250 MB, as AWS counts them)."""
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
    """Return the paths of all files, relative to their folder; a path in two folders is listed twice."""
    return [file.relative_to(folder) for folder in folders for file in folder.rglob("*") if file.is_file()]


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


def of_functions(made: Callable[[str], Path]) -> dict[str, list[Path]]:
    """The folders that each function consists of: its own and those of its layers."""
    general = TEMPLATE["Globals"]["Function"]["Layers"]
    functions = variant().of_type("AWS::Serverless::Function")
    return {
        name: [made(name), *(made(layer["Ref"]) for layer in (*general, *functions[name].get("Layers", [])))]
        for name in FUNCTIONS
    }


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
