"""Token estimate: how many tokens a text costs a language model, without the table of any tokenizer.

The estimate is a sum over the words, numbers, signs and line ends into which o200k cuts a text before it merges bytes.
The costs are a least-absolute-deviations fit to o200k counts of English, German, Russian and Chinese passages, of
source code and of tables, raised so that an answer of eight passages is not underestimated. For such texts the
estimate is 0 to 15 % above the count (domain/test_token_estimate.py); a single passage may be further off. Prose
of other languages is up to 5 % below and up to 70 % above. All other characters, emoji and mathematical signs among
them, count their bytes in UTF-8, which no tokenizer of bytes exceeds. Words of letters in no usual order may have more.
"""

import re
from functools import cache
from typing import Final

_SCRIPTS: Final[tuple[tuple[str, float], ...]] = (
    ("\u0370-\u03ff\u1f00-\u1fff", 0.52),  # Greek
    ("\u0530-\u058f", 0.44),  # Armenian
    ("\u0590-\u05ff", 0.56),  # Hebrew
    ("\u0600-\u06ff\u0750-\u077f", 0.46),  # Arabic
    ("\u0900-\u097f", 0.45),  # Devanagari
    ("\u0980-\u09ff", 0.46),  # Bengali
    ("\u0b80-\u0bff", 0.44),  # Tamil
    ("\u0c00-\u0c7f", 0.48),  # Telugu
    ("\u0d80-\u0dff", 0.8),  # Sinhala
    ("\u0e00-\u0e7f", 0.51),  # Thai
    ("\u1000-\u109f", 0.66),  # Burmese
    ("\u10a0-\u10ff", 0.46),  # Georgian
    ("\u1780-\u17ff", 0.72),  # Khmer
    ("\u3040-\u30ff", 0.85),  # Kana
    ("\uac00-\ud7a3", 1.08),  # Hangul
)
"""Ranges of characters, and the cost of one in prose: that of o200k, raised by a fifth."""
_TYPOGRAPHIC: Final = (
    "\u2013\u2014\u2018\u2019\u201c\u201d\u201e\u2022\u2026\u00b7\u20ac\u00a3\u00a5\u00a7\u00a9\u00ae"
    "\u00b0\u00d7\u00f7\u00b1\u00ab\u00bb\u00bf\u00a1\u2192\u2190\u2194\u2264\u2265\u2248\u2260\u2212"
    "\u2116\u2020\u2021\u2032\u2033\u00a0\u00ad\u200b\u2009\u202f\u3001\u3002\u300c\u300d\u300e\u300f"
    "\u3010\u3011\u3008\u3009\u300a\u300b\u30fb\u3000\uff08\uff09\uff0c\uff1a\uff1b\uff01\uff1f\uff0e"
    "\uff5e\uff05"
)
"""Signs beyond ASCII that are tokens of their own, or parts of larger ones."""
_SIGNS: Final = r"!-/:-@\[-^`{-~"
_SPACE_AFTER: Final = r" ?+(?![ \t0-9])"
"""One space after a piece. It costs no token, so the pattern takes it with the piece: one match in place of two."""
_LAYOUT: Final = r"[ \t]*[0-9]{1,3}|[\r\n]+[ \t]*| {2,}|\t+|_+"
_LETTERS: Final = r"[A-Za-z]++(?![^\W\d_])"
_SIGN_PIECE: Final = rf"[{_SIGNS}][{_SIGNS}{_TYPOGRAPHIC}]*+"
_ASCII_PIECE: Final = re.compile(
    rf"[A-Za-z]++{_SPACE_AFTER}|[A-Za-z]++|[{_SIGNS}]++{_SPACE_AFTER}|{_LAYOUT}|[{_SIGNS}]++|\S"
)
"""The same pieces of a text in ASCII, found in two thirds of the time."""
_CASED_PART: Final = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")

