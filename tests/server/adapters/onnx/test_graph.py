import math
from pathlib import Path
from typing import get_args

import numpy as np
import pytest

from groundwire.adapters.onnx.inference.embedder import OnnxEmbedder
from groundwire.adapters.onnx.inference.wordpiece import WordPiece
from groundwire.adapters.onnx.models.manifest import ModelFiles, Pooling, read_model
from groundwire.domain.errors import InvalidInput
from groundwire_model_builder.graph.bert import BertConfig, BertWeights, read_config
from groundwire_model_builder.graph.bert_graph import build_graph
from groundwire_model_builder.graph.quantisation import quantise_rows
from groundwire_model_builder.graph.safetensors import FloatArray, read_tensors
from tests.server.adapters.onnx.tiny import DIMENSION, PIECES, safetensors_file, tensors

_TEXTS = ["the cat", "price list of the dog!", "cat", ""]
_HEADS = 4


def _norm(rows: FloatArray, w: dict[str, FloatArray], name: str) -> FloatArray:
    centred = rows - rows.mean(1, keepdims=True)
    return centred / np.sqrt(centred.var(1, keepdims=True) + 1e-12) * w[f"{name}.weight"] + w[f"{name}.bias"]


def _linear(rows: FloatArray, w: dict[str, FloatArray], name: str) -> FloatArray:
    return rows @ w[f"{name}.weight"].T + w[f"{name}.bias"]


def _attend(x: FloatArray, w: dict[str, FloatArray], name: str) -> FloatArray:
    parts = [_linear(x, w, f"{name}.{part}") for part in ("query", "key", "value")]
    query, key, value = (part.reshape(len(x), _HEADS, -1).swapaxes(0, 1) for part in parts)
    scores = np.exp(query @ key.swapaxes(1, 2) / math.sqrt(DIMENSION / _HEADS))
    return ((scores / scores.sum(2, keepdims=True)) @ value).swapaxes(0, 1).reshape(len(x), DIMENSION)


def expected_vector(ids: list[int], w: dict[str, FloatArray], pooling: Pooling) -> FloatArray:
    """The encoder as its paper writes it, for one text, without batching, masks or fused operators."""
    x = w["embeddings.word_embeddings.weight"][ids] + w["embeddings.position_embeddings.weight"][: len(ids)]
    x = _norm(x + w["embeddings.token_type_embeddings.weight"][0], w, "embeddings.LayerNorm")
    for layer in ("encoder.layer.0.", "encoder.layer.1."):
        attended = _linear(_attend(x, w, f"{layer}attention.self"), w, f"{layer}attention.output.dense")
        x = _norm(x + attended, w, f"{layer}attention.output.LayerNorm")
        inner = _linear(x, w, f"{layer}intermediate.dense")
        inner = inner * (1 + np.vectorize(math.erf)(inner / math.sqrt(2))) / 2
        x = _norm(x + _linear(inner, w, f"{layer}output.dense"), w, f"{layer}output.LayerNorm")
    pooled = x.mean(0) if pooling == "mean" else x[0]
    return pooled / np.linalg.norm(pooled)


@pytest.mark.parametrize("pooling", get_args(Pooling))
def test_a_padded_batch_gives_what_the_encoder_gives_for_each_text_alone(tiny_model: Path, pooling: Pooling) -> None:
    named = tensors(seed=7)
    weights = BertWeights(BertConfig(2, _HEADS, DIMENSION, 1e-12, 16, pooling), named)
    files = read_model(tiny_model)
    graph = build_graph(weights, int8_table=False).SerializeToString()
    vectors = OnnxEmbedder(ModelFiles(files.manifest, graph, files.vocabulary), 1).embed(_TEXTS, "passage")
    tokenizer = WordPiece("\n".join(PIECES), 16)
    for text, vector in zip(_TEXTS, vectors, strict=True):
        expected = expected_vector(tokenizer.encode(text), named, pooling)
        np.testing.assert_allclose(np.frombuffer(vector, "<f4"), expected, atol=2e-5)


def test_quantised_rows_are_within_half_a_step_of_the_table() -> None:
    table = np.random.default_rng(3).normal(size=(40, 8)).astype(np.float32)
    table[5] = 0
    rows, scales = quantise_rows(table)
    assert rows.dtype == np.int8
    assert (np.abs(rows * scales - table) <= scales / 2 + 1e-6).all()


def test_tensors_are_read_as_they_were_written() -> None:
    named = tensors(seed=2)
    read = read_tensors(safetensors_file(named))
    assert read.keys() == named.keys()
    assert all(np.array_equal(read[name], tensor) for name, tensor in named.items())


@pytest.mark.parametrize("content", [b"", b"\xff" * 8, safetensors_file(tensors(seed=2))[:-4]])
def test_a_cut_or_foreign_weights_file_is_refused(content: bytes) -> None:
    with pytest.raises(InvalidInput, match="not a whole safetensors file"):
        read_tensors(content)


@pytest.mark.parametrize("config", [b"{}", b"[]", b"", b'{"model_type": "t5", "hidden_act": "gelu"}'])
def test_only_a_bert_encoder_is_built(config: bytes) -> None:
    with pytest.raises(InvalidInput, match="BERT encoder"):
        read_config(config, 16, "mean")
