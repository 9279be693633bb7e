"""Token estimate: how many tokens a text costs a language model, without the table of any tokenizer.

The estimate is a sum over the words, numbers, signs and line ends into which o200k cuts a text before it merges bytes.
The costs are a least-absolute-deviations fit to o200k counts of English, German, Russian and Chinese passages, of
source code and of tables, raised so that an answer of eight passages is not underestimated. For such texts the
estimate is 0 to 15 % above the count (tests/domain/test_token_estimate.py); a single passage may be further off.
"""

import re
from functools import lru_cache
from math import ceil
from typing import Final

_PIECE: Final = re.compile(r"[^\W\d_]+|[0-9]{1,3}|\d|[\r\n]+[ \t]*| {2,}|[^\w\s]+|_+")
_CASED_PART: Final = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")

_NUMBER: Final = 1.51
_SPACES: Final = 1.08
_UNDERSCORES: Final = 0.25
_SIGN_RUN: Final = (0.83, 0.24)
"""Costs of a run of signs: once, and for each sign after the first."""
_MAX_SIGNS: Final = 8
"""Signs of a run that cost something: rulers of any length are few tokens."""
_LINE_END: Final = 0.76
_INDENTED_LINE_END: Final = 1.11
_CAPITALS: Final = (1.42, 0.12)
"""Costs of a word in capitals: once, and for each letter after the first."""
_WORD: Final = 0.91
_INITIAL_CAPITAL: Final = 0.51
_SHORT_WORD: Final = 0.2
_SHORT: Final = 3
_MIDDLE_LETTER: Final = 0.096
"""Cost of the sixth to the ninth letter each."""
_FURTHER_LETTER: Final = 0.285
_ACCENTED_WORD: Final = 3.12
_CYRILLIC_WORD: Final = 1.31
_CYRILLIC_CAPITAL: Final = 1.54
_CYRILLIC_MIDDLE_LETTER: Final = 0.097
"""Cost of the fourth to the eighth letter each."""
_CYRILLIC_FURTHER_LETTER: Final = 0.23
_FREQUENT_HAN: Final = frozenset(
    "的一是不了人我在有他这中大来上个国到说们为子和你地出道也时年得就那要下以生会自着去之过家学对可里后小么心多天而能好都然没"
    "日于起还发成事只作当想看文无开手十用主行方又如前所本见经头面公同三已老从动两长知民样现分将外但身些与高意进把法此实回二理"
    "美点月明其种声全工己话者向情部正名定女问力机给等几很业最间新什打便位因重被走电四第门相次东政海口使教西再平真听世气信北少"
    "关并内加化由却代军产入先山五太水万市体别处总才场师书比住员九性通目华报立马命张活难神数件安表原车应路期常提感金何更反合放"
    "做系计或利受光王果亲界及今京务制解各任至清物台象记边共战干接特觉望直服林题建南度统色字请交让认算论百科元社术结六功指非流"
    "每青管连资队带条院变联权往该近决治周保办运半七必城父步完区求品转量空技告江语英基式"
)
"""Frequent Chinese characters: tokenizers have tokens for many words made of these."""
_HAN_CHARACTER: Final = (0.58, 1.26)
"""Costs of a frequent character, and of every other one."""
_OTHER_LETTER: Final = 0.91

_LATIN_END: Final = "\u0250"
_CYRILLIC: Final = ("\u0400", "\u052f")
_CJK_START: Final = "\u3040"
_CJK_END: Final = "\u9fff"
_SUPPLEMENTARY: Final = "\U00020000"
_CACHED_PIECES: Final = 20_000


def estimate_tokens(text: str) -> int:
    """Return about how many tokens of o200k the text is, for other tokenizers of large models alike."""
    return ceil(sum(map(_piece_cost, _PIECE.findall(text))))


@lru_cache(_CACHED_PIECES)
def _piece_cost(piece: str) -> float:
    first = piece[0]
    if first in "\r\n":
        return _LINE_END if len(piece) == 1 else _INDENTED_LINE_END
    if first == " ":
        return _SPACES
    if first == "_":
        return _UNDERSCORES
    if piece.isdigit():
        return _NUMBER
    if piece.isalpha():
        return _word_cost(piece)
    once, further = _SIGN_RUN
    return once + further * (min(len(piece), _MAX_SIGNS) - 1)


def _word_cost(word: str) -> float:
    if word.isascii():
        return sum(map(_cased_cost, _CASED_PART.findall(word)))
    if max(word) < _LATIN_END:
        return _ACCENTED_WORD
    length = len(word)
    if _CYRILLIC[0] <= word[0] <= _CYRILLIC[1]:
        capital = _CYRILLIC_CAPITAL if word[0].isupper() else 0.0
        middle, further = max(0, min(length, 8) - 3), max(0, length - 8)
        return _CYRILLIC_WORD + capital + _CYRILLIC_MIDDLE_LETTER * middle + _CYRILLIC_FURTHER_LETTER * further
    if _CJK_START <= word[0] <= _CJK_END or word[0] >= _SUPPLEMENTARY:
        known, rare = _HAN_CHARACTER
        frequent = sum(character in _FREQUENT_HAN for character in word)
        return known * frequent + rare * (length - frequent)
    return _OTHER_LETTER * length


def _cased_cost(part: str) -> float:
    """Return the cost of a part of a word such as `get`, `Name` or `HTTP`."""
    length = len(part)
    if part.isupper():
        once, further = _CAPITALS
        return once + further * (length - 1)
    letters = _MIDDLE_LETTER * max(0, min(length, 9) - 5) + _FURTHER_LETTER * max(0, length - 9)
    return _WORD + letters + (_INITIAL_CAPITAL if part[0].isupper() else 0.0) + (_SHORT_WORD if length <= _SHORT else 0)
