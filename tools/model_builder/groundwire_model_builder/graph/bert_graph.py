"""Construction of a BERT sentence encoder as an ONNX graph, with ONNX Runtime's fused operators.

Inputs: `input_ids` and `attention_mask`, int64 [batch, tokens]. Output: `sentence_embedding`, float32
[batch, dimension], unit length. Fused operators: https://github.com/microsoft/onnxruntime/blob/main/docs/ContribOperators.md
"""

from typing import Any, Final

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper

from groundwire_model_builder.graph.bert import BertConfig, BertWeights
from groundwire_model_builder.graph.four_bits import BLOCK_VALUES, FourBitMatrix
from groundwire_model_builder.graph.quantisation import quantise_rows
from groundwire_model_builder.graph.safetensors import FloatArray

INPUT_IDS: Final = "input_ids"
ATTENTION_MASK: Final = "attention_mask"
SENTENCE_EMBEDDING: Final = "sentence_embedding"

_FUSED: Final = "com.microsoft"
_OPSET: Final = 20
# IR 10 belongs to opset 20. ONNX Runtime reads it from 1.18 on; by default `onnx` could write a newer one.
_IR_VERSION: Final = 10


def build_graph(weights: BertWeights, *, int8_table: bool) -> onnx.ModelProto:
    """Return the encoder with pooling and normalisation; `int8_table` quarters the size of f32 word embeddings."""
    graph = _GraphBuilder(weights)
    mask = graph.node("Cast", [ATTENTION_MASK], to=TensorProto.INT32)
    tokens = _embed_tokens(graph, int8_table=int8_table)
    for layer in range(weights.config.layers):
        tokens = _encode_layer(graph, f"encoder.layer.{layer}.", tokens, mask)
    pooled = _first_token(graph, tokens) if weights.config.pooling == "cls" else _mean_of_tokens(graph, tokens)
    _unit_length(graph, pooled)
    return graph.model()


class _GraphBuilder:
    """Nodes and constants in the order of their addition, so that equal weights give equal bytes."""

    def __init__(self, weights: BertWeights) -> None:
        self.config: BertConfig = weights.config
        self.words: FourBitMatrix | None = weights.words
        self._tensors = weights.tensors
        self._nodes: list[onnx.NodeProto] = []
        self._constants: list[onnx.TensorProto] = []

    def tensor(self, name: str) -> FloatArray:
        return self._tensors[name]

    def constant(self, name: str, value: NDArray[np.generic]) -> str:
        self._constants.append(numpy_helper.from_array(np.asarray(value, order="C"), name))
        return name

    def weight(self, name: str) -> str:
        return self.constant(name, self.tensor(name))

    def integers(self, name: str, *values: int) -> str:
        return self.constant(name, np.array(values, np.int64))

    def node(self, operator: str, inputs: list[str], output: str = "", domain: str = "", **attributes: Any) -> str:
        name = f"{operator}_{len(self._nodes)}"
        result = output or f"{name}_out"
        self._nodes.append(helper.make_node(operator, inputs, [result], name=name, domain=domain, **attributes))
        return result

    def model(self) -> onnx.ModelProto:
        indices = [helper.make_tensor_value_info(n, TensorProto.INT64, ["batch", "tokens"]) for n in _INPUTS]
        vectors = helper.make_tensor_value_info(SENTENCE_EMBEDDING, TensorProto.FLOAT, ["batch", self.config.dimension])
        graph = helper.make_graph(self._nodes, "sentence_encoder", indices, [vectors], self._constants)
        opsets = [helper.make_opsetid("", _OPSET), helper.make_opsetid(_FUSED, 1)]
        return helper.make_model(graph, opset_imports=opsets, ir_version=_IR_VERSION, producer_name="groundwire")


_INPUTS: Final = (INPUT_IDS, ATTENTION_MASK)


def _embed_tokens(graph: _GraphBuilder, *, int8_table: bool) -> str:
    words = _look_up_words(graph, int8_table=int8_table)
    summed = graph.node("Add", [words, _positions(graph)])
    norm = "embeddings.LayerNorm."
    scale, shift = graph.weight(f"{norm}weight"), graph.weight(f"{norm}bias")
    return graph.node("LayerNormalization", [summed, scale, shift], epsilon=graph.config.epsilon, axis=-1)


