"""WordPiece tokenizer of uncased BERT models: texts to the ids of vocabulary pieces.

Ids equal those of the transformers library's reference tokenizer, with two deliberate exceptions. A text
that spells "[SEP]" gets no control token, so that documents cannot forge one. Characters newer than
Unicode 8 follow this Python's tables. Algorithm: https://arxiv.org/abs/1810.04805 and its published code.
"""

import re
import unicodedata
from collections.abc import Iterable
from functools import lru_cache
from typing import Final, NamedTuple

from groundwire.domain.errors import InvalidInput

_LONGEST_WORD: Final = 100
"""Characters of the longest word; longer ones are unknown as a whole, as in training."""

# Not \S: Python counts some control characters as white space, but the model drops them within words.
_CHUNK: Final = re.compile(r"[^\t\n\r \u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+")
_ASCII_WORD: Final = re.compile(r"[a-z0-9]+|[!-/:-@\[-`{-~]")
_ASCII_CONTROLS: Final = dict.fromkeys([*range(32), 127])

# Bounded, so that a hostile text costs no memory; a chunk (text between white space) is seldom longer.
_CACHED_CHUNKS: Final = 32_768
_CACHED_LENGTH: Final = 64
_CACHED_CHARACTERS: Final = 4_096

# Ideographs are words of their own. The gap before U+2B920 is the reference tokenizer's.
_IDEOGRAPHS: Final = (
    range(0x3400, 0x4DC0),
    range(0x4E00, 0xA000),
    range(0xF900, 0xFB00),
    range(0x20000, 0x2A6E0),
    range(0x2A700, 0x2B820),
    range(0x2B920, 0x2CEB0),
    range(0x2F800, 0x2FA20),
)


class _Vocabulary(NamedTuple):
    """Ids of the pieces that begin a word, and of those that continue one, without their `##`."""

    beginnings: dict[str, int]
    continuations: dict[str, int]
    longest: int


class WordPiece:
    """Encoder of text by WordPiece; safe to share between threads."""

    def __init__(self, vocabulary: str, max_tokens: int) -> None:
        """Take the content of `vocab.txt`, one piece a line.

        Raises:
            InvalidInput: BERT's own tokens are missing.
        """
        ids = {piece: number for number, piece in enumerate(vocabulary.split("\n")) if piece}
        try:
            self._cls, self._sep, self._unknown = ids["[CLS]"], ids["[SEP]"], ids["[UNK]"]
            self.padding_id = ids["[PAD]"]
        except KeyError as missing:
            raise InvalidInput(
                f"the model's vocabulary has no {missing.args[0]}: it is not that of a BERT model"
            ) from None
        self._vocabulary = _split_vocabulary(ids)
        self._max_tokens = max_tokens
        self._encode_cached = lru_cache(_CACHED_CHUNKS)(self._encode_chunk)

    def encode(self, text: str) -> list[int]:
        """Return [CLS], the text's pieces and [SEP]: at most `max_tokens` ids; further pieces are left out."""
        ids = [self._cls]
        room = self._max_tokens - 1
        for match in _CHUNK.finditer(text):
            chunk = match.group()
            ids += self._encode_cached(chunk) if len(chunk) <= _CACHED_LENGTH else self._encode_chunk(chunk)
            if len(ids) >= room:
                del ids[room:]
                break
        return [*ids, self._sep]

    def _encode_chunk(self, chunk: str) -> tuple[int, ...]:
        return tuple(number for word in _words(chunk) for number in self._pieces(word))

    def _pieces(self, word: str) -> list[int]:
        if len(word) > _LONGEST_WORD:
            return [self._unknown]
        ids: list[int] = []
        start = 0
        while start < len(word):
            known = self._vocabulary.continuations if start else self._vocabulary.beginnings
            # The longest piece first, as the algorithm is greedy.
            ends = range(min(len(word), start + self._vocabulary.longest), start, -1)
            end = next((end for end in ends if word[start:end] in known), None)
            if end is None:
                return [self._unknown]
            ids.append(known[word[start:end]])
            start = end
        return ids


def _split_vocabulary(ids: dict[str, int]) -> _Vocabulary:
    continuations = {piece[2:]: number for piece, number in ids.items() if piece.startswith("##")}
    return _Vocabulary(ids, continuations, max(map(len, ids)))


def _words(chunk: str) -> Iterable[str]:
    """Return the words and punctuation marks of a chunk: lower case, no accents, no control characters."""
    if chunk.isascii():
        return _ASCII_WORD.findall(chunk.translate(_ASCII_CONTROLS).lower())
    decomposed = unicodedata.normalize("NFD", "".join(map(_cleaned, chunk)))
    return "".join(map(_folded, decomposed)).split()


@lru_cache(_CACHED_CHARACTERS)
def _cleaned(character: str) -> str:
    if character == "\ufffd" or unicodedata.category(character) in ("Cc", "Cf", "Co"):
        return ""
    code = ord(character)
    return f" {character} " if any(code in block for block in _IDEOGRAPHS) else character


@lru_cache(_CACHED_CHARACTERS)
def _folded(character: str) -> str:
    category = unicodedata.category(character)
    if category == "Mn":
        return ""
    if category.startswith("P") or (_ASCII_WORD.fullmatch(character) and not character.isalnum()):
        return f" {character} "
    # Character by character: lower-casing a whole word would turn its last sigma into another letter.
    return character.lower()
