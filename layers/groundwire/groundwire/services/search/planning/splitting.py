"""Separation of a message into single questions."""

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from groundwire.domain.text.sentences import sentences
from groundwire.services.search.planning.vocabulary import (
    AUXILIARIES,
    IMPERATIVES,
    PREPOSITIONS,
    PRONOUNS,
    WH_WORDS,
    has_content,
    starts_question,
    without_end_marks,
    word_set,
    words_of,
)

_MAX_CONTEXT_CHARACTERS: Final = 160
_MAX_SENTENCES: Final = 60
_MIN_CLAUSE_WORDS: Final = 3
_MAX_SPLIT_CHARACTERS: Final = 600
"""Length of a sentence that is split: a longer one is no question."""

_QUESTION_MARKS: Final = ("?", "\uff1f", '?"', "?)", "?\u201d")
_JOINT: Final = re.compile(
    r"\s*(?P<mark>[,;])?\s+(?:and|but|or|plus|as well as)\b,?\s+"
    r"(?:also |then |separately,? |finally,? |third |lastly,? )?"
    r"|(?P<semicolon>\s*;|\s+[/+])\s+(?:and |also |second,? |third,? |finally,? )?",
    re.IGNORECASE,
)
_ADVERBS: Final = word_set("""many much long often far old big large high deep fast late early soon tall wide""")
_SAME_SUBJECT: Final = word_set("it its they their them he she his her him these this those")
_SUBORDINATE: Final = word_set("who which where when that")


def questions_of(text: str) -> list[str]:
    """Return the questions of a message in order; the message itself where it has only one."""
    found = [part.strip() for line in text.splitlines() for part in sentences(line) if part.strip()][:_MAX_SENTENCES]
    split = [clause for group in _grouped(found) for clause in _clauses(group)]
    return split if len(split) > 1 else [text]


def is_question(sentence: str) -> bool:
    """Return whether a sentence asks."""
    # The first words decide, so a pasted text is not taken apart as a whole.
    return sentence.rstrip().endswith(_QUESTION_MARKS) or starts_question(words_of(sentence[:_MAX_SPLIT_CHARACTERS]))


def _grouped(found: list[str]) -> list[str]:
    """Join statements to the question that follows them, or to the last one."""
    groups: list[str] = []
    context: list[str] = []
    for sentence in found:
        if not is_question(sentence):
            context.append(sentence)
            continue
        short = [each for each in context if len(each) <= _MAX_CONTEXT_CHARACTERS]
        groups.append(" ".join([*(context if groups else short), sentence]))
        context = []
    if context and groups:
        groups[-1] = " ".join([groups[-1], *context])
    return groups or [" ".join(context)]


def _clauses(sentence: str) -> list[str]:
    """Split a sentence at the conjunctions between whole questions."""
    if len(sentence) > _MAX_SPLIT_CHARACTERS:
        return [sentence]
    for joint in _JOINT.finditer(sentence):
        left, right = sentence[: joint.start()].strip(), sentence[joint.end() :].strip()
        before, after = words_of(left), words_of(right)
        has_mark = bool(joint["mark"] or joint["semicolon"])
        if _is_question_pair(before, after, has_mark=has_mark):
            return [_as_question(left, sentence), *_clauses(right)]
    return [sentence]


def _is_question_pair(before: Sequence[str], after: Sequence[str], *, has_mark: bool) -> bool:
    """Return whether two parts of a sentence are questions of their own."""
    if min(len(before), len(after)) < _MIN_CLAUSE_WORDS or not has_content(before) or not has_content(after):
        return False
    # The second part of "who wrote it, and when did they print it" has the subject of the first: one query finds both.
    return not any(word in _SAME_SUBJECT for word in after) and _opens_question(before, after, has_mark=has_mark)


def _opens_question(before: Sequence[str], after: Sequence[str], *, has_mark: bool) -> bool:
    """Return whether the first words after a conjunction begin a question, not a relative clause."""
    first, second = after[0], after[1]
    asks_before = starts_question(before)
    if first in IMPERATIVES:
        return asks_before or before[0] in IMPERATIVES
    if first in AUXILIARIES:
        has_subject = has_mark or second in PRONOUNS or second in {"the", "a", "an", "my", "there"}
        return has_subject and (asks_before or _asks_inside(before))
    if first in PREPOSITIONS:
        return second in WH_WORDS
    # A question word before an auxiliary, as in "what is", asks in any sentence.
    if first not in WH_WORDS or second in AUXILIARIES:
        return first in WH_WORDS
    if first in _SUBORDINATE and not has_mark:
        return False
    return asks_before and (has_mark or second in _ADVERBS or first in {"what", "which", "why", "how", "who"})


def _asks_inside(words: Sequence[str]) -> bool:
    """Return whether a question follows other words, as in "with those, what did they measure"."""
    return any(word in WH_WORDS and following in AUXILIARIES for word, following in pairwise(words))


def _as_question(part: str, sentence: str) -> str:
    return without_end_marks(part) + ("?" if sentence.rstrip().endswith("?") else "")