def _look_up_words(graph: _GraphBuilder, *, int8_table: bool) -> str:
    name = "embeddings.word_embeddings.weight"
    if graph.words is not None:
        return _look_up_four_bits(graph, name, graph.words)
    if not int8_table:
        return graph.node("Gather", [graph.weight(name), INPUT_IDS])
    table, scales = quantise_rows(graph.tensor(name))
    rows = graph.node("Gather", [graph.constant(f"{name}_int8", table), INPUT_IDS])
    row_scales = graph.node("Gather", [graph.constant(f"{name}_scales", scales), INPUT_IDS])
    return graph.node("Mul", [graph.node("Cast", [rows], to=TensorProto.FLOAT), row_scales])


def _look_up_four_bits(graph: _GraphBuilder, name: str, words: FourBitMatrix) -> str:
    inputs = [graph.constant(f"{name}_int4", words.values), INPUT_IDS, graph.constant(f"{name}_scales", words.scales)]
    # Without zero points the operator takes 8 for them, as the format does. It returns the type of the scales.
    found = graph.node(
        "GatherBlockQuantized",
        inputs,
        domain=_FUSED,
        bits=4,
        block_size=BLOCK_VALUES,
        gather_axis=0,
        quantize_axis=1,
    )
    return graph.node("Cast", [found], to=TensorProto.FLOAT)


def _positions(graph: _GraphBuilder) -> str:
    # A single text is always of token type 0, so that type's vector is added here once, not on every call.
    token_type = graph.tensor("embeddings.token_type_embeddings.weight")[0]
    positions = graph.tensor("embeddings.position_embeddings.weight")[: graph.config.max_tokens] + token_type
    table = graph.constant("positions", positions)
    count = graph.node("Shape", [INPUT_IDS], start=1, end=2)
    return graph.node("Slice", [table, graph.integers("first_position", 0), count, graph.integers("position_axis", 0)])


def _encode_layer(graph: _GraphBuilder, layer: str, tokens: str, mask: str) -> str:
    attended = graph.node(
        "Attention", [tokens, *_attention_weights(graph, layer), mask], domain=_FUSED, num_heads=graph.config.heads
    )
    attended = _project(graph, f"{layer}attention.output", attended, tokens)
    inner = f"{layer}intermediate.dense"
    expanded = graph.node("MatMul", [attended, _linear(graph, inner)])
    activated = graph.node("BiasGelu", [expanded, graph.weight(f"{inner}.bias")], domain=_FUSED)
    return _project(graph, f"{layer}output", activated, attended)


def _attention_weights(graph: _GraphBuilder, layer: str) -> tuple[str, str]:
    parts = [f"{layer}attention.self.{part}" for part in ("query", "key", "value")]
    # The fused operator takes query, key and value in one matrix; PyTorch stores each as [out, in].
    weight = np.concatenate([graph.tensor(f"{part}.weight").T for part in parts], axis=1)
    bias = np.concatenate([graph.tensor(f"{part}.bias") for part in parts])
    return graph.constant(f"{layer}qkv.weight", weight), graph.constant(f"{layer}qkv.bias", bias)


def _project(graph: _GraphBuilder, block: str, values: str, residual: str) -> str:
    """Add a linear layer, the residual and layer normalisation; return the output's name."""
    projected = graph.node("MatMul", [values, _linear(graph, f"{block}.dense")])
    scale, shift = graph.weight(f"{block}.LayerNorm.weight"), graph.weight(f"{block}.LayerNorm.bias")
    inputs = [projected, residual, scale, shift, graph.weight(f"{block}.dense.bias")]
    return graph.node("SkipLayerNormalization", inputs, domain=_FUSED, epsilon=graph.config.epsilon)


def _linear(graph: _GraphBuilder, name: str) -> str:
    return graph.constant(f"{name}.weight", graph.tensor(f"{name}.weight").T)


def _first_token(graph: _GraphBuilder, tokens: str) -> str:
    return graph.node("Gather", [tokens, graph.constant("first_token", np.array(0, np.int64))], axis=1)


def _mean_of_tokens(graph: _GraphBuilder, tokens: str) -> str:
    mask = graph.node("Cast", [ATTENTION_MASK], to=TensorProto.FLOAT)
    column = graph.node("Unsqueeze", [mask, graph.integers("mask_axis", 2)])
    axis = graph.integers("token_axis", 1)
    total = graph.node("ReduceSum", [graph.node("Mul", [tokens, column]), axis], keepdims=0)
    return graph.node("Div", [total, graph.node("ReduceSum", [mask, axis], keepdims=1)])


def _unit_length(graph: _GraphBuilder, pooled: str) -> None:
    length = graph.node("ReduceL2", [pooled, graph.integers("vector_axis", 1)], keepdims=1)
    graph.node("Div", [pooled, length], output=SENTENCE_EMBEDDING)
