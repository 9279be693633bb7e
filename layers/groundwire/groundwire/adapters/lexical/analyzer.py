"""Text analysis: words to stems in the language of the text, and stems to term ids of that language.

Passages and phrases have the same words: query operators in a phrase are only words or nothing. Stop words are too
common in a language to distinguish passages.
"""

import re
import threading
import unicodedata
from collections.abc import Callable, Collection, Iterator, Mapping
from functools import lru_cache
from hashlib import blake2b
from itertools import pairwise
from typing import Final, Protocol, cast

import Stemmer

from groundwire.domain.documents.record import UNDETERMINED_LANGUAGE
from groundwire_readers.text.stop_words import ENGLISH_STOP_WORDS

_COMBINING_MARKS: Final = (
    "\u0300-\u036f\u0483-\u0487\u0591-\u05bd\u05bf-\u05c7\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06dc"
    "\u0900-\u0963\u0966-\u0dff\u0e31-\u0e4e\u0eb1-\u0ece\u0f18-\u0fbc\u102b-\u103e\u17b4-\u17d3"
)
"""Combining marks, which `\\w` leaves out although words in many scripts cannot be written without them."""

_UNSPACED: Final = (
    "\u0e01-\u0eff\u1000-\u109f\u1780-\u17ff"
    "\u3005\u3041-\u3096\u30a1-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\U00020000-\U0003ffff"
)
"""Scripts without spaces between words, or, as in Korean, with endings; pairs of characters match despite both."""

_COMPOUND: Final = re.compile(rf"[\w{_COMBINING_MARKS}]+(?:[-./,'\u2019\u2010][\w{_COMBINING_MARKS}]+)*")
_SEPARATOR: Final = re.compile(r"[-./,_\u2010]+")
_RUN: Final = re.compile(rf"[{_UNSPACED}]+|[^{_UNSPACED}]+")
_IS_UNSPACED: Final = re.compile(rf"[{_UNSPACED}]")


def tokenize(text: str) -> Iterator[str]:
    """Yield the words in order, folded in case and compatibility forms (full width, ligatures).

    A compound yields its parts; one with a digit or an underscore ("ISO-9001", "x_y", "3.14") is a name and also yields
    itself. Scripts without spaces yield overlapping pairs of characters.
    """
    for compound in _COMPOUND.findall(unicodedata.normalize("NFKC", text).casefold()):
        # Most words of most texts, which need no further look.
        if compound.isascii() and compound.isalnum():
            yield compound
        else:
            yield from _parts(compound)


def _parts(compound: str) -> Iterator[str]:
    parts = [part for part in _SEPARATOR.split(compound) if part]
    for part in parts:
        for run in _RUN.findall(part):
            yield from _pairs(run) if _IS_UNSPACED.match(run) else _without_possessive(run)
    if len(parts) > 1 and ("_" in compound or any(character.isdigit() for character in compound)):
        yield _join_name(compound, parts)


def _join_name(compound: str, parts: list[str]) -> str:
    """Join the parts of a name, which is the same with or without hyphens; a number keeps its decimal point."""
    if any(character.isalpha() for character in compound):
        return "".join(parts)
    return compound.replace(",", "")


def _pairs(run: str) -> Iterator[str]:
    # A single character has no pair, and must be found all the same.
    if len(run) == 1:
        yield run
    for first, second in pairwise(run):
        yield first + second


def _without_possessive(run: str) -> Iterator[str]:
    word = run.replace("\u2019", "'").removesuffix("'s")
    if word:
        yield word


_ENGLISH: Final = """
a an and are as at be but by for if in into is it no not of on or such that the their then there these they this to
was will with
"""
"""Stop words of Lucene's English analyzer. The other lists have the commonest articles, pronouns, prepositions,
conjunctions and auxiliaries of their languages.
"""

