"""Examples: the commands of their page, in a checkout whose environment has the product's wheel alone."""

import json
import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import pytest

from tests.e2e.packages.installation import ROOT
from tests.support.documentation.pages import commands
from tests.support.engines.lambda_runtime import running
from tests.support.engines.missing import Absent, answer

EXAMPLES: Final = ROOT / "examples"
MODULES: Final = sorted(EXAMPLES.glob("*/*.py"))
PAGE: Final = EXAMPLES / "README.md"
MODEL: Final = ROOT / ".cache" / "models" / "all-MiniLM-L6-v2-int8"
WHEELS: Final = "make wheels"
"""The one command that is not run here: tests/server/template/test_publishing.py runs it."""


@dataclass(frozen=True, slots=True)
class ExampleRun:
    """The page's commands after they were run, one after the other, in `folder`.

    Attributes:
        printed: output of each command.
    """

    folder: Path
    printed: dict[str, str]

    def output(self, part: str) -> str:
        """Return the output of the one command that contains the part."""
        [found] = [text for command, text in self.printed.items() if part in command]
        return found


@pytest.fixture(scope="module", autouse=True)
def _model() -> None:
    """Build the model of the checkout, as `make run` does."""
    subprocess.run([Path(sys.executable).with_name("groundwire"), "model", "build"], check=True, capture_output=True)


@pytest.fixture(scope="module")
def examples(python_of_the_product: Path, wheels: Path, tmp_path_factory: pytest.TempPathFactory) -> ExampleRun:
    folder = tmp_path_factory.mktemp("checkout")
    (folder / ".venv").symlink_to(python_of_the_product.parents[1])
    (folder / "samples").symlink_to(ROOT / "samples")
    (folder / "build").mkdir()
    (folder / "build" / "wheels").symlink_to(wheels)
    # A copy, because setuptools leaves files beside the sources.
    shutil.copytree(EXAMPLES, folder / "examples", ignore=shutil.ignore_patterns("__pycache__"))
    variables = {"PATH": os.environ["PATH"], "GROUNDWIRE_HOME": str(folder / "home"), "GROUNDWIRE_MODEL": str(MODEL)}
    printed: dict[str, str] = {}
    for command in commands(PAGE):
        if command.startswith("export "):
            name, _, value = command.removeprefix("export ").partition("=")
            variables[name] = value.strip("'")
        elif command != WHEELS:
            done = subprocess.run(
                ["bash", "-euc", command], cwd=folder, env=variables, capture_output=True, text=True, check=False
            )
            assert done.returncode == 0, f"{command}\n{done.stderr}"
            printed[command] = done.stdout
    return ExampleRun(folder, printed)


def call(name: str, **arguments: str) -> dict[str, object]:
    """Return the event of a call of a tool, as an HTTP API sends it."""
    body = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": name, "arguments": arguments}}
    event = json.loads((ROOT / "events" / "rag_search.json").read_text(encoding="utf-8"))
    return event | {"body": json.dumps(body)}


def test_each_example_is_on_the_page_and_short() -> None:
    assert len(MODULES) == 3
    page = PAGE.read_text(encoding="utf-8")
    for module in MODULES:
        assert f"`{module.parent.name}/`" in page
        assert len(module.read_text(encoding="utf-8").splitlines()) <= 60, module.name


def test_the_readers_print_a_document_by_page_and_kind(examples: ExampleRun) -> None:
    title, *blocks = examples.output("print_blocks").splitlines()
    assert title.endswith("(application/pdf, en)")
    assert any(re.match(r"\[page 1, heading\] \w", line) for line in blocks)
    assert any("27 days" in line for line in blocks)


def test_the_readers_name_the_reason_for_a_file_that_cannot_be_read(
    examples: ExampleRun, python_of_the_product: Path
) -> None:
    file = examples.folder / "broken.pdf"
    file.write_bytes(b"no PDF")
    program = examples.folder / "examples" / "embed_the_readers" / "print_blocks.py"
    done = subprocess.run([python_of_the_product, program, file], env={}, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert done.stderr.startswith("broken.pdf: ")
    assert "Traceback" not in done.stderr


def test_the_function_answers_a_call_of_its_tool_under_the_runtime_of_lambda(examples: ExampleRun) -> None:
    code = examples.folder / "build" / "function"
    assert {place.name for place in code.iterdir() if place.suffix != ".dist-info"} == {"app.py", "groundwire_mcp"}
    try:
        with running(code) as function:
            response = function.invoke(call("count_words", text="one two three"))
    except Absent as absent:
        answer(absent)
    assert isinstance(response, dict)
    assert response["statusCode"] == 200
    [content] = json.loads(response["body"])["result"]["content"]
    assert content["text"] == "3 words, counted for maria"


def test_a_key_for_the_toolset_of_the_dialect_is_made_after_its_installation(examples: ExampleRun) -> None:
    assert re.search(r"^gw_local_\w+$", examples.output("--toolset titles"), re.MULTILINE)
