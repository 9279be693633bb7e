from pathlib import Path

import pytest

from groundwire.adapters.onnx.inference.embedder import OnnxEmbedder
from groundwire.adapters.onnx.models.manifest import MANIFEST_FILE, read_manifest
from groundwire.domain.errors import InvalidInput, NotFound


def test_a_missing_model_names_the_command_that_builds_it(tmp_path: Path) -> None:
    with pytest.raises(NotFound, match="`groundwire model build`, or set GROUNDWIRE_MODEL"):
        OnnxEmbedder.load(tmp_path / "nothing", 1)


@pytest.mark.parametrize("name", ["model.onnx", "vocab.txt"])
def test_a_changed_file_is_named_and_the_model_is_not_loaded(tiny_model: Path, name: str) -> None:
    with (tiny_model / name).open("ab") as file:
        file.write(b"\0")
    with pytest.raises(InvalidInput, match=name) as refused:
        OnnxEmbedder.load(tiny_model, 1)
    assert "\n" not in str(refused.value)


def test_a_file_that_no_longer_exists_is_named(tiny_model: Path) -> None:
    (tiny_model / "vocab.txt").unlink()
    with pytest.raises(InvalidInput, match=r"vocab\.txt cannot be read"):
        OnnxEmbedder.load(tiny_model, 1)


@pytest.mark.parametrize("content", [b"", b"[]", b"{", b"null", b'{"format": 2}', b'{"format": 1}', b"\xff"])
def test_an_invalid_manifest_is_refused(tiny_model: Path, content: bytes) -> None:
    (tiny_model / MANIFEST_FILE).write_bytes(content)
    with pytest.raises(InvalidInput, match=r"model\.json cannot be read"):
        read_manifest(tiny_model)
