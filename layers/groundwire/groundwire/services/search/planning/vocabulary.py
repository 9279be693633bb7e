"""Words of a text, and the English function words that the rules distinguish."""

import re
from collections.abc import Sequence
from typing import Final

from groundwire_readers.text.stop_words import ENGLISH_STOP_WORDS

# Possessive, so that a long code is matched in linear time.
_WORD: Final = re.compile(r"[^\W_]++(?:['\u2019.,\-/_&][^\W_]++)*+")


def word_set(text: str) -> frozenset[str]:
    """Return the words of a list that is written as one text."""
    return frozenset(text.split())


WH_WORDS: Final = word_set("what when where which who whom whose why how")
_FORMS_OF_BE: Final = word_set("""am is are was were be isn't aren't wasn't weren't what's where's who's how's""")
_FORMS_OF_DO: Final = word_set("do does did don't doesn't didn't")
_FORMS_OF_HAVE: Final = word_set("has have had hasn't haven't")
_MODALS: Final = word_set(
    """can could may might must shall should will would can't cannot couldn't won't wouldn't shouldn't"""
)
AUXILIARIES: Final = _FORMS_OF_BE | _FORMS_OF_DO | _FORMS_OF_HAVE | _MODALS
_DETERMINERS: Final = word_set("the a an my our your every each any some this that these those")
PREPOSITIONS: Final = word_set(
    """about above across after against along among around at before behind below beside besides between beyond by
    concerning down during except for from in inside into like near of off on onto outside over past per
    regarding since through throughout to toward towards under until up upon via with within without"""
)
_CONJUNCTIONS: Final = word_set(
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
    | _DETERMINERS
    | PREPOSITIONS
    | _CONJUNCTIONS
    | PRONOUNS
    | _WEAK_VERBS
    | (ENGLISH_STOP_WORDS - word_set("case cases example inc ltd number particular second value way ways"))
)
_WH_FORMS: Final = word_set("what's who's where's when's how's why's whats whos wheres")


def words_of(text: str) -> list[str]:
    """Return the words of a text in lower case, with straight apostrophes; a code such as `SP-200-H` is one word."""
    return [word.replace("\u2019", "'").lower() for word in _WORD.findall(text)]


def has_content(words: Sequence[str]) -> bool:
    """Return whether any word is no function word."""
    return any(word not in _FUNCTION_WORDS for word in words)


def starts_question(words: Sequence[str]) -> bool:
    """Return whether a question word or an auxiliary is the first word, after a preposition at most."""
    if not words:
        return False
    if words[0] in PREPOSITIONS:
        return len(words) > 1 and words[1] in WH_WORDS
    return words[0] in WH_WORDS | AUXILIARIES | _WH_FORMS


def without_end_marks(text: str) -> str:
    """Return a sentence without the marks that end it."""
    return text.strip().rstrip("?.!\u2026,;: ")
