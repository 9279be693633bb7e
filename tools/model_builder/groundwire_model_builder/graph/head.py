"""Pooling and dense layers of a model, appended to the graph of its encoder.

sentence-transformers keeps them outside of the graph that it exports: https://sbert.net/docs/package_reference/models.html
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal

import numpy as np
from numpy.typing import NDArray
from onnx import GraphProto, TensorProto, helper, numpy_helper

from groundwire.domain.errors import InvalidInput
from groundwire.settings.model_spec import TokenPooling
from groundwire_model_builder.graph.graph_files import load_graph
from groundwire_model_builder.graph.safetensors import FloatArray

Activation = Literal["Tanh", "Sigmoid", "Relu", "Identity"]
"""Activation of a dense layer, as ONNX names its operator."""

_MIN_OPSET: Final = 11
_AXES_AS_INPUT: Final = 18
"""First opset whose operators that reduce take their axes as an input."""
# Not minus infinity, which times zero is no number: tokens that count would become that.
_FAR_BELOW: Final = -1e9
# A vector of zeros must not be divided by its length.
_SHORTEST: Final = 1e-12


@dataclass(frozen=True, slots=True)
class DenseLayer:
    """A linear layer with an activation.

    Attributes:
        weight: [out, in]. bias: [out]; None: no bias.
    """

    weight: FloatArray
    bias: FloatArray | None
    activation: Activation


@dataclass(frozen=True, slots=True)
class GraphHead:
    """Layers that follow the encoder.

    Attributes:
        tokens: the graph's output with token vectors [batch, tokens, dimension].
        steps: after pooling, in order; "normalise": to unit length.
        output: name of the result [batch, dimension of the last layer], which becomes the graph's only output.
    """

    tokens: str
    pooling: TokenPooling
    steps: Sequence[DenseLayer | Literal["normalise"]]
    output: str


def append_head(graph: Path, head: GraphHead) -> None:
    """Append the head to the graph in a file; weights outside of the file stay there.

    Raises:
        InvalidInput: the graph's operators are of too early a version.
    """
    model = load_graph(graph, load_external_data=False)
    opset = next((each.version for each in model.opset_import if each.domain in {"", "ai.onnx"}), 0)
    if opset < _MIN_OPSET:
        raise InvalidInput(f"{graph.name} is of ONNX opset {opset}: export the model with opset {_MIN_OPSET} or later")
    nodes = _HeadNodes(model.graph, opset)
    # A graph in half precision gives its token vectors in it, and a head has 32 bits.
    pooled = _POOLINGS[head.pooling](nodes, nodes.node("Cast", [head.tokens], to=TensorProto.FLOAT))
    for step in head.steps:
        pooled = nodes.normalised(pooled) if step == "normalise" else nodes.dense(pooled, step)
    nodes.node("Identity", [pooled], output=head.output)
    del model.graph.output[:]
    model.graph.output.append(helper.make_tensor_value_info(head.output, TensorProto.FLOAT, ["batch", None]))
    graph.write_bytes(model.SerializeToString())


class _HeadNodes:
    """Nodes and constants that are added to a graph, with names of their own."""

    def __init__(self, graph: GraphProto, opset: int) -> None:
        self._graph = graph
        self._opset = opset
        self._mask: str | None = None

    def node(self, operator: str, inputs: list[str], output: str = "", **attributes: Any) -> str:
        name = f"groundwire_head_{len(self._graph.node)}"
        self._graph.node.append(helper.make_node(operator, inputs, [output or name], name=name, **attributes))
        return output or name

    def constant(self, value: NDArray[np.generic]) -> str:
        name = f"groundwire_head_constant_{len(self._graph.initializer)}"
        self._graph.initializer.append(numpy_helper.from_array(np.asarray(value, order="C"), name))
        return name

    def number(self, value: float) -> str:
        return self.constant(np.array(value, np.float32))

    def shaped(self, values: str, *shape: int) -> str:
        return self.node("Reshape", [values, self.constant(np.array(shape, np.int64))])

    def mask(self) -> str:
        """Return the mask as floats [batch, tokens]."""
        self._mask = self._mask or self.node("Cast", ["attention_mask"], to=TensorProto.FLOAT)
        return self._mask

    def token_count(self) -> str:
        """Return the number of tokens [batch, 1, 1]."""
        return self.node("MatMul", [self.shaped(self.mask(), 0, 1, -1), self.shaped(self.mask(), 0, -1, 1)])

    def weighted_sum(self, tokens: str, weights: str) -> str:
        """Return the sum [batch, dimension] of token vectors, weighted by [batch, 1, tokens]."""
        return self.shaped(self.node("MatMul", [weights, tokens]), 0, -1)

    def reduced(self, operator: str, values: str, *, keep: int) -> str:
        if self._opset < _AXES_AS_INPUT:
            return self.node(operator, [values], axes=[1], keepdims=keep)
        return self.node(operator, [values, self.constant(np.array([1], np.int64))], keepdims=keep)

    def normalised(self, vectors: str) -> str:
        length = self.node("Max", [self.reduced("ReduceL2", vectors, keep=1), self.number(_SHORTEST)])
        return self.node("Div", [vectors, length])

    def dense(self, vectors: str, layer: DenseLayer) -> str:
        product = self.node("MatMul", [vectors, self.constant(layer.weight.T)])
        if layer.bias is not None:
            product = self.node("Add", [product, self.constant(layer.bias)])
        return self.node(layer.activation, [product])


def _mean(nodes: _HeadNodes, tokens: str) -> str:
    weights = nodes.node("Div", [nodes.shaped(nodes.mask(), 0, 1, -1), nodes.token_count()])
    return nodes.weighted_sum(tokens, weights)


def _first(nodes: _HeadNodes, tokens: str) -> str:
    return nodes.node("Gather", [tokens, nodes.constant(np.array(0, np.int64))], axis=1)


def _largest(nodes: _HeadNodes, tokens: str) -> str:
    padding = nodes.node("Sub", [nodes.number(1.0), nodes.shaped(nodes.mask(), 0, -1, 1)])
    masked = nodes.node("Add", [tokens, nodes.node("Mul", [padding, nodes.number(_FAR_BELOW)])])
    return nodes.reduced("ReduceMax", masked, keep=0)


def _last(nodes: _HeadNodes, tokens: str) -> str:
    mask = nodes.shaped(nodes.mask(), 0, 1, -1)
    number = nodes.node("CumSum", [mask, nodes.constant(np.array(2, np.int64))])
    is_last = nodes.node("Cast", [nodes.node("Equal", [number, nodes.token_count()])], to=TensorProto.FLOAT)
    # Padding repeats the last number, so the mask removes it.
    return nodes.weighted_sum(tokens, nodes.node("Mul", [is_last, mask]))


_POOLINGS: Final[Mapping[TokenPooling, Callable[[_HeadNodes, str], str]]] = {
    "mean": _mean,
    "cls": _first,
    "max": _largest,
    "last": _last,
}