_GERMAN: Final = """
aber als am an auch auf aus bei beim bin bis bist da das dass dem den denn der des die dies diese diesem diesen dieser
dieses doch du durch ein eine einem einen einer eines er es für hat haben hatte ich ihr im in ins ist ja kein keine
mit nach nicht noch nur ob oder ohne sein seine sich sie sind so über um und uns unter vom von vor war waren wenn
werden wie wir wird wurde wurden zu zum zur
"""

_FRENCH: Final = """
a à ai au aux avec c ce ces cet cette d dans de des du elle elles en es est et été être eu il ils j je l la le les
leur leurs lui m ma mais me même mes n ne nos notre nous on ont ou où par pas pour qu que qui s sa sans se ses si son
sont sur t ta te tes tu un une vos votre vous y
"""

_SPANISH: Final = """
a al ante como con cual cuando de del desde donde e el ella ellas ellos en entre era es esa ese eso esta estas este
esto estos está están fue ha han hasta hay la las le les lo los me mi muy más ni no nos o para pero por porque que qué
se ser si sin sobre son su sus sí también te tu un una unas uno unos y ya yo
"""

_ITALIAN: Final = """
a ad ai al alla alle allo agli anche c che chi ci come con cui d da dagli dai dal dalla dalle dallo degli dei del
della delle dello di dove e ed è era essere fra gli ha hanno i il in io l la le lei lo loro lui ma mi ne negli nei nel
nella nelle nello noi non o per perché più quella quelle quelli quello questa queste questi questo se sei si sia sono
su sua sue sugli sui sul sulla sulle sullo suo suoi tra tu un una uno vi voi
"""

_PORTUGUESE: Final = """
a à ao aos as às até com como da das de dela dele deles do dos e é ela elas ele eles em entre era essa esse esta este
está eu foi há isso isto já lhe mais mas me mesmo muito na nas nem no nos não o os ou para pela pelas pelo pelos por
qual quando que quem se sem ser seu seus são só sua suas também te tem têm um uma você
"""

_DUTCH: Final = """
aan al als bij dan dat de der deze die dit doch door dus een en er ge had hebben heeft hem het hier hij hoe hun ik in is
je kan maar me meer met mij na naar niet nog nu of om onder ons ook op over te tot u uit van voor want was wat we
wel werd wie wij worden wordt zal ze zich zij zijn zo zou
"""

STOP_WORDS: Final[Mapping[str, frozenset[str]]] = {
    language: frozenset(listed.split())
    for language, listed in (
        ("en", _ENGLISH),
        ("de", _GERMAN),
        ("fr", _FRENCH),
        ("es", _SPANISH),
        ("it", _ITALIAN),
        ("pt", _PORTUGUESE),
        ("nl", _DUTCH),
    )
}
"""Stop words by ISO 639-1; a language without a list keeps all its words."""

_MIN_WORDS: Final = 3
"""Stop words of a language that show that a phrase is in it: one or two can be content words of another."""
_PHRASE_LISTS: Final = {**STOP_WORDS, "en": STOP_WORDS["en"] | ENGLISH_STOP_WORDS}


def foreign_stop_words(text: str, language: str) -> frozenset[str]:
    """Return the stop words of a phrase's language for passages in another language; none where it can be the same.

    They distinguish no passage, but are rare in passages of another language, and would count most there.
    """
    languages = _languages_of_phrase(text)
    if not languages or language in languages:
        return frozenset()
    # The lists share words, so that a phrase may fit several languages alike.
    first, *others = (_PHRASE_LISTS[each] for each in languages)
    return first.intersection(*others)


@lru_cache(maxsize=256)
def _languages_of_phrase(text: str) -> tuple[str, ...]:
    """Return the languages that have most words of the phrase in their lists; none where these are too few."""
    words = set(tokenize(text))
    counts = {language: len(words & listed) for language, listed in _PHRASE_LISTS.items()}
    most = max(counts.values())
    return tuple(each for each, count in counts.items() if count == most >= _MIN_WORDS)


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
