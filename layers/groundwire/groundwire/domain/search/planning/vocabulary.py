"""Words of a text with their positions, and the English function words that the rules distinguish."""

import re
from typing import Final, NamedTuple

from groundwire.domain.text.sentences import sentences
from groundwire_readers.text.stop_words import ENGLISH_STOP_WORDS

_TYPED_END: Final = re.compile(r"(?<![^\W_])([^\W\d_]{2,30}[.!?]{1,3})()\s+(?=[a-z])")
"""End of a sentence before a small letter, after a word of two letters at least."""
_SHORTENED: Final = frozenset(
    [
        "vs.",
        "no.",
        "approx.",
        "incl.",
        "esp.",
        "vol.",
        "fig.",
        "prof.",
        "dr.",
        "st.",
        "mr.",
        "mrs.",
        "ca.",
        "al.",
        "etc.",
    ]
)
_WORD: Final = re.compile(r"[^\W_]++(?:['\u2019.,\-/_&][^\W_]++)*+")


def word_set(text: str) -> frozenset[str]:
    """Return the words of a list that is written as one text."""
    return frozenset(text.split())


WH_WORDS: Final = word_set("what when where which who whom whose why how")
FORMS_OF_BE: Final = word_set("""am is are was were be isn't aren't wasn't weren't what's where's who's how's""")
_FORMS_OF_DO: Final = word_set("do does did don't doesn't didn't")
_FORMS_OF_HAVE: Final = word_set("has have had hasn't haven't")
_MODALS: Final = word_set(
    """can could may might must shall should will would can't cannot couldn't won't wouldn't shouldn't"""
)
AUXILIARIES: Final = FORMS_OF_BE | _FORMS_OF_DO | _FORMS_OF_HAVE | _MODALS
VERB_LAST_AUXILIARIES: Final = _FORMS_OF_DO | _MODALS
"""Auxiliaries whose main verb follows the subject."""

ARTICLES: Final = frozenset(["the", "a", "an"])
DETERMINERS: Final = ARTICLES | word_set("my our your every each any some this that these those")
PREPOSITIONS: Final = word_set(
    """about above across after against along among around at before behind below beside besides between beyond by
    concerning down during except for from in inside into like near of off on onto outside over past per
    regarding since through throughout to toward towards under until up upon via with within without"""
)
CONJUNCTIONS: Final = word_set(
    """and or but if when while because although though unless until before after since whereas so then than"""
)
IMPERATIVES: Final = word_set("tell explain describe show list compare define find summarise summarize give name")
PRONOUNS: Final = word_set("i me you we us he him she her it they them who whom")
_WEAK_VERBS: Final = word_set(
    """ask asked asking come comes explain give gives go goes happen happened happens know mean means need needs
    say says show tell think want wants work works look looks matter exactly"""
)
_FUNCTION_WORDS: Final = (
    WH_WORDS
    | AUXILIARIES
    | DETERMINERS
    | PREPOSITIONS
    | CONJUNCTIONS
    | PRONOUNS
    | _WEAK_VERBS
    | (ENGLISH_STOP_WORDS - word_set("case cases example inc ltd number particular second value way ways"))
)
_SIGNIFICANT_TITLES: Final = frozenset(["US", "IT", "UN", "WHO"])
"""Names in capitals that are function words in lower case."""


class Word(NamedTuple):
    """Word of a text.

    Attributes:
        key: the word in lower case, with a straight apostrophe.
        start, end: its place in the text.
    """

    text: str
    key: str
    start: int
    end: int

    @property
    def is_capitalised(self) -> bool:
        """True where the word begins with a capital or contains a digit, as a name or a code does."""
        return self.text[0].isupper() or any(character.isdigit() for character in self.text)

    @property
    def is_content(self) -> bool:
        """True where the word is no function word."""
        return self.text in _SIGNIFICANT_TITLES or self.key not in _FUNCTION_WORDS


def words_of(text: str) -> list[Word]:
    """Return the words of a text in order; a code such as `SP-200-H` is one word."""
    return [
        Word(found[0], found[0].replace("\u2019", "'").lower(), found.start(), found.end())
        for found in _WORD.finditer(text)
    ]


def sentences_of(text: str) -> list[str]:
    """Return the sentences of a message, also where a small letter begins them, as people type."""
    found: list[str] = []
    for sentence in sentences(text):
        start = 0
        for end in _TYPED_END.finditer(sentence):
            if end[1].lower() not in _SHORTENED:
                found.append(sentence[start : end.start(2)].rstrip())
                start = end.end()
        found.append(sentence[start:])
    return [sentence for sentence in found if sentence.strip()]


def content_of(words: list[Word]) -> list[Word]:
    """Return the words that are no function words."""
    return [word for word in words if word.is_content]


def starts_question(words: list[Word]) -> bool:
    """Return whether a question word or an auxiliary is the first word, after a preposition at most."""
    if words and words[0].key in PREPOSITIONS:
        words = words[1:]
        return bool(words) and words[0].key in WH_WORDS
    return bool(words) and (words[0].key in WH_WORDS or words[0].key in AUXILIARIES or words[0].key in _WH_FORMS)


_WH_FORMS: Final = word_set("what's who's where's when's how's why's whats whos wheres")


def without_end_marks(text: str) -> str:
    """Return a sentence without the marks that end it."""
    return text.strip().rstrip("?.!\u2026,;: ")
