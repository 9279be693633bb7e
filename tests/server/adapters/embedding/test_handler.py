"""The function's handler in this process: what a snapshot holds, and what is renewed in those who come of it."""

import random
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Literal

import numpy as np
import pytest
from awslambdaric import lambda_runtime_hooks_runner as hooks

from groundwire.adapters.onnx.images.embedder import load_image_embedder
from groundwire.adapters.onnx.inference.embedder import OnnxEmbedder
from groundwire.domain.errors import InvalidInput
from groundwire.domain.search.model_languages import ALL_LANGUAGES
from groundwire.entry.functions.embedding import EmbeddingHandler, register_snapshot_hooks
from groundwire.ports import ImageEmbedder, ModelId, Vector
from groundwire.wiring.cloud import embedding
from tests.support.models.image_models import ImageRepo


class Counting:
    """Embedder that keeps the texts of each call."""

    model = ModelId("m", 1)
    languages = ALL_LANGUAGES

    def __init__(self) -> None:
        self.requested: list[Sequence[str]] = []

    def embed(self, texts: Sequence[str], kind: Literal["query", "passage"]) -> list[Vector]:
        self.requested.append(texts)
        return [bytes(4)] * len(texts)


def test_warming_loads_the_model_and_lets_it_work_once() -> None:
    embedder = Counting()
    assert EmbeddingHandler(lambda: embedder)({"warm": True}, None) == {"warm": True}
    assert len(embedder.requested) == 1


def test_warming_lets_the_image_model_work_as_well(tmp_path: Path) -> None:
    images = load_image_embedder(ImageRepo().write(tmp_path), 1)
    loaded: list[str] = []

    def load() -> ImageEmbedder:
        loaded.append("once")
        return images

    assert EmbeddingHandler(Counting, load)({"warm": True}, None) == {"warm": True}
    assert loaded == ["once"]


@pytest.mark.parametrize("event", [{"image_queries": ["red"]}, {"thumbnails": ""}])
def test_a_function_without_an_image_model_names_the_parameter(event: dict[str, object]) -> None:
    embedder = Counting()
    with pytest.raises(InvalidInput, match="ImageModel"):
        EmbeddingHandler(lambda: embedder)(event, None)
    assert embedder.requested == []


@pytest.mark.parametrize("event", [{"warm": False}, {"warm": 1, "texts": ["a"]}, {}])
def test_an_event_that_is_neither_call_nor_warming_reaches_no_model(event: dict[str, object]) -> None:
    embedder = Counting()
    with pytest.raises(InvalidInput):
        EmbeddingHandler(lambda: embedder)(event, None)
    assert embedder.requested == []


def test_a_snapshot_is_taken_with_the_model_at_work_and_each_copy_draws_other_numbers(
    in_process: OnnxEmbedder, monkeypatch: pytest.MonkeyPatch
) -> None:
    loaded: list[str] = []

    def model() -> OnnxEmbedder:
        loaded.append("once")
        return in_process

    monkeypatch.setattr(embedding, "load_embedder", model)
    register_snapshot_hooks()
    hooks.run_before_snapshot()
    assert loaded == ["once"]

    state = random.getstate(), str(np.random.get_state())  # noqa: NPY002
    hooks.run_after_restore()
    assert random.getstate() != state[0]
    assert str(np.random.get_state()) != state[1]  # noqa: NPY002


def test_the_handler_starts_where_lambdas_hooks_are_not_installed() -> None:
    program = (
        "import sys; sys.modules['snapshot_restore_py'] = None; "
        "from groundwire.entry.functions.embedding import handler"
    )
    subprocess.run([sys.executable, "-c", program], check=True)


def test_importing_the_function_loads_neither_a_model_nor_a_library_for_one() -> None:
    program = (
        "import sys; from groundwire.entry.functions import embedding;"
        " assert not {'numpy', 'onnxruntime', 'botocore'} & sys.modules.keys()"
    )
    subprocess.run([sys.executable, "-c", program], check=True)
