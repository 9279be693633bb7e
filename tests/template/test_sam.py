"""AWS's own tool accepts the template and builds it, without Docker and without the runtime's Python.

Heavy: the first run makes an environment for the tool. The name keeps these tests last.
"""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.engines.absence import Absent, answer
from tests.engines.environment import environment

ROOT = Path(__file__).parents[2]


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


def test_the_build_puts_the_package_and_arm64_libraries_into_the_layer(sam: Path, tmp_path: Path) -> None:
    build = tmp_path / "build"
    run(sam, tmp_path, "build", "--build-dir", str(build))
    for function in ("AuthorizerFunction", "McpFunction", "ApiFunction"):
        assert [file.name for file in (build / function).iterdir()] == ["app.py"]
    layer = build / "GroundwireLayer" / "python"
    assert (layer / "groundwire" / "entry" / "mcp.py").is_file()
    libraries = list(layer.rglob("*.so"))
    assert libraries
    # The ELF header's machine field, offset 18: 0xB7 is AArch64.
    assert {library.read_bytes()[18] for library in libraries} == {0xB7}
    assert not list(layer.rglob("__pycache__"))
    assert sum(file.stat().st_size for file in layer.rglob("*")) < 60_000_000
