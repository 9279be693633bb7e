"""Layers that sentence-transformers keeps outside of the graph: pooling and dense ones, of embedders and rerankers."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, get_args

import numpy as np
import pytest
from numpy.typing import NDArray

from groundwire.adapters.onnx.inference.reranker import OnnxReranker, load_reranker
from groundwire.adapters.onnx.models.repository import required_files
from groundwire.adapters.onnx.models.store import ModelStore
from groundwire.domain.errors import InvalidInput
from groundwire.settings.model_spec import ModelSpec, TokenPooling
from groundwire_model_builder.install.installer import add_model
from tests.server.adapters.onnx.test_sentence_model import FLAGS, ORACLE, TEXTS, installed, loaded, quiet, vectors
from tests.server.adapters.onnx.tiny import safetensors_file
from tests.support.models.repositories import DIMENSION, Repo, cross_encoder, encoder, tables, tokenizer

Floats = NDArray[np.float32]

ACTIVATIONS: dict[str, Callable[[Any], Any]] = {
    "torch.nn.modules.activation.Tanh": np.tanh,
    "torch.nn.modules.activation.Sigmoid": lambda values: 1 / (1 + np.exp(-values)),
    "torch.nn.modules.activation.ReLU": lambda values: np.maximum(values, 0),
    "torch.nn.modules.linear.Identity": lambda values: values,
}
TANH, IDENTITY = "torch.nn.modules.activation.Tanh", "torch.nn.modules.linear.Identity"


def weights(out: int, seed: int = 9) -> tuple[Floats, Floats]:
    random = np.random.default_rng(seed)
    return random.normal(0, 0.5, (out, DIMENSION)).astype(np.float32), random.normal(0, 1, out).astype(np.float32)


def dense(out: int, activation: str | None = TANH, *, bias: bool = True, **config: Any) -> dict[str, bytes]:
    """Files of a dense layer."""
    weight, offset = weights(out)
    declared: dict[str, Any] = {"in_features": DIMENSION, "out_features": out, "bias": bias, **config}
    if activation is not None:
        declared["activation_function"] = activation
    named = {"linear.weight": weight, **({"linear.bias": offset} if bias else {})}
    return {
        "9_Dense/config.json": json.dumps(declared).encode(),
        "9_Dense/model.safetensors": safetensors_file(named),
    }


def repository(files: dict[str, bytes], modules: str = "Transformer Pooling Dense Normalize", **facts: Any) -> Repo:
    return Repo(modules=modules.split(), files=files, **facts)


def token_vectors(text: str) -> Floats:
    known = tables()
    return known["words"][tokenizer().encode(text).ids] @ known["mixed"]


def unit(vector: Any) -> Any:
    return vector / np.linalg.norm(vector)


@pytest.mark.parametrize("pooling", get_args(TokenPooling))
def test_a_dense_layer_follows_the_pooling_of_each_text(tmp_path: Path, pooling: TokenPooling) -> None:
    model = loaded(tmp_path, repository(dense(5), pooling={FLAGS[pooling]: True}))
    weight, bias = weights(5)
    expected = [unit(np.tanh(weight @ ORACLE[pooling](token_vectors(text)) + bias)) for text in TEXTS]
    np.testing.assert_allclose(vectors(model, TEXTS), expected, atol=1e-5)
    assert model.model.dimension == 5


@pytest.mark.parametrize("activation", ACTIVATIONS)
@pytest.mark.parametrize("bias", [True, False])
def test_the_activation_is_the_declared_one_and_the_bias_may_be_absent(
    tmp_path: Path, activation: str, *, bias: bool
) -> None:
    model = loaded(tmp_path, repository(dense(6, activation, bias=bias)))
    weight, offset = weights(6)
    linear = weight @ token_vectors("the price").mean(axis=0) + (offset if bias else 0)
    np.testing.assert_allclose(vectors(model, ["the price"])[0], unit(ACTIVATIONS[activation](linear)), atol=1e-5)


def test_a_layer_that_declares_no_activation_has_the_librarys_own(tmp_path: Path) -> None:
    plain = vectors(loaded(tmp_path / "plain", repository(dense(5, None))), TEXTS)
    np.testing.assert_array_equal(plain, vectors(loaded(tmp_path / "tanh", repository(dense(5))), TEXTS))


def test_a_normalisation_before_the_layer_is_done_before_it(tmp_path: Path) -> None:
    model = loaded(tmp_path, repository(dense(5), "Transformer Pooling Normalize Dense"))
    weight, bias = weights(5)
    expected = unit(np.tanh(weight @ unit(token_vectors("the cat").mean(axis=0)) + bias))
    np.testing.assert_allclose(vectors(model, ["the cat"])[0], expected, atol=1e-5)


def test_an_int8_model_keeps_its_layer_and_is_close_to_f32(tmp_path: Path) -> None:
    full, small = (loaded(tmp_path, repository(dense(5)), precision=each) for each in ("f32", "int8"))
    assert (vectors(full, TEXTS) * vectors(small, TEXTS)).sum(axis=1).min() > 0.95


def test_a_graph_of_an_early_opset_reduces_alike(tmp_path: Path) -> None:
    early = encoder()
    early.opset_import[0].version = 13
    delayed = encoder()
    delayed.opset_import[0].version = 18
    results = [
        vectors(loaded(tmp_path / name, repository(dense(5), model=model, pooling={FLAGS["max"]: True})), TEXTS)
        for name, model in (("early", early), ("late", delayed))
    ]
    np.testing.assert_allclose(results[0], results[1], atol=1e-6)


def test_weights_outside_of_the_graphs_file_stay_there(tmp_path: Path) -> None:
    graph = encoder()
    tensor = graph.graph.initializer[0]
    content = tensor.raw_data
    tensor.ClearField("raw_data")
    tensor.data_location = 1
    tensor.external_data.add(key="location", value="model.onnx_data")
    files = dense(5) | {"onnx/model.onnx_data": content}
    model = loaded(tmp_path, repository(files, model=graph))
    weight, bias = weights(5)
    expected = unit(np.tanh(weight @ token_vectors("the cat").mean(axis=0) + bias))
    np.testing.assert_allclose(vectors(model, ["the cat"])[0], expected, atol=1e-5)


@pytest.mark.parametrize(
    ("repo", "reason"),
    [
        (repository({}), r"no model\.safetensors"),
        (repository(dense(5) | {"9_Dense/model.safetensors": b"\xff"}), "safetensors"),
        (repository(dense(5, "torch.nn.modules.activation.Softmax")), "activation .*Softmax"),
        (repository(dense(5, "os.system")), "activation os.system"),
        (repository(dense(5, use_residual=True)), "more than the pooled vector"),
        (repository(dense(5, module_input_name="token_embeddings")), "more than the pooled vector"),
        (repository(dense(5, out_features=6)), "8 to 6 values"),
        (repository(dense(5), "Transformer Dense Pooling"), "Transformer, Dense, Pooling"),
        (repository(dense(5), "Transformer Pooling WordWeights Dense"), "WordWeights"),
        (repository(dense(5), pooling=None), "--pooling"),
        (repository(dense(5), "Transformer Pooling Dense", prompts={"similarity_fn_name": "dot"}), "compared by dot"),
    ],
)
def test_a_layer_that_is_not_supported_is_refused_with_its_reason(tmp_path: Path, repo: Repo, reason: str) -> None:
    with pytest.raises(InvalidInput, match=reason):
        installed(tmp_path, repo)
    assert ModelStore(tmp_path / "models").all() == []


def test_a_graph_of_too_early_an_opset_is_refused(tmp_path: Path) -> None:
    early = encoder()
    early.opset_import[0].version = 9
    with pytest.raises(InvalidInput, match="opset 9: export the model with opset 11"):
        installed(tmp_path, repository(dense(5), model=early))


def test_the_files_of_a_layer_are_fetched_from_a_hub_but_no_pickle() -> None:
    names = [
        *dense(5),
        "9_Dense/pytorch_model.bin",
        "1_Pooling/config.json",
        "2_../model.safetensors",
        "other/config.json",
    ]
    assert required_files(names, "f32") == [*dense(5), "1_Pooling/config.json"]


def _reranker(tmp_path: Path, repo: Repo, precision: Any = "f32") -> OnnxReranker:
    folder = repo.write(tmp_path / "repository")
    model = add_model(tmp_path / "models", ModelSpec("maker/judge", folder, None, "reranker", precision), quiet)
    return load_reranker(tmp_path / "models" / model.folder_name, 1)


@pytest.mark.parametrize(("pooling", "precision"), [("cls", "f32"), ("last", "f32"), ("mean", "f32"), ("mean", "int8")])
def test_a_cross_encoder_of_modules_scores_by_its_dense_layer(
    tmp_path: Path, pooling: TokenPooling, precision: str
) -> None:
    files = dense(1, IDENTITY, bias=False, module_output_name="scores")
    repo = repository(files, "Transformer Pooling Dense", types=True, pooling={FLAGS[pooling]: True})
    passages = ["dog", "the price", "", "pump list of the mouse"]
    scores = _reranker(tmp_path, repo, precision).score("cat?", passages)
    known, (weight, _) = tables(), weights(1)
    pairs = [tokenizer().encode("cat?", passage) for passage in passages]
    summed = [known["words"][pair.ids] + known["types"][pair.type_ids] for pair in pairs]
    tokens: list[Floats] = [np.asarray(each @ known["mixed"], np.float32) for each in summed]
    expected = [float(weight[0] @ ORACLE[pooling](each)) for each in tokens]
    np.testing.assert_allclose(scores, expected, atol=1e-4 if precision == "f32" else 0.5)


@pytest.mark.parametrize(
    "declared",
    [
        {"config": {"sentence_transformers": {"activation_fn": "torch.nn.modules.activation.Sigmoid"}}},
        {"config": {"sbert_ce_default_activation_function": "torch.nn.modules.linear.Identity"}},
        {"prompts": {"activation_fn": "torch.nn.modules.activation.Sigmoid", "model_type": "CrossEncoder"}},
    ],
)
def test_a_classifier_with_one_label_and_a_rising_activation_ranks_by_its_logit(
    tmp_path: Path, declared: dict[str, dict[str, Any]]
) -> None:
    config = {"max_position_embeddings": 16, **declared.get("config", {})}
    repo = Repo(model=cross_encoder(1), modules=["Transformer"], config=config, prompts=declared.get("prompts", {}))
    assert _reranker(tmp_path, repo).score("price of the pump", ["dog", "the pump price"]) == [0, 3]


@pytest.mark.parametrize(
    ("repo", "reason"),
    [
        (Repo(model=cross_encoder(1), prompts={"activation_fn": "torch.nn.modules.activation.Softmax"}), "Softmax"),
        (
            Repo(model=cross_encoder(1), prompts={"prompts": {"query": "Judge: "}, "default_prompt_name": "query"}),
            "a prompt before the question",
        ),
        (Repo(modules=["Transformer", "LogitScore"]), "a language model that writes"),
        (repository(dense(1), "Transformer Pooling WordWeights Dense"), "WordWeights"),
        (repository(dense(2), "Transformer Pooling Dense"), "which of the model's labels"),
    ],
)
def test_a_cross_encoder_that_is_not_supported_is_refused_with_its_reason(
    tmp_path: Path, repo: Repo, reason: str
) -> None:
    with pytest.raises(InvalidInput, match=reason):
        _reranker(tmp_path, repo)
