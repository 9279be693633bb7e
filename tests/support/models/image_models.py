"""Tiny CLIP-shaped models in the layout of published exports, whose answers a person can compute.

Both towers give five values. A text has the number of its colour words (red, green, blue), then the number of its
padding tokens in a model that counts them, as CLIP does not, and half a start token. An image has its mean red, green
and blue as they are normalised, then a hundredth of its first red value, and one half.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from importlib import import_module
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from tokenizers import Tokenizer, decoders, models, normalizers, pre_tokenizers, processors

from groundwire_readers.contents.parsed import THUMBNAIL_SIDE

# By name, since a type checker takes the folder of the tests for the library.
onnx: Any = import_module("onnx")
helper, numpy_helper, TensorProto = onnx.helper, onnx.numpy_helper, onnx.TensorProto

COLORS: Final = ("red", "green", "blue")
START, END = "<|startoftext|>", "<|endoftext|>"
IMAGE_DIMENSION: Final = 5
IMAGE_WINDOW: Final = 12
PLAIN_PIXELS: Final[dict[str, Any]] = {
    "do_center_crop": True,
    "crop_size": {"height": 224, "width": 224},
    "size": {"shortest_edge": 224},
    "rescale_factor": 1 / 255,
    "image_mean": [0.0, 0.0, 0.0],
    "image_std": [1.0, 1.0, 1.0],
}


def filled(color: Sequence[int]) -> bytes:
    """A thumbnail of one colour."""
    return bytes(color) * THUMBNAIL_SIDE**2


def unit(*values: float) -> NDArray[np.float32]:
    """These values at unit length."""
    vector = np.array(values, np.float32)
    return (vector / np.linalg.norm(vector)).astype(np.float32)


def byte_pair_tokenizer() -> Tokenizer:
    """A byte-level tokenizer as CLIP has it, whose only merges are those of the colour words."""
    letters = sorted(pre_tokenizers.ByteLevel.alphabet())
    pieces = [*letters, *(f"{letter}</w>" for letter in letters)]
    merges: list[tuple[str, str]] = []
    for word in COLORS:
        parts = [*word[:-1], f"{word[-1]}</w>"]
        whole = ["".join(parts[: end + 1]) for end in range(len(parts))]
        merges += [(before, part) for before, part in zip(whole, parts[1:], strict=False)]
        pieces += whole[1:]
        assert all(after.startswith(before) for before, after in pairwise(whole))
    vocabulary = {piece: number for number, piece in enumerate([*dict.fromkeys(pieces), START, END])}
    made = Tokenizer(models.BPE(vocabulary, merges, unk_token=END, end_of_word_suffix="</w>"))
    made.normalizer = normalizers.Sequence([normalizers.NFC(), normalizers.Replace("  ", " "), normalizers.Lowercase()])
    made.pre_tokenizer = pre_tokenizers.Sequence(
        [pre_tokenizers.WhitespaceSplit(), pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)]
    )
    made.decoder = decoders.ByteLevel()
    made.post_processor = processors.TemplateProcessing(
        single=f"{START} $A {END}", special_tokens=[(START, vocabulary[START]), (END, vocabulary[END])]
    )
    made.add_special_tokens([START, END, "<pad>"])
    return made


@dataclass
class ImageRepo:
    """The files of a model; a test changes what it is about."""

    config: dict[str, Any] = field(default_factory=lambda: {"model_type": "clip", "_name_or_path": "maker/tiny-clip"})
    tokenizer_config: dict[str, Any] = field(
        default_factory=lambda: {"model_max_length": IMAGE_WINDOW, "pad_token": "<pad>"}
    )
    pixels: dict[str, Any] | None = field(default_factory=lambda: dict(PLAIN_PIXELS))
    text_output: str = "text_embeds"
    image_output: str = "image_embeds"
    image_values: int = IMAGE_DIMENSION
    mask: bool = False
    counts_padding: bool = False
    graphs: str = "onnx"
    files: dict[str, bytes] = field(default_factory=dict[str, bytes])

    def write(self, folder: Path) -> Path:
        """Write the files into the folder and return it."""
        (folder / self.graphs).mkdir(parents=True, exist_ok=True)
        made = byte_pair_tokenizer()
        made.save(str(folder / "tokenizer.json"))
        text_tower = _text_tower(made, self.text_output, mask=self.mask, counts_padding=self.counts_padding)
        onnx.save(text_tower, folder / self.graphs / "text_model.onnx")
        onnx.save(_vision_tower(self.image_output, self.image_values), folder / self.graphs / "vision_model.onnx")
        (folder / "config.json").write_text(json.dumps(self.config))
        (folder / "tokenizer_config.json").write_text(json.dumps(self.tokenizer_config))
        if self.pixels is not None:
            (folder / "preprocessor_config.json").write_text(json.dumps(self.pixels))
        for name, content in self.files.items():
            (folder / name).write_bytes(content)
        return folder


def _text_tower(tokenizer: Tokenizer, output: str, *, mask: bool, counts_padding: bool) -> Any:
    table = np.zeros((tokenizer.get_vocab_size(), IMAGE_DIMENSION), np.float32)
    for number, word in enumerate([*(f"{color}</w>" for color in COLORS), *(["<pad>"] * counts_padding)]):
        table[tokenizer.token_to_id(word), number] = 1
    table[tokenizer.token_to_id(START), 4] = 0.5
    constants = [numpy_helper.from_array(table, "table"), numpy_helper.from_array(np.array([1]), "axis")]
    nodes = [
        helper.make_node("Gather", ["table", "input_ids"], ["rows"]),
        helper.make_node("ReduceSum", ["rows", "axis"], [output], keepdims=0),
    ]
    if mask:
        constants.append(numpy_helper.from_array(np.array([2]), "last"))
        nodes[1:] = [
            helper.make_node("Cast", ["attention_mask"], ["kept"], to=TensorProto.FLOAT),
            helper.make_node("Unsqueeze", ["kept", "last"], ["column"]),
            helper.make_node("Mul", ["rows", "column"], ["masked"]),
            helper.make_node("ReduceSum", ["masked", "axis"], [output], keepdims=0),
        ]
    inputs = [
        helper.make_tensor_value_info(name, TensorProto.INT64, ["batch", "tokens"])
        for name in ("input_ids", *(("attention_mask",) if mask else ()))
    ]
    return _model(nodes, constants, inputs, output)


def _vision_tower(output: str, values: int) -> Any:
    half, hundredth = np.array([[[[0.5]]]], np.float32), np.array(0.01, np.float32)
    constants = [
        numpy_helper.from_array(np.array([0, 0, 0]), "corner"),
        numpy_helper.from_array(np.array([1, 1, 1]), "beside"),
        numpy_helper.from_array(np.array([1, 2, 3]), "axes"),
        numpy_helper.from_array(hundredth, "hundredth"),
        numpy_helper.from_array(np.array(0.0, np.float32), "zero"),
        numpy_helper.from_array(half, "half"),
        numpy_helper.from_array(np.array([0, -1]), "flat"),
        numpy_helper.from_array(np.array([0]), "from"),
        numpy_helper.from_array(np.array([values]), "to"),
        numpy_helper.from_array(np.array([1]), "second"),
    ]
    nodes = [
        helper.make_node("GlobalAveragePool", ["pixel_values"], ["means"]),
        helper.make_node("Slice", ["pixel_values", "corner", "beside", "axes"], ["first"]),
        helper.make_node("Mul", ["first", "hundredth"], ["small"]),
        helper.make_node("Mul", ["first", "zero"], ["nothing"]),
        helper.make_node("Add", ["nothing", "half"], ["constant"]),
        helper.make_node("Concat", ["means", "small", "constant"], ["joined"], axis=1),
        helper.make_node("Reshape", ["joined", "flat"], ["vectors"]),
        helper.make_node("Slice", ["vectors", "from", "to", "second"], [output]),
    ]
    shape: list[str | int] = ["batch", 3, THUMBNAIL_SIDE, THUMBNAIL_SIDE]
    return _model(nodes, constants, [helper.make_tensor_value_info("pixel_values", TensorProto.FLOAT, shape)], output)


def _model(nodes: Sequence[Any], constants: Sequence[Any], inputs: Sequence[Any], output: str) -> Any:
    given = [helper.make_tensor_value_info(output, TensorProto.FLOAT, ["batch", "values"])]
    graph = helper.make_graph(list(nodes), "tiny", list(inputs), given, list(constants))
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9)
