"""Tokenization with a model's own `tokenizer.json`, whatever its kind."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol, cast

import numpy as np
from numpy.typing import NDArray

from groundwire.adapters.onnx.models.installed_model import TokenizerConfig
from groundwire.domain.errors import InvalidInput, Unavailable
from groundwire.settings.installation import extra_command


def tokenizers_missing() -> str:
    """Return what to do where the library of the extra `models` is missing."""
    return f"models other than the default need the tokenizers library: {extra_command('models')}"


@dataclass(frozen=True, slots=True)
class EncodedInput:
    """One input of a model: its token ids, and the text that each belongs to (0 or 1)."""

    ids: Sequence[int]
    type_ids: Sequence[int]


@dataclass(frozen=True, slots=True)
class TokenBatch:
    """Inputs of one call, int64 [batch, tokens], padded on the right where `mask` is 0."""

    ids: NDArray[np.int64]
    mask: NDArray[np.int64]
    type_ids: NDArray[np.int64]


class TextTokenizer(Protocol):
    """Tokenizer of single texts."""

    def encode_texts(self, texts: Sequence[str]) -> list[EncodedInput]:
        """Encode each text with the model's special tokens, truncated to the model's window."""
        ...

    def pad_batch(self, inputs: Sequence[EncodedInput]) -> TokenBatch:
        """Return the inputs as one padded batch."""
        ...


class _Encoding(Protocol):
    ids: list[int]
    type_ids: list[int]
    offsets: list[tuple[int, int]]


class _Tokenizer(Protocol):
    """The used part of the tokenizers library, whose own types are partial."""

    encode_special_tokens: bool

    def encode(self, sequence: str, *, add_special_tokens: bool) -> _Encoding: ...
    def encode_batch(self, inputs: Sequence[str] | Sequence[tuple[str, str]]) -> list[_Encoding]: ...
    def enable_truncation(self, max_length: int, *, strategy: str = "longest_first") -> None: ...
    def no_truncation(self) -> None: ...
    def no_padding(self) -> None: ...


class ModelTokenizer:
    """Tokenizer of one model; safe to share between threads."""

    def __init__(self, path: Path, config: TokenizerConfig) -> None:
        """Load the tokenizer's file.

        Raises:
            Unavailable: the library is missing.
            InvalidInput: the file is no tokenizer.
        """
        self._config = config
        self._texts = _load(path)
        self._texts.enable_truncation(config.max_tokens)
        self._pairs = _load(path)
        self._pairs.enable_truncation(config.max_tokens, strategy="only_second")
        # One tokenizer per truncation setting: changing a shared one would affect other threads.
        self._untruncated = _load(path)
        self._untruncated.no_truncation()

    def encode_texts(self, texts: Sequence[str]) -> list[EncodedInput]:
        """Encode each text with the model's special tokens, truncated to the model's window."""
        return [_encoded(encoding) for encoding in self._texts.encode_batch([self._clean(text) for text in texts])]

    def encode_pairs(self, query: str, passages: Sequence[str]) -> list[EncodedInput]:
        """Encode the query with each passage; too long a passage is truncated, the query to half of the window."""
        truncated = self._cut(self._clean(query), self._config.max_tokens // 2)
        pairs = [(truncated, self._clean(passage)) for passage in passages]
        return [_encoded(encoding) for encoding in self._pairs.encode_batch(pairs)]

    def pad_batch(self, inputs: Sequence[EncodedInput]) -> TokenBatch:
        """Return the inputs as one padded batch; an input without tokens gets a padding token, and so a vector."""
        return pad_inputs(inputs, self._config.padding_id)

    def _clean(self, text: str) -> str:
        # The library, which is written in Rust, takes no lone surrogate.
        encodable = text.encode("utf-8", "replace").decode()
        return encodable.lower() if self._config.lower_case else encodable

    def _cut(self, text: str, max_tokens: int) -> str:
        offsets = self._untruncated.encode(text, add_special_tokens=False).offsets
        return text if len(offsets) <= max_tokens else text[: offsets[max_tokens - 1][1]]


def pad_inputs(inputs: Sequence[EncodedInput], padding_id: int) -> TokenBatch:
    """Return the inputs as one padded batch; an input without tokens gets a padding token, and so a vector."""
    filled = [each if each.ids else EncodedInput([padding_id], [0]) for each in inputs]
    shape = (len(filled), max(len(each.ids) for each in filled))
    batch = TokenBatch(np.full(shape, padding_id, np.int64), np.zeros(shape, np.int64), np.zeros(shape, np.int64))
    for row, each in enumerate(filled):
        length = len(each.ids)
        batch.ids[row, :length] = each.ids
        batch.mask[row, :length] = 1
        batch.type_ids[row, :length] = each.type_ids
    return batch


def _encoded(encoding: _Encoding) -> EncodedInput:
    return EncodedInput(encoding.ids, encoding.type_ids)


def _load(path: Path) -> _Tokenizer:
    try:
        from tokenizers import Tokenizer
    except ImportError as missing:
        raise Unavailable(tokenizers_missing()) from missing
    read = cast("Callable[[bytes], _Tokenizer]", Tokenizer.from_buffer)
    try:
        tokenizer = read(path.read_bytes())
    except OSError as failure:
        raise InvalidInput(f"{path} cannot be read ({failure.strerror})") from failure
    except ValueError as error:
        raise InvalidInput(f"{path} is no tokenizer that can be read: {error}") from error
    tokenizer.no_padding()
    # A control token spelled in a document is encoded as letters, not as the token.
    tokenizer.encode_special_tokens = True
    return tokenizer
