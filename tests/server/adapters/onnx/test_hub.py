"""Models are fetched from a hub; the library reads its address when it is imported, so each try is a process."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from groundwire.adapters.onnx.models.repository import required_files
from groundwire.adapters.onnx.models.store import ModelStore
from tests.server.adapters.onnx.small_hub import COMMIT, Hub, hub
from tests.support.models.repositories import Repo

_ADD = """
import sys
from pathlib import Path
from groundwire_model_builder.install.installer import add_model
from groundwire.domain.errors import DomainError
from groundwire.settings.model_spec import ModelSpec
models, name, revision, precision = sys.argv[1:]
parts = []
try:
    order = ModelSpec(name, None, revision or None, precision=precision)
    print(add_model(Path(models), order, lambda step, part: parts.append(part)).id)
except DomainError as problem:
    print(type(problem).__name__, problem)
assert parts == sorted(parts) and all(0 <= part <= 1 for part in parts), parts
"""


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Hub]:
    folder = Repo(prompts={"prompts": {"query": "query: "}}).write(tmp_path / "repository")
    (folder / "pytorch_model.bin").write_bytes(bytes(1000))
    with hub("maker/tiny", folder) as opened:
        yield opened


def add(models: Path, served: Hub, name: str = "maker/tiny", revision: str = "", precision: str = "f32") -> str:
    environment = {
        **{key: value for key, value in os.environ.items() if not key.startswith(("HF_", "http", "HTTP"))},
        "HF_ENDPOINT": served.url,
        "HF_HOME": str(models.parent / "hub-home"),
        "NO_PROXY": "127.0.0.1",
    }
    command = [sys.executable, "-c", _ADD, str(models), name, revision, precision]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_the_files_that_are_used_are_fetched_and_the_model_is_named_by_its_commit(tmp_path: Path, served: Hub) -> None:
    models = tmp_path / "models"
    (served.folder / "onnx" / "model_quantized.onnx").write_bytes(b"another")
    assert add(models, served, revision="v1") == f"maker/tiny@{COMMIT[:12]}/8/f32"
    (model,) = ModelStore(models).all()
    assert (model.kind, model.licence) == ("embedding", "mit")
    assert [path.name for path in models.iterdir() if path.is_dir()] == [model.folder_name]

    fetched = {name for _, name, _ in served.requested}
    assert "onnx/model.onnx" in fetched
    assert fetched.isdisjoint({"pytorch_model.bin", "onnx/model_quantized.onnx"})


def test_what_arrived_before_a_line_broke_is_not_fetched_again(tmp_path: Path, served: Hub) -> None:
    models = tmp_path / "models"
    served.broken = {"onnx/model.onnx"}
    assert add(models, served).startswith("Unavailable")
    before, served.broken = len(served.requested), set()
    assert add(models, served) == f"maker/tiny@{COMMIT[:12]}/8/f32"
    assert {name for method, name, _ in served.requested[before:] if method == "GET"} >= {"onnx/model.onnx"}
    assert "config.json" not in {name for _, name, _ in served.requested[before:]}


def test_a_file_that_breaks_off_is_requested_again(tmp_path: Path, served: Hub) -> None:
    served.cut = {"tokenizer.json"}
    assert add(tmp_path / "models", served) == f"maker/tiny@{COMMIT[:12]}/8/f32"
    assert [(method, name) for method, name, _ in served.requested].count(("GET", "tokenizer.json")) == 2


def test_an_unknown_model_or_revision_is_reported(tmp_path: Path, served: Hub) -> None:
    assert add(tmp_path / "models", served, name="maker/other").startswith(
        "InvalidInput the hub has no model maker/other"
    )
    assert "maker/tiny at v9" in add(tmp_path / "models", served, revision="v9")


def test_a_hub_that_does_not_answer_is_reported(tmp_path: Path, served: Hub) -> None:
    served.url = "http://127.0.0.1:9"
    stated = add(tmp_path / "models", served)
    assert stated.startswith("Unavailable maker/tiny could not be fetched")
    assert "--from" in stated


def test_a_file_that_would_be_written_outside_of_the_models_folder_is_not_requested() -> None:
    beside = ["onnx/model.onnx", "onnx/model.onnx_data", "onnx/model.onnx_data_1"]
    assert required_files([*beside, "onnx/model.onnx_data/../../../../authorized_keys"], "f32") == beside
