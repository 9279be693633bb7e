"""Unigram tokenizer of SentencePiece models: texts to the ids of their most likely pieces.

Ids equal those of the sentencepiece library, with two deliberate exceptions. A text that spells "</s>" gets no control
token, so that documents cannot forge one. Combining marks in an unusual order are put into Unicode's order.
Algorithm: https://arxiv.org/abs/1804.10959 and the library's published code.
"""

import json
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import inf
from typing import Any, Final, Self

from groundwire.adapters.onnx.inference.tokenizer import EncodedInput, TokenBatch, pad_inputs
from groundwire.domain.errors import InvalidInput

_SPACE: Final = "\u2581"
"""Mark at the beginning of a word in pieces."""
_NO_VOCABULARY: Final = "the file is no vocabulary of a Unigram tokenizer: install the model again"
_UNKNOWN_PENALTY: Final = 10.0
"""Distance of an unknown character's score below that of the least likely piece; the library's constant."""

# Bounded, so that a hostile text costs no memory.
_CACHED_WORDS: Final = 32_768
_CACHED_LENGTH: Final = 64


@dataclass(frozen=True, slots=True)
class UnigramVocabulary:
    """Pieces with their scores, and the normalisation of text.

    Attributes:
        pieces: by id. scores: logarithms of their probabilities; 0 marks a control token, which no text is encoded to.
        normalisation: what replaces a character; characters that are absent stay.
    """

    begin: int
    end: int
    padding: int
    unknown: int
    pieces: Sequence[str]
    scores: Sequence[float]
    normalisation: Mapping[str, str]

    def to_json(self) -> bytes:
        """Return the content of the vocabulary's file."""
        # Manifests of other releases name files with these members: they do not change when a field is renamed.
        members = {
            "begin": self.begin,
            "end": self.end,
            "padding": self.padding,
            "unknown": self.unknown,
            "pieces": self.pieces,
            "scores": self.scores,
            "normalisation": self.normalisation,
        }
        return json.dumps(members, ensure_ascii=False, separators=(",", ":")).encode()

    @classmethod
    def from_json(cls, content: bytes) -> Self:
        """Return the vocabulary that `to_json` wrote.

        Raises:
            InvalidInput: the content is anything else.
        """
        try:
            fields: dict[str, Any] = json.loads(content)
            begin, end, padding, unknown = (int(fields[name]) for name in ("begin", "end", "padding", "unknown"))
            pieces, scores, normalisation = fields["pieces"], fields["scores"], dict(fields["normalisation"])
        except (ValueError, KeyError, TypeError) as error:
            raise InvalidInput(_NO_VOCABULARY) from error
        if len(pieces) != len(scores) or not all(0 <= each < len(pieces) for each in (begin, end, padding, unknown)):
            raise InvalidInput(_NO_VOCABULARY)
        return cls(begin, end, padding, unknown, pieces, scores, normalisation)


class UnigramTokenizer:
    """Unigram encoder; safe to share between threads."""

    def __init__(self, vocabulary: UnigramVocabulary, max_tokens: int) -> None:
        """Take a vocabulary, and the longest input with both control tokens."""
        self._vocabulary = vocabulary
        self._scores = vocabulary.scores
        self._ids = {piece: at for at, piece in enumerate(vocabulary.pieces) if piece and vocabulary.scores[at] != 0}
        self._longest = _longest_by_first_character(self._ids)
        self._unknown_score = min(vocabulary.scores, default=0.0) - _UNKNOWN_PENALTY
        self._normalisation = {ord(character): text for character, text in vocabulary.normalisation.items()}
        self._max_tokens = max_tokens
        # Pieces of what follows cannot be within the window.
        self._longest_word = (max_tokens + 1) * max(self._longest.values(), default=1)
        self._encode_cached = lru_cache(_CACHED_WORDS)(self._encode_word)

    def encode_texts(self, texts: Sequence[str]) -> list[EncodedInput]:
        """Encode each text between its control tokens, truncated to the model's window."""
        encoded = [self._encode(text) for text in texts]
        return [EncodedInput(ids, [0] * len(ids)) for ids in encoded]

    def pad_batch(self, inputs: Sequence[EncodedInput]) -> TokenBatch:
        """Return the inputs as one padded batch."""
        return pad_inputs(inputs, self._vocabulary.padding)

    def _encode(self, text: str) -> list[int]:
        ids = [self._vocabulary.begin]
        room = self._max_tokens - 1
        for word in self._words(text):
            ids += self._encode_cached(word) if len(word) <= _CACHED_LENGTH else self._encode_word(word)
            if len(ids) >= room:
                del ids[room:]
                break
        return [*ids, self._vocabulary.end]

    def _words(self, text: str) -> Iterable[str]:
        # The table is for single characters; letters whose accents follow them are joined by Unicode's composition.
        normalised = unicodedata.normalize("NFC", text.translate(self._normalisation))
        return (_SPACE + word[: self._longest_word] for word in normalised.split(" ") if word)

    def _encode_word(self, word: str) -> tuple[int, ...]:
        """Return the pieces whose scores have the highest sum, by Viterbi's algorithm; unknown neighbours are one."""
        best = [0.0] + [-inf] * len(word)
        start_of, piece_before = [0] * (len(word) + 1), [self._vocabulary.unknown] * (len(word) + 1)
        find, scores = self._ids.get, self._scores
        for start, first in enumerate(word):
            here = best[start]
            if here + self._unknown_score > best[start + 1]:
                best[start + 1] = here + self._unknown_score
                start_of[start + 1], piece_before[start + 1] = start, self._vocabulary.unknown
            for end in range(start + 1, min(len(word), start + self._longest.get(first, 0)) + 1):
                piece = find(word[start:end])
                if piece is not None and here + scores[piece] > best[end]:
                    best[end] = here + scores[piece]
                    start_of[end], piece_before[end] = start, piece
        return self._path(start_of, piece_before)

    def _path(self, start_of: Sequence[int], piece_before: Sequence[int]) -> tuple[int, ...]:
        unknown = self._vocabulary.unknown
        pieces: list[int] = []
        end = len(start_of) - 1
        while end:
            if piece_before[end] != unknown or pieces[-1:] != [unknown]:
                pieces.append(piece_before[end])
            end = start_of[end]
        return tuple(reversed(pieces))


def _longest_by_first_character(pieces: Iterable[str]) -> dict[str, int]:
    longest: dict[str, int] = {}
    for piece in pieces:
        if len(piece) > longest.get(piece[0], 0):
            longest[piece[0]] = len(piece)
    return longest
