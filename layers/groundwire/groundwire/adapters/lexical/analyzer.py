"""Text analysis: words to stems in the language of the text, and stems to term ids of that language."""

import threading
from collections.abc import Callable, Collection, Mapping
from functools import lru_cache
from hashlib import blake2b
from typing import Final, Protocol, cast

import Stemmer

from groundwire.adapters.lexical.stop_words import STOP_WORDS
from groundwire.adapters.lexical.tokenizer import tokenize
from groundwire.domain.documents.record import UNDETERMINED_LANGUAGE

TERM_BITS: Final = 40
"""Bits of a term's digest, which is its id in the index. A vocabulary of 100,000 stems has no collision in 99.5 % of
cases, and no table of words could outlive the documents that they came from.
"""

_SNOWBALL: Final[Mapping[str, str]] = {
    "ar": "arabic", "ca": "catalan", "cs": "czech", "da": "danish", "de": "german", "el": "greek", "en": "english",
    "eo": "esperanto", "es": "spanish", "et": "estonian", "eu": "basque", "fa": "persian", "fi": "finnish",
    "fr": "french", "ga": "irish", "hi": "hindi", "hu": "hungarian", "hy": "armenian", "id": "indonesian",
    "it": "italian", "lt": "lithuanian", "ne": "nepali", "nl": "dutch", "no": "norwegian", "pl": "polish",
    "pt": "portuguese", "ro": "romanian", "ru": "russian", "sr": "serbian", "st": "sesotho", "sv": "swedish",
    "ta": "tamil", "tr": "turkish", "yi": "yiddish",
}  # fmt: skip
"""Stemmers by ISO 639-1."""

_LANGUAGE_ALIASES: Final[Mapping[str, str]] = {"nb": "no", "nn": "no", UNDETERMINED_LANGUAGE: "en"}
"""Languages analysed as another. Detection is unsure of short texts, whose names and terms are mostly English."""

UNSTEMMED: Final = "mul"
"""Name of the one field for all other languages without a stemmer ("multiple languages" in ISO 639-2)."""
_UNSTEMMED_WITH_FIELD: Final = frozenset({"zh"})
"""Languages without a stemmer that have a field of their own; rows of earlier releases are in the one for all."""

_ELISIONS: Final[Mapping[str, frozenset[str]]] = {
    "ca": frozenset(("d", "l", "m", "n", "s", "t")),
    "fr": frozenset(("c", "d", "j", "jusqu", "l", "lorsqu", "m", "n", "puisqu", "qu", "quoiqu", "s", "t")),
    "it": frozenset(
        (
            *("all", "c", "coll", "d", "dall", "degl", "dell", "gl", "l", "m", "nell", "quell", "quest", "s", "sull"),
            *("t", "un"),
        )
    ),
}
"""Elided articles before an apostrophe, which are no part of the word."""

_TERM_CACHE_SIZE: Final = 65_536


class _Stemmer(Protocol):
    def stemWord(self, word: str) -> str: ...  # noqa: N802 - the library's name


class _StemmerLibrary(Protocol):
    """Used part of PyStemmer, which ships no types."""

    Stemmer: Callable[[str, int], _Stemmer]


class Analyzer:
    """Analysis of text in one language: removes stop words, stems, and returns ids that are equal in every process.

    Attributes:
        language: language of the terms; "mul" for every other language without a stemmer. Without one, words stay as
            they are.
    """

    def __init__(self, language: str) -> None:
        self.language = language
        self._stop_words = STOP_WORDS.get(language, frozenset[str]())
        self._elisions = _ELISIONS.get(language, frozenset[str]())
        algorithm = _SNOWBALL.get(language)
        # Without PyStemmer's own cache, as `_term` keeps the results.
        self._stemmer = cast("_StemmerLibrary", Stemmer).Stemmer(algorithm, 0) if algorithm else None
        self._stemmer_lock = threading.Lock()
        self._term = lru_cache(maxsize=_TERM_CACHE_SIZE)(self._term_id)

    def stems(self, text: str) -> list[str]:
        """Return the stems of `text` in order, repeats included."""
        return [self._stem(word) for word in self._words(text)]

    def terms(self, text: str, without: Collection[str] = ()) -> list[int]:
        """Return the ids of the stems in order, repeats included, except of the words in `without`."""
        return [self._term(word) for word in self._words(text) if word not in without]

    def _words(self, text: str) -> list[str]:
        found = tokenize(text)
        if self._elisions:
            found = (self._without_elision(word) for word in found)
        return [word for word in found if word not in self._stop_words]

    def _without_elision(self, word: str) -> str:
        before, _, after = word.partition("'")
        return after if after and before in self._elisions else word

    def _term_id(self, word: str) -> int:
        stem = self._stem(word).encode()
        # The language is part of the digest: equal stems of two languages are different terms.
        digest = blake2b(stem, digest_size=TERM_BITS // 8, person=self.language.encode()).digest()
        return int.from_bytes(digest, "little")

    def _stem(self, word: str) -> str:
        if self._stemmer is None:
            return word
        # A stemmer works in a buffer of its own, so it serves one thread at a time.
        with self._stemmer_lock:
            return self._stemmer.stemWord(word)


def analyzer_for(language: str) -> Analyzer:
    """Return the analyzer of an ISO 639-1 code, with or without a region; languages without a stemmer share one."""
    code = language.casefold().replace("_", "-").partition("-")[0]
    code = _LANGUAGE_ALIASES.get(code, code)
    return _analyzer(code if code in _SNOWBALL or code in _UNSTEMMED_WITH_FIELD else UNSTEMMED)


@lru_cache
def _analyzer(code: str) -> Analyzer:
    return Analyzer(code)
