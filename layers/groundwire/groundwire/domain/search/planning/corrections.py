"""Corrections of the question before, as "no, I meant X" and "not A but B"."""

import re
from typing import Final, NamedTuple

from groundwire.domain.search.planning.subjects import subject_of
from groundwire.domain.search.planning.substitution import substitute, substitute_noun
from groundwire.domain.search.planning.vocabulary import starts_question, without_end_marks, words_of

_MAX_CORRECTION_CHARACTERS: Final = 300
_MIN_QUESTION_WORDS: Final = 4
_MAX_PHRASE_WORDS: Final = 12

_OPENING: Final = re.compile(
    r"(?:(?:oops|whoops|ups|wait|no|nope|nah|sorry|apologies|excuse me|pardon|actually|correction"
    r"|my (?:mistake|bad|error|fault)|i (?:misspoke|mistyped|made a (?:mistake|typo)|typed the wrong \w+"
    r"|mixed (?:that|them|it) up)"
    r"|wrong(?: one)?|typo|that(?:'s| is| was) (?:not (?:what i (?:meant|asked|wanted)(?: for)?|it|right"
    r"|the one)|wrong|a typo|my mistake)"
    r"|not (?:that|this|it)(?: one)?|hang on|hold on|on second thoughts?|scratch that|rather|strike that"
    r"|let me (?:rephrase|correct (?:that|myself))"
    r"|to be (?:precise|clear|more precise)|(?:i )?should have (?:said|written))\b\s*[,.:;!\u2013\u2014-]*\s*)",
    re.IGNORECASE,
)
_FILLER: Final = re.compile(r"(?:oh|ah|hm+|er+m?|uh|well|ok|okay|but|and)\b[\s,.:;!\u2013\u2014-]*", re.IGNORECASE)
_STATEMENT: Final = re.compile(
    r"(?:(?:what )?i (?:actually |really |just |of course )?(?:meant?|was asking (?:about|for)|asked (?:about"
    r"|for)|need(?:ed)?|want(?:ed)?|was (?:thinking of|referring to|talking about)|am (?:asking"
    r"|talking) about|should have (?:said|written)|intended)"
    r"(?: to (?:know|ask|say|write|type)(?: about)?)?(?: is| was)?|make (?:that|it)|(?:it|that) should (?:be"
    r"|have been|say|read)|change (?:that|it) to|use|try)\b\s*[:,]?\s*",
    re.IGNORECASE,
)
_PERSONAL_STATEMENT: Final = re.compile(
    r"(?:make (?:that|it)|(?:it|that) should|change (?:that|it) to|what i|i (?:actually |really |just )?(?:mean|was))",
    re.IGNORECASE,
)
_NOT_BUT: Final = re.compile(
    r"(?:it'?s |i said |i meant )?not (?P<old>.{1,80}?)(?:,? but(?: rather)?"
    r"|[,;.\u2013\u2014-] ?) ?(?P<new>\S.{0,120})$",
    re.IGNORECASE,
)
_BUT_NOT: Final = re.compile(
    r"(?P<new>.{1,120}?),? (?:and |but )?(?:not|instead of|rather than) (?P<old>[^,;]{1,80})$", re.IGNORECASE
)
_INSTEAD: Final = re.compile(
    r"(?:[,;]? (?:instead|please|pls|rather|then|actually|i mean|i meant|that is))+$", re.IGNORECASE
)
_MEANT: Final = re.compile(r"\bi mean(?:t)?[.!]?\s*$", re.IGNORECASE)
_DATED: Final = re.compile(
    r"(?:the )?(?P<new>(?:1[5-9]|20)\d\d) (?:one|version|edition|figures?|numbers?|data)$", re.IGNORECASE
)
_ONE: Final = re.compile(r"(?:the |that )?(?P<new>\S.{0,60}?) ones?$", re.IGNORECASE)


class Correction(NamedTuple):
    """Change of the question before.

    Attributes:
        new: the phrase or the question that is meant.
        old: the phrase that is not; empty where none was named.
    """

    new: str
    old: str


def find_correction(text: str) -> Correction | None:
    """Return the correction that a message is; None for any other message."""
    body = text.strip()
    if not body or len(body) > _MAX_CORRECTION_CHARACTERS:
        return None
    is_marked = is_apologetic = False
    while found := _OPENING.match(body) or _FILLER.match(body):
        is_apologetic = is_apologetic or _OPENING.match(body) is not None
        body = body[found.end() :]
    if found := _STATEMENT.match(body):
        is_marked = is_apologetic or _PERSONAL_STATEMENT.match(body) is not None
        if is_marked:
            body = body[found.end() :]
    is_marked = is_marked or _MEANT.search(body) is not None
    is_question = body.rstrip().endswith("?") and starts_question(words_of(body))
    body = body.strip() if is_question else _INSTEAD.sub("", without_end_marks(body))
    words = words_of(body)
    is_phrase = len(words) <= _MAX_PHRASE_WORDS and not starts_question(words)
    pair = (_NOT_BUT.match(body) or _BUT_NOT.match(body)) if is_phrase else None
    if pair:
        return Correction(_cleaned(_STATEMENT.sub("", pair["new"], 1)), pair["old"].strip())
    if not words or not (is_marked or (is_apologetic and (is_phrase or starts_question(words)))):
        return None
    return Correction(body if is_question else _cleaned(body), "")


def is_new_question(correction: Correction) -> bool:
    """Return whether a correction is a question of its own, as after "Let me rephrase"."""
    words = words_of(correction.new)
    return starts_question(words) and len(words) >= _MIN_QUESTION_WORDS


def _cleaned(phrase: str) -> str:
    phrase = without_end_marks(_INSTEAD.sub("", phrase.strip()))
    found = _DATED.match(phrase) or _ONE.match(phrase)
    return found["new"] if found else phrase


def corrected(question: str, correction: Correction) -> list[str]:
    """Return the corrected question; both together where the part to replace is unclear.

    Args:
        question: the question before.
        correction: what the user changes in it.
    """
    new = correction.new
    replaced = substitute(question, new, correction.old)
    if replaced is not None:
        return [replaced]
    joined = f"{without_end_marks(question)}, {new}"
    return [substitute_noun(question, new) or joined, f"{new} {subject_of(question)}"]
