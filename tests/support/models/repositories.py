"""Tiny model repositories as hubs keep them, small enough that what they must answer can be worked out in numpy."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors

# By name, since a type checker takes the folder of these tests for the library.
onnx: Any = import_module("onnx")
helper, numpy_helper, TensorProto = onnx.helper, onnx.numpy_helper, onnx.TensorProto
Graph = Any

WORDS = ["cat", "dog", "mouse", "price", "list", "query", "passage", "pump", "weight", "the", "of", ":", ".", "?"]
VOCABULARY = {word: number for number, word in enumerate(["[PAD]", "[UNK]", "[CLS]", "[SEP]", *WORDS])}
SIZE, DIMENSION = 40, 8
Kind = Literal["wordpiece", "bpe", "unigram"]


def tables(seed: int = 5) -> dict[str, NDArray[np.float32]]:
    random = np.random.default_rng(seed)
    shapes = {"words": (SIZE, DIMENSION), "types": (2, DIMENSION), "mixed": (DIMENSION, DIMENSION)}
    return {name: random.normal(0, 1, shape).astype(np.float32) for name, shape in shapes.items()}


def tokenizer(kind: Kind = "wordpiece") -> Tokenizer:
    pieces = {**VOCABULARY, **{chr(97 + n): len(VOCABULARY) + n for n in range(SIZE - len(VOCABULARY) - 1)}}
    made = {
        "wordpiece": lambda: models.WordPiece(VOCABULARY, unk_token="[UNK]"),
        "bpe": lambda: models.BPE(pieces | {"ca": SIZE - 1}, [("c", "a"), ("ca", "t")], unk_token="[UNK]"),
        "unigram": lambda: models.Unigram([(word, -float(number + 1)) for word, number in VOCABULARY.items()], 1),
    }[kind]()
    found = Tokenizer(made)
    found.normalizer = normalizers.Lowercase()
    found.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    found.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]",
        pair="[CLS] $A [SEP] $B:1 [SEP]:1",
        special_tokens=[("[CLS]", 2), ("[SEP]", 3)],
    )
    found.add_special_tokens(["[PAD]", "[CLS]", "[SEP]"])
    return found


@dataclass
class Repo:
    """What a repository holds; a test changes what it is about."""

    output: str = "last_hidden_state"
    types: bool = False
    pooling: dict[str, Any] | None = field(default_factory=lambda: {"pooling_mode_mean_tokens": True})
    prompts: dict[str, Any] = field(default_factory=dict)
    modules: list[str] = field(default_factory=lambda: ["Transformer", "Pooling", "Normalize"])
    config: dict[str, Any] = field(default_factory=lambda: {"max_position_embeddings": 16})
    max_tokens: int | None = None
    kind: Kind = "wordpiece"
    graph: str = "onnx/model.onnx"
    card: str = "---\nlanguage: en\nlicense: mit\n---\n# A model\n"
    model: Graph | None = None
    files: dict[str, bytes] = field(default_factory=dict[str, bytes])

    def write(self, folder: Path) -> Path:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "onnx").mkdir(exist_ok=True)
        onnx.save(self.model or encoder(self.output, types=self.types), folder / self.graph)
        tokenizer(self.kind).save(str(folder / "tokenizer.json"))
        (folder / "config.json").write_text(json.dumps(self.config))
        (folder / "README.md").write_text(self.card)
        if self.pooling is not None:
            (folder / "1_Pooling").mkdir(exist_ok=True)
            (folder / "1_Pooling" / "config.json").write_text(json.dumps(self.pooling))
        if self.max_tokens is not None:
            (folder / "sentence_bert_config.json").write_text(json.dumps({"max_seq_length": self.max_tokens}))
        listed = [{"type": f"sentence_transformers.models.{kind}", "path": _path(kind)} for kind in self.modules]
        (folder / "modules.json").write_text(json.dumps(listed))
        (folder / "config_sentence_transformers.json").write_text(json.dumps(self.prompts))
        for name, content in self.files.items():
            (folder / name).parent.mkdir(exist_ok=True)
            (folder / name).write_bytes(content)
        return folder


def _path(kind: str) -> str:
    return "1_Pooling" if kind == "Pooling" else f"9_{kind}"


def encoder(output: str = "last_hidden_state", *, types: bool = False, seed: int = 5) -> Graph:
    """Token vectors `(words[ids] + types[type_ids]) @ mixed`; under `sentence_embedding`, the first one."""
    constants = [numpy_helper.from_array(table, name) for name, table in tables(seed).items()]
    nodes = [helper.make_node("Gather", ["words", "input_ids"], ["found"])]
    summed = "found"
    if types:
        nodes.append(helper.make_node("Gather", ["types", "token_type_ids"], ["typed"]))
        nodes.append(helper.make_node("Add", ["found", "typed"], ["summed"]))
        summed = "summed"
    tokens = output if output != "sentence_embedding" else "tokens"
    nodes.append(helper.make_node("MatMul", [summed, "mixed"], [tokens], name="mix"))
    shape: list[str | int] = ["batch", "tokens", DIMENSION]
    if output == "sentence_embedding":
        constants.append(numpy_helper.from_array(np.array(0), "first"))
        nodes.append(helper.make_node("Gather", ["tokens", "first"], [output], axis=1))
        shape = ["batch", DIMENSION]
    return _model(nodes, constants, output, shape, ["input_ids", "attention_mask", *["token_type_ids"] * types])


def cross_encoder(labels: int, positive: int = 0) -> Graph:
    """The positive label's logit is how many words question and passage share, counted as often as both have them."""
    same = np.eye(SIZE, dtype=np.float32)
    same[:4] = 0
    spread = np.zeros((1, labels), np.float32)
    spread[0, positive] = 1
    constants = [
        numpy_helper.from_array(same, "same"),
        numpy_helper.from_array(np.array([1]), "tokens_axis"),
        numpy_helper.from_array(np.array([2]), "last_axis"),
        numpy_helper.from_array(np.array(1.0, np.float32), "one"),
        numpy_helper.from_array(spread, "spread"),
    ]
    nodes = [
        helper.make_node("Gather", ["same", "input_ids"], ["hot"]),
        helper.make_node("Cast", ["token_type_ids"], ["type"], to=TensorProto.FLOAT),
        helper.make_node("Unsqueeze", ["type", "last_axis"], ["of_passage"]),
        helper.make_node("Sub", ["one", "of_passage"], ["of_query"]),
        helper.make_node("Mul", ["hot", "of_query"], ["query_words"]),
        helper.make_node("Mul", ["hot", "of_passage"], ["passage_words"]),
        helper.make_node("ReduceSum", ["query_words", "tokens_axis"], ["query"], keepdims=0),
        helper.make_node("ReduceSum", ["passage_words", "tokens_axis"], ["passage"], keepdims=0),
        helper.make_node("Mul", ["query", "passage"], ["both"]),
        helper.make_node("ReduceSum", ["both", "tokens_axis"], ["shared"], keepdims=1),
        helper.make_node("Mul", ["shared", "spread"], ["logits"]),
    ]
    return _model(nodes, constants, "logits", ["batch", labels], ["input_ids", "attention_mask", "token_type_ids"])


def _model(
    nodes: Sequence[Any],
    constants: Sequence[Any],
    output: str,
    shape: list[str | int],
    inputs: list[str],
) -> Graph:
    read = [helper.make_tensor_value_info(name, TensorProto.INT64, ["batch", "tokens"]) for name in inputs]
    given = [helper.make_tensor_value_info(output, TensorProto.FLOAT, shape)]
    graph = helper.make_graph(nodes, "tiny", read, given, constants)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9)