_DIGITS: Final = 1.3
"""Cost of up to three digits."""
_SPACE_BEFORE_DIGITS: Final = 1.0
"""Cost of a space or tab before digits, which is a token of its own as it is before no word; of several, two are."""
_SPACES: Final = 1.08
_UNDERSCORES: Final = 0.25
_SIGN_RUN: Final = (0.83, 0.24)
"""Costs of a run of signs: once, and for each sign after the first."""
_RULER_SIGNS: Final = 8
"""Signs of a run of one sign that cost something: rulers of any length are few tokens."""
_FURTHER_SIGN: Final = 0.85
"""Cost of each sign after the eighth of a run of several signs."""
_LINE_END: Final = 0.76
_INDENTED_LINE_END: Final = 1.11
_CAPITALS: Final = (1.42, 0.12)
"""Costs of a word in capitals: once, and for each letter after the first."""
_FURTHER_CAPITAL: Final = 0.5
"""Cost of each letter of it after the fifth besides."""
_WORD: Final = 0.91
_INITIAL_CAPITAL: Final = 0.51
_SHORT_WORD: Final = 0.2
_SHORT: Final = 3
_MIDDLE_LETTER: Final = 0.096
"""Cost of the sixth to the ninth letter each."""
_FURTHER_LETTER: Final = 0.285
_VERY_LONG: Final = 20
_VERY_LONG_LETTER: Final = 0.6
"""Cost of each letter after the twentieth: such a word is data."""
_ACCENTED_WORD: Final = 3.12
_VIETNAMESE: Final = re.compile("[\u0102\u0103\u0110\u0111\u01a0\u01a1\u01af\u01b0\u1ea0-\u1ef9]")
_VIETNAMESE_SYLLABLE: Final = 1.3
_LONGEST_SYLLABLE: Final = 7
_PARTICLE_TEXT: Final = (
    # English and German.
    "the of and to is for that with as are be by this from not or it on at an which have has was were will can its "
    "their if when no one must may who under each other all more than in "
    "der die das und ist von den mit dem ein eine für auf nicht im des zu werden wird sich als auch bei nach oder "
    "einer eines wenn es am vom zum nur "
    # Keywords of programs.
    "self return def import class str int none true false else elif assert final list dict tuple raise except try "
    "const let var function new public void null "
    # French, Spanish, Portuguese, Turkish and Czech, whose many words with accents cost enough.
    "de le la les du et est un une pour dans que qui sur au aux par ne pas ce sont "
    "el los las y del con una por se su lo más o os do da em não uma ao ve bir bu için ile veya v na je s z pro že"
)
_PARTICLES: Final = frozenset(_PARTICLE_TEXT.split())
"""Short words that one word in four of a text of these languages is."""
_SHARE_OF_PARTICLES: Final = 0.12
_FEWEST_WORDS: Final = 12
_UNKNOWN_LETTER: Final = 150
"""Thousandths of each letter without an accent besides, in a text with few particles."""
_CYRILLIC_WORD: Final = 1.31
_CYRILLIC_CAPITAL: Final = 1.54
_CYRILLIC_MIDDLE_LETTER: Final = 0.097
"""Cost of the fourth to the eighth letter each."""
_CYRILLIC_FURTHER_LETTER: Final = 0.23
_CYRILLIC_CAPITALS: Final = (0.5, 0.77)
"""Costs of a word in capitals: once, and for each letter."""
_NOT_RUSSIAN: Final = re.compile("[^\u0401\u0410-\u044f\u0451]")
_NOT_RUSSIAN_WORD: Final = 2.6
"""Cost of a word with a letter that Russian does not have besides."""
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

_LATIN_END: Final = "\u0250"
_CYRILLIC: Final = ("\u0400", "\u052f")
_CJK_START: Final = "\u3400"
_CJK_END: Final = "\u9fff"
_THOUSANDTHS: Final = 1_000
"""Costs have three digits, so that sums of integers are exact in any order."""
_CACHED_PIECES: Final = 20_000
_COST_BITS: Final = 40
_COST_MASK: Final = (1 << _COST_BITS) - 1
_COUNT_BITS: Final = 32
_COUNT_MASK: Final = (1 << _COUNT_BITS) - 1


@cache
def _piece() -> re.Pattern[str]:
    # Compiling takes longer than an estimate, and a process may meet nothing but ASCII.
    scripts = [f"[{characters}]" for characters, _ in _SCRIPTS]
    return re.compile(
        # Most words first: what is left to the ranges takes longer.
        rf"{_LETTERS}{_SPACE_AFTER}|{_LETTERS}|{_SIGN_PIECE}{_SPACE_AFTER}|{_LAYOUT}|{_SIGN_PIECE}"
        rf"|(?={'|'.join(scripts)})(?:{'|'.join(f'{each}+' for each in scripts)})"
        rf"|[^\W\d_]+|\d|[{_SIGNS}{_TYPOGRAPHIC}]+|\S"
    )


@cache
def _script_patterns() -> list[tuple[re.Pattern[str], float]]:
    return [(re.compile(f"[{characters}]"), cost) for characters, cost in _SCRIPTS]


def estimate_tokens(text: str) -> int:
    """Return about how many tokens of o200k the text is, for other tokenizers of large models alike."""
    return tokens_of(piece_sums(text))


def piece_sums(text: str) -> int:
    """Return the sums over the pieces of a text, from which `tokens_of` makes its estimate.

    The sums of two texts add up to those of the joined text where no piece crosses the seam. A single space between
    them is such a seam, unless a space, a tab or a digit follows. The result holds five numbers in one integer: cost
    in thousandths, words in small Latin letters, numbers, particles, and letters of such words in ASCII.
    """
    pattern = _ASCII_PIECE if text.isascii() else _piece()
    return sum(map(_SUMS_BY_PIECE.__getitem__, pattern.findall(text)))


