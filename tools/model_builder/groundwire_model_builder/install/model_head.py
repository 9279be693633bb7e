"""Layers after the encoder, as a repository of sentence-transformers declares them (`modules.json`)."""

from pathlib import PurePath, PurePosixPath
from typing import Final, Literal

from groundwire.adapters.onnx.models.repository import ModelRepository
from groundwire.domain.errors import InvalidInput
from groundwire.settings.model_spec import ModelSpec
from groundwire_model_builder.graph.graph_files import output_ranks
from groundwire_model_builder.graph.head import Activation, DenseLayer, GraphHead
from groundwire_model_builder.graph.safetensors import read_tensors
from groundwire_model_builder.install import model_config

_ACTIVATIONS: Final[dict[str, Activation]] = {
    "torch.nn.modules.activation.Tanh": "Tanh",
    "torch.nn.modules.activation.Sigmoid": "Sigmoid",
    "torch.nn.modules.activation.ReLU": "Relu",
    "torch.nn.modules.linear.Identity": "Identity",
}
# A dense layer of sentence-transformers has it where its configuration names none.
_DEFAULT_ACTIVATION: Final = "torch.nn.modules.activation.Tanh"
_POOLED: Final = "sentence_embedding"
_LOGITS: Final = "logits"
_WEIGHTS: Final = "model.safetensors"
_TOKENS_RANK: Final = 3
_SUPPORTED: Final = frozenset({"Transformer", "Pooling", "Dense", "Normalize", "Dropout"})


def head_of(repository: ModelRepository, graph: PurePath, spec: ModelSpec) -> GraphHead | None:
    """Return what has to be appended to the repository's graph; None where it has no dense layer outside of it.

    Raises:
        InvalidInput: a layer is not supported, or its files cannot be used; the reason names it.
    """
    modules = repository.modules()
    kinds = [kind for kind, _ in modules]
    outputs = output_ranks(repository.folder / graph)
    tokens = next((name for name in model_config.TOKEN_OUTPUTS if name in outputs), next(iter(outputs), ""))
    if "Dense" not in kinds or model_config.SENTENCE_OUTPUT in outputs or outputs.get(tokens) != _TOKENS_RANK:
        return None
    model_config.check_modules(repository, kinds, _SUPPORTED)
    if kinds[:1] != ["Transformer"] or kinds[1:2] != ["Pooling"]:
        raise InvalidInput(
            f"the model's layers are {', '.join(kinds)}; supported are Transformer, Pooling, then Dense: choose another"
        )
    steps: list[DenseLayer | Literal["normalise"]] = []
    for kind, path in modules[2:]:
        if kind == "Dense":
            steps.append(_dense_layer(repository, PurePosixPath(path)))
        elif kind == "Normalize":
            steps.append("normalise")
    output = _LOGITS if spec.kind == "reranker" else model_config.SENTENCE_OUTPUT
    return GraphHead(tokens, model_config.token_pooling(repository, spec), steps, output)


def _dense_layer(repository: ModelRepository, path: PurePosixPath) -> DenseLayer:
    config = repository.json_object(str(path / "config.json"))
    name = str(config.get("activation_function", _DEFAULT_ACTIVATION))
    activation = _ACTIVATIONS.get(name)
    if activation is None:
        raise InvalidInput(
            f"the activation {name} of {path} is not one of {', '.join(_ACTIVATIONS)}: choose another model"
        )
    if config.get("use_residual") or config.get("module_input_name", _POOLED) != _POOLED:
        raise InvalidInput(
            f"{path} is a dense layer with more than the pooled vector as its input: choose another model"
        )
    weights = repository.folder / path / _WEIGHTS
    if not weights.is_file():
        raise InvalidInput(
            f"{path} has no {_WEIGHTS}, and a pickle is not read, since it could run a program:"
            " save the model again with sentence-transformers 2.3 or later"
        )
    tensors = read_tensors(weights.read_bytes())
    weight, bias = tensors.get("linear.weight"), tensors.get("linear.bias")
    sizes = (config.get("out_features"), config.get("in_features"))
    if weight is None or weight.shape != sizes or (bias is not None and bias.shape != sizes[:1]):
        raise InvalidInput(
            f"{path / _WEIGHTS} does not hold the layer of {sizes[1]} to {sizes[0]} values that its config.json"
            " declares, in f32 or f16: fetch the model again"
        )
    return DenseLayer(weight, bias, activation)
