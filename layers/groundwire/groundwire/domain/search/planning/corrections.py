"""Corrections of the question before, as "no, I meant X" and "not A but B"."""

import re
from typing import Final, NamedTuple

from groundwire.domain.search.planning.subjects import subject_of
from groundwire.domain.search.planning.substitution import substitute, substitute_noun
from groundwire.domain.search.planning.vocabulary import sentences_of, starts_question, without_end_marks, words_of

_MAX_CORRECTION_CHARACTERS: Final = 300
_MIN_QUESTION_WORDS: Final = 4
_MAX_PHRASE_WORDS: Final = 12
_MAX_CONTRAST_WORDS: Final = 16

_OPENINGS: Final = (
    # A word, or a few.
    "oops|whoops|ups|wait|stop|autocorrect|no|nope|nah|sorry|apologies|excuse me|pardon|actually|correction|typo",
    "wrong(?: one)?",
    "hang on|hold on|on second thoughts?|scratch that|strike that|rather",
    "my (?:mistake|bad|error|fault)|not (?:that|this|it)(?: one)?",
    # What was wrong, as in "the wrong country", "the year was wrong", "I got the name wrong".
    "(?:the |my )?[a-z]+ (?:is|was) wrong",
    "i (?:got|had|have|typed|wrote|used|gave you|picked) (?:the |a )?(?:wrong \\w+|\\w+(?: \\w+)? wrong)",
    "i (?:got|had) (?:the )?\\w+ mixed up",
    "i mixed (?:that|them|it) up|i typed the wrong \\w+",
    "i (?:misspoke|mistyped|made a (?:mistake|typo))",
    "(?:i|you) (?:confused|mixed up|mis(?:read|understood|heard|typed|spelled))\\b[^.:;!?,\\u2013\\u2014-]{0,60}",
    "that(?:'s| is| was) (?:not (?:what i (?:meant|asked|wanted)(?: for)?|it|right|the one)|wrong|a typo|my mistake)",
    "that(?:'s| is) not what i \\w+",
    # What was written before, as in "did I say Paris?".
    "i said \\S{1,40}(?= but\\b)|i wrote \\S{1,40}(?=, | but\\b)",
    "did i (?:say|write|type) [^?.!]{1,60}\\?",
    "i (?:didn't|did not) (?:ask|mean|want|say)[^.:;!?,]{0,60}",
    # What follows is better.
    "let me (?:rephrase|correct (?:that|myself))|to be (?:precise|clear|more precise)",
    "(?:i )?should have (?:said|written)|i(?: should|'d better| want to| have to) (?:clarify|correct(?: \\w+)?)",
)
_WRONG: Final = "(?:the |that(?:'s| is| was) (?:the )?)?wrong (?!one\\b)[a-z]+"
"""The longest opening: before "wrong" alone."""
_MARKS: Final = r"\s*[,.:;!\u2013\u2014-]*\s*"
_OPENING: Final = re.compile(rf"(?:(?:{'|'.join((_WRONG, *_OPENINGS))})(?:\b|(?<=\?)){_MARKS})", re.IGNORECASE)
_FILLER: Final = re.compile(
    r"(?:[*]|(?:oh|ah|thanks|thank you|hm+|er+m?|uh|well|ok|okay|but|and)\b)[\s,.:;!\u2013\u2014-]*", re.IGNORECASE
)
_ADVERBS: Final = "(?:actually |really |just |of course )*"
_STATEMENTS: Final = (
    f"(?:what )?i {_ADVERBS}(?:meant?|asked (?:about|for)|need(?:ed)?|want(?:ed)?|intended)",
    f"(?:what )?i {_ADVERBS}was (?:asking (?:about|for)|thinking of|referring to|talking about)",
    f"i(?:'m| am) {_ADVERBS}(?:asking|talking|interested) (?:about|in|for)",
    f"i {_ADVERBS}should have (?:said|written)",
    "make (?:that|it)|(?:it |that )?should (?:be|have been|say|read)|change (?:that|it) to|use|try",
)
_STATEMENT: Final = re.compile(
    rf"(?:{'|'.join(_STATEMENTS)})(?: to (?:know|ask|say|write|type)(?: about)?)?(?: is| was)?\b\s*[:,]?\s*",
    re.IGNORECASE,
)
_PERSONAL_STATEMENT: Final = re.compile(
    r"(?:make (?:that|it)|(?:it |that )?should be|(?:it|that) should|change (?:that|it) to|what i"
    rf"|i {_ADVERBS}(?:mean|was)|i(?:'m| am) {_ADVERBS}(?:asking|talking|interested))",
    re.IGNORECASE,
)
_STATED: Final = re.compile(
    r"(?:(?:sorry|oops|oh|ah|no|wait|hm+),? )*i (?:said|wrote|typed|put|asked (?:about|for)) (?P<old>[^,.;]{1,60}?),?"
    r" (?:but |and )?(?:i )?(?:actually |really )?(?:mean|meant|wanted|(?:it )?should (?:be|have been))"
    r"(?: to (?:say|write|type|ask (?:about|for)))? (?P<new>[^?]{1,100})$",
    re.IGNORECASE,
)
_REPLACED: Final = re.compile(
    r"(?:please )?(?:replace|swap|change|exchange) (?P<old>[^,.;?]{1,60}?) (?:with|by|to|for|into)"
    r" (?P<new>[^?]{1,100})$",
    re.IGNORECASE,
)
_SAME_FOR: Final = re.compile(
    r"(?:(?:that|it|this|the same) (?=(?:for|in|about|of|on|at)\b)"
    r"|the other one\b[\s,:\u2013\u2014-]*(?=[^\W\d_]))",
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
    r"(?:[,;]? (?:instead|please|pls|rather|then|actually|i mean|i meant|that is|of course|sorry|here|obviously))+$",
    re.IGNORECASE,
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
    if stated := _STATED.match(body) or _REPLACED.match(body):
        return Correction(_cleaned(stated["new"]), stated["old"].strip())
    is_marked, is_apologetic = body.startswith("*"), False
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


def find_contrast(text: str, question: str) -> Correction | None:
    """Return the correction of a remark that names what the question named, and then another name; None for others.

    As "did you take Lisbon? it has to be Porto" after a question about Lisbon. A question about both compares them.
    """
    words = words_of(text[:_MAX_CORRECTION_CHARACTERS])
    parts = sentences_of(text)
    if not parts or len(words) > _MAX_CONTRAST_WORDS or _asks(parts[-1]):
        return None
    known = {word.key for word in words_of(question)}
    names = [number for number, word in enumerate(words) if word.is_capitalised and word.is_content]
    old = [number for number in names if words[number].key in known]
    new = [number for number in names if words[number].key not in known and (number or words[number].text[0].isdigit())]
    if not old or not new or new[0] - old[-1] <= 1 or not (_is_run(old) and _is_run(new)):
        return None
    old_name, new_name = (text[words[each[0]].start : words[each[-1]].end] for each in (old, new))
    return Correction(new_name, old_name)


def _is_run(numbers: list[int]) -> bool:
    return numbers[-1] - numbers[0] == len(numbers) - 1


def _asks(sentence: str) -> bool:
    return sentence.rstrip().endswith("?") or starts_question(words_of(sentence))


def is_new_question(correction: Correction) -> bool:
    """Return whether a correction is a question of its own, as after "Let me rephrase"."""
    words = words_of(correction.new)
    return starts_question(words) and len(words) >= _MIN_QUESTION_WORDS


def _cleaned(phrase: str) -> str:
    phrase = without_end_marks(_INSTEAD.sub("", _SAME_FOR.sub("", phrase.strip())))
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