def tokens_of(sums: int) -> int:
    """Return the estimate of the text with these sums."""
    total, counts = sums & _COST_MASK, sums >> _COST_BITS
    words, counts = counts & _COUNT_MASK, counts >> _COUNT_BITS
    numbers, counts = counts & _COUNT_MASK, counts >> _COUNT_BITS
    particles, letters = counts & _COUNT_MASK, counts >> _COUNT_BITS
    # Without the particles of a language to which the costs were fitted, words cost more.
    if words >= max(_FEWEST_WORDS, numbers) and particles < _SHARE_OF_PARTICLES * words:
        total += _UNKNOWN_LETTER * letters
    return -(-total // _THOUSANDTHS)


class _SumsByPiece(dict[str, int]):
    """Sums of single pieces, made at first use and bounded in number."""

    def __missing__(self, found: str) -> int:
        piece = found.removesuffix(" ") or found
        # Runs of spaces, and spaces that indent a line, are pieces of their own.
        if found[0] in " \t\r\n":
            piece = found
        is_word = piece.isalpha() and piece.islower() and piece < _LATIN_END
        letters = len(piece) if piece.isascii() else 0
        counts = (is_word, not is_word and piece[-1].isdecimal(), is_word and piece in _PARTICLES, is_word * letters)
        sums = round(_piece_cost(piece) * _THOUSANDTHS)
        for place, number in enumerate(counts):
            sums += number << (_COST_BITS + _COUNT_BITS * place)
        if len(self) >= _CACHED_PIECES:
            self.clear()
        self[found] = sums
        return sums


_SUMS_BY_PIECE: Final = _SumsByPiece()


def _in_script(character: str) -> float | None:
    return next((cost for pattern, cost in _script_patterns() if pattern.match(character)), None)


def _piece_cost(piece: str) -> float:
    first = piece[0]
    if piece[-1].isdecimal() and piece.isascii():
        return _DIGITS + _SPACE_BEFORE_DIGITS * min(2, len(piece) - len(piece.lstrip(" \t")))
    if first in "\r\n\t _":
        return _layout_cost(piece)
    if not first.isascii() and (cost := _in_script(first)) is not None:
        return cost * len(piece)
    if piece.isalpha():
        return _word_cost(piece)
    return _signs_cost(piece) if first.isascii() or first in _TYPOGRAPHIC else _bytes_cost(piece)


def _layout_cost(piece: str) -> float:
    """Return the cost of a line end with what indents the next line, of spaces or tabs, or of underscores."""
    if piece[0] in "\r\n":
        return _LINE_END if len(piece) == 1 else _INDENTED_LINE_END
    return _SPACES if piece[0] in " \t" else _UNDERSCORES


def _bytes_cost(piece: str) -> float:
    """Return the number of bytes, and one for a space before them."""
    return 1.0 + len(piece.encode("utf-8", "replace"))


def _signs_cost(signs: str) -> float:
    once, further = _SIGN_RUN
    first = once + further * (min(len(signs), _RULER_SIGNS) - 1)
    return first if len(set(signs)) == 1 else first + _FURTHER_SIGN * max(0, len(signs) - _RULER_SIGNS)


def _word_cost(word: str) -> float:
    if word.isascii():
        has_one_part = word.islower() or word[1:].islower()
        return _cased_cost(word) if has_one_part else sum(map(_cased_cost, _CASED_PART.findall(word)))
    length = len(word)
    if len(word) <= _LONGEST_SYLLABLE and _VIETNAMESE.search(word):
        return _VIETNAMESE_SYLLABLE
    if max(word) < _LATIN_END:
        return _ACCENTED_WORD + _VERY_LONG_LETTER * max(0, length - _VERY_LONG)
    if _CYRILLIC[0] <= word[0] <= _CYRILLIC[1]:
        return _cyrillic_cost(word)
    if _CJK_START <= word[0] <= _CJK_END:
        known, rare = _HAN_CHARACTER
        frequent = sum(character in _FREQUENT_HAN for character in word)
        return known * frequent + rare * (length - frequent)
    return _bytes_cost(word)


def _cyrillic_cost(word: str) -> float:
    length = len(word)
    other = _NOT_RUSSIAN_WORD if _NOT_RUSSIAN.search(word) else 0.0
    if length > 1 and word.isupper():
        once, each = _CYRILLIC_CAPITALS
        return once + each * length + other
    capital = _CYRILLIC_CAPITAL if word[0].isupper() else 0.0
    middle, further = max(0, min(length, 8) - 3), max(0, length - 8)
    return _CYRILLIC_WORD + capital + _CYRILLIC_MIDDLE_LETTER * middle + _CYRILLIC_FURTHER_LETTER * further + other


def _cased_cost(part: str) -> float:
    """Return the cost of a part of a word such as `get`, `Name` or `HTTP`."""
    length = len(part)
    if part.isupper():
        once, further = _CAPITALS
        long = _FURTHER_CAPITAL * max(0, min(length, _VERY_LONG) - 5)
        return once + further * (length - 1) + long + _VERY_LONG_LETTER * max(0, length - _VERY_LONG)
    letters = _MIDDLE_LETTER * max(0, min(length, 9) - 5) + _FURTHER_LETTER * max(0, min(length, _VERY_LONG) - 9)
    letters += _VERY_LONG_LETTER * max(0, length - _VERY_LONG)
    return _WORD + letters + (_INITIAL_CAPITAL if part[0].isupper() else 0.0) + (_SHORT_WORD if length <= _SHORT else 0)
