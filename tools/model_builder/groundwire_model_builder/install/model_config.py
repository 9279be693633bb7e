"""Configuration read from a model's repository: pooling, prefixes, labels; unsupported ones are refused."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Final, get_args

from groundwire.adapters.onnx.inference.session import GraphSession, TensorInfo
from groundwire.adapters.onnx.models.repository import ModelRepository
from groundwire.domain.errors import InvalidInput
from groundwire.settings.model_spec import ModelSpec, TokenPooling

SENTENCE_OUTPUT: Final = "sentence_embedding"
TOKEN_OUTPUTS: Final = ("last_hidden_state", "token_embeddings")
_INPUTS: Final = frozenset({"input_ids", "attention_mask", "token_type_ids"})
_POOLING_FLAGS: Final[Mapping[str, TokenPooling | None]] = {
    "pooling_mode_cls_token": "cls",
    "pooling_mode_mean_tokens": "mean",
    "pooling_mode_max_tokens": "max",
    "pooling_mode_lasttoken": "last",
    "pooling_mode_mean_sqrt_len_tokens": None,
    "pooling_mode_weightedmean_tokens": None,
}
_PROMPTS: Final = "config_sentence_transformers.json"
_QUERY_PROMPTS: Final = ("query",)
_PASSAGE_PROMPTS: Final = ("document", "passage", "corpus")
_POSITIVE_LABELS: Final = frozenset({"relevant", "positive", "entailment", "yes", "true", "label_1", "1"})
_TOKENS_RANK: Final = 3
_NUMPY_MODULES: Final = frozenset({"Transformer", "Pooling", "Normalize", "Dropout"})
"""Kinds of layers after a graph of token vectors that need no layer appended to it."""
_FORMER_ACTIVATION: Final = "sbert_ce_default_activation_function"
_MONOTONE: Final = frozenset({"torch.nn.modules.activation.Sigmoid", "torch.nn.modules.linear.Identity"})
"""Activations of a score that change no order; the score before them is used."""


@dataclass(frozen=True, slots=True)
class PromptPrefixes:
    """The texts that the model expects before a query and before a passage."""

    query: str
    passage: str


def check_inputs(session: GraphSession) -> None:
    """Check that the graph reads tokens and nothing else.

    Raises:
        InvalidInput: the graph has other inputs.
    """
    wanted = {each.name for each in session.get_inputs()}
    if unsupported := sorted(wanted - _INPUTS):
        raise InvalidInput(
            f"the graph wants {unsupported[0]}, which an encoder of texts does not: export it as an encoder"
        )
    if not {"input_ids", "attention_mask"} <= wanted:
        raise InvalidInput("the graph does not read input_ids and attention_mask: export it as an encoder of texts")


def vector_output(session: GraphSession) -> TensorInfo:
    """Return the output that holds the text's vector, or else its token vectors.

    Raises:
        InvalidInput: the graph has neither.
    """
    outputs = {each.name: each for each in session.get_outputs()}
    for name in (SENTENCE_OUTPUT, *TOKEN_OUTPUTS):
        if name in outputs:
            return outputs[name]
    first = next(iter(outputs.values()))
    if len(first.shape) != _TOKENS_RANK:
        raise InvalidInput(
            f"the graph gives {', '.join(outputs)}: neither token vectors nor {SENTENCE_OUTPUT}; "
            "a cross-encoder is added with --reranker"
        )
    return first


def pooling_of(repository: ModelRepository, output: TensorInfo, spec: ModelSpec) -> TokenPooling | None:
    """Return the pooling of token vectors into one; None when the graph does it.

    Raises:
        InvalidInput: the pooling is unknown or not supported.
    """
    if output.name == SENTENCE_OUTPUT:
        return None
    check_modules(repository, [kind for kind, _ in repository.modules()], _NUMPY_MODULES)
    return token_pooling(repository, spec)


def token_pooling(repository: ModelRepository, spec: ModelSpec) -> TokenPooling:
    """Return the requested pooling, else that of the model's own files.

    Raises:
        InvalidInput: the pooling is unknown or not supported.
    """
    if spec.pooling is not None:
        return spec.pooling
    paths = [path for kind, path in repository.modules() if kind == "Pooling"] or ["1_Pooling"]
    pooling_config = repository.json_object(str(PurePosixPath(paths[0]) / "config.json"))
    if not pooling_config:
        raise InvalidInput(
            "the model does not say how its token vectors become one (1_Pooling/config.json): name it with --pooling"
        )
    return _configured_pooling(pooling_config)


def prefixes_of(repository: ModelRepository, spec: ModelSpec) -> PromptPrefixes:
    """Return the requested prefixes, else the model's own prompts.

    Raises:
        InvalidInput: the model excludes its prompts from its pooling.
    """
    prompts = repository.json_section(_PROMPTS, "prompts")
    default_prompt = prompts.get(str(repository.json_object(_PROMPTS).get("default_prompt_name")), "")
    found = PromptPrefixes(
        query=spec.query_prefix if spec.query_prefix is not None else _prompt(prompts, _QUERY_PROMPTS, default_prompt),
        passage=spec.passage_prefix
        if spec.passage_prefix is not None
        else _prompt(prompts, _PASSAGE_PROMPTS, default_prompt),
    )
    if (found.query or found.passage) and _ignores_prompt(repository):
        raise InvalidInput("the model leaves its prompts out of its pooling, which is not supported: choose another")
    return found


def positive_label(repository: ModelRepository, count: int) -> int:
    """Return the index of the reranker's label that means "this answers"; 0 for a single label.

    Raises:
        InvalidInput: no label, or more than one, has such a name.
    """
    labels = repository.json_section("config.json", "id2label")
    if count <= 1:
        return 0
    positive = [int(number) for number, name in labels.items() if str(name).casefold() in _POSITIVE_LABELS]
    if len(positive) != 1 or not 0 <= positive[0] < count:
        names = ", ".join(map(str, labels.values())) or "none"
        raise InvalidInput(
            f"which of the model's labels ({names}) means a good answer is not to be seen: choose another"
        )
    return positive[0]


def check_reranker(repository: ModelRepository) -> None:
    """Check that the order of the scores is that of the graph's output, and that no prompt is expected.

    Raises:
        InvalidInput: the model declares another activation or a prompt, or generates its answer.
    """
    declared = repository.json_object(_PROMPTS)
    former = repository.json_object("config.json")
    section = repository.json_section("config.json", "sentence_transformers")
    activation = declared.get("activation_fn") or section.get("activation_fn") or former.get(_FORMER_ACTIVATION)
    if activation is not None and activation not in _MONOTONE:
        raise InvalidInput(
            f"the model's scores have the activation {activation}, which is not supported: choose another"
        )
    prompt = repository.json_section(_PROMPTS, "prompts").get(str(declared.get("default_prompt_name")))
    if prompt:
        raise InvalidInput("the reranker expects a prompt before the question, which is not supported: choose another")
    if any(kind == "LogitScore" for kind, _ in repository.modules()):
        raise InvalidInput("the reranker is a language model that writes its answer: choose one that is an encoder")


def check_modules(repository: ModelRepository, kinds: Sequence[str], supported: frozenset[str]) -> None:
    """Check that the model has layers of supported kinds only, and vectors that are compared by their angle.

    Raises:
        InvalidInput: something else is declared.
    """
    for kind in kinds:
        if kind not in supported:
            raise InvalidInput(
                f"the model has a {kind} layer outside its graph, which is not supported:"
                f" export it with a {SENTENCE_OUTPUT} output, or choose another"
            )
    # Vectors of unit length have one order by all of these measures.
    similarity = repository.json_object(_PROMPTS).get("similarity_fn_name")
    if similarity in {"dot", "dot_product", "euclidean", "manhattan"} and "Normalize" not in kinds:
        raise InvalidInput(f"the model's vectors are compared by {similarity} at any length, not by their angle")


def _configured_pooling(config: Mapping[str, object]) -> TokenPooling:
    named = config.get("pooling_mode")
    modes: list[TokenPooling | None] = [mode for flag, mode in _POOLING_FLAGS.items() if config.get(flag) is True]
    if isinstance(named, str):
        modes = [
            mode
            for flag, mode in _POOLING_FLAGS.items()
            if flag in {f"pooling_mode_{named}", f"pooling_mode_{named}_tokens"}
        ]
    mode = modes[0] if len(modes) == 1 else None
    if mode is None:
        raise InvalidInput(
            f"the model's pooling is not one of {', '.join(get_args(TokenPooling))}: choose another model"
        )
    return mode


def _prompt(prompts: Mapping[str, object], names: Sequence[str], default: object) -> str:
    return str(next((prompts[name] for name in names if name in prompts), default))


def _ignores_prompt(repository: ModelRepository) -> bool:
    folders = [path for kind, path in repository.modules() if kind == "Pooling"] or ["1_Pooling"]
    return repository.json_object(str(PurePosixPath(folders[0]) / "config.json")).get("include_prompt") is False
