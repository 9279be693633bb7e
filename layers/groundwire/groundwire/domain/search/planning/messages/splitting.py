"""Separation of a message into single questions."""

import re
from itertools import pairwise
from typing import Final

from groundwire.domain.search.planning.languages import language_of_question, second_question
from groundwire.domain.search.planning.messages.chatter import is_chatter, without_frame
from groundwire.domain.search.planning.vocabulary import (
    ARTICLES,
    AUXILIARIES,
    IMPERATIVES,
    PREPOSITIONS,
    PRONOUNS,
    WH_WORDS,
    Word,
    content_of,
    sentences_of,
    starts_question,
    without_end_marks,
    word_set,
    words_of,
)

_MAX_CONTEXT_CHARACTERS: Final = 160
_MAX_STEM_CHARACTERS: Final = 200
_MAX_PASSES: Final = 6
_MAX_SENTENCES: Final = 60
_MIN_CLAUSE_WORDS: Final = 3
_MAX_SHARED_WORDS: Final = 7
_MAX_SPLIT_CHARACTERS: Final = 600
"""Length of a sentence that is split: a longer one is no question."""

_ITEM: Final = re.compile(
    r"[ \t]*(?:(?:\(?\d{1,2}[.)]|\(?[a-h]\)|[-*\u2022\u2013])\s+|(?:first|second|third)(?:ly)?[,:]\s+)(?=\S)",
    re.IGNORECASE,
)
_INLINE_ITEM: Final = re.compile(
    r"(?:^|\s)\(?(?:[1-9]|[a-e])\)\s+(?=\S)"
    r"|(?:^|[.?!;]\s+)(?:(?:question|part|point|frage|punkt)\s?[1-9]\s?[:.)]|(?:first|second|third)(?:ly)?\s?:)\s+(?=\S)",
    re.IGNORECASE,
)
_ITEM_JOINT: Final = re.compile(r"\s*[,;]\s*(?:and|or|und|et|y)?\s*$|\s+(?:and|or)\s*$", re.IGNORECASE)
"""Mark or conjunction between two items."""
_QUESTION_MARKS: Final = ("?", "\uff1f", '?"', "?)", "?\u201d")
_JOINT: Final = re.compile(
    r"\s*(?P<mark>[,;])?\s+(?:and|but|or|plus|as well as)\b,?\s+"
    r"(?:also |then |separately,? |finally,? |third |lastly,? )?"
    r"|(?P<semicolon>\s*;|\s+[/+])\s+(?:and |also |second,? |third,? |finally,? )?"
    r"|(?P<comma>,)\s+(?=(?:what|how|why|who|when|where|which)\b)",
    re.IGNORECASE,
)
_REQUESTED: Final = re.compile(
    r"(?:[^,:]{0,80}\b)?(?:find|show|give|explain|need|want|look up|search|details?|information|info|something|things?"
    r"|questions?|know|topics?)\b[^,:?]{0,30}?(?:\b(?:on|about|for)\s|:\s)",
    re.IGNORECASE,
)
_NEXT_ITEM: Final = re.compile(
    r",\s+(?:and\s+)?(?:also\s+)?(?:(?:on|about|for)\s+)?|\s+and\s+(?:on|about|for)\s+", re.IGNORECASE
)
_LAST_ITEMS: Final = re.compile(r"\s+and\s+(?=(?:the|a|an)\s)", re.IGNORECASE)
_FOREIGN_CONJUNCTION: Final = re.compile(r"\s*,?\s+\S{1,10}\s+\u00bf?$")
_MAX_LISTED: Final = 4
_CLAUSE_END: Final = re.compile(r",\s|\s+and\s+(?=(?:what|how|why|who|when|where|which)\b)", re.IGNORECASE)
_ADVERBS: Final = word_set("""many much long often far old big large high deep fast late early soon tall wide""")
_EMOTICON: Final = re.compile(r"^(?:[:;=]-?[)(DPp]|[)\]},.;:!])+\s*")
_ORDER: Final = re.compile(r"\s*(?:please )?(?:do not|don't|never)\b[^?]*$", re.IGNORECASE)
_STEM_WORDS: Final = word_set(
    """a answer answers bit chapter chapters detail details essay fact facts few find five following four give help
    info information items list look looking material need paper papers points presentation questions quiz reading
    references report search section sections show slides something sources tell thesis thing things three topics two"""
)
"""Words of a line before a list that adds nothing to its items, as "I need sources on two things:"."""
_SAME_SUBJECT: Final = word_set("it its they their them he she his her him these this those")
_SUBORDINATE: Final = word_set("who which where when that")


def questions_of(text: str) -> list[str]:
    """Return the questions of a message in order, without chatter; the message itself where it is one."""
    found = _questions(text)
    for _ in range(_MAX_PASSES):
        # Words around a question may hide further ones: a plan of a plan is the same plan.
        if len(found) != 1 or found[0] == text:
            break
        text = found[0]
        found = _questions(text) or found
    return found


def _questions(text: str) -> list[str]:
    items = _items(text)
    if items:
        return items
    kept, was_cut = _kept_sentences(text)
    if not kept:
        return []
    groups = _grouped(kept)
    split = [clause for group in groups for clause in _clauses(group)]
    return [text] if len(split) == 1 and not was_cut else split


def _kept_sentences(text: str) -> tuple[list[str], bool]:
    """Return the sentences that are not chatter, and whether anything was cut."""
    kept: list[str] = []
    was_cut = False
    for line in text.splitlines():
        for sentence in sentences_of(line):
            if len(kept) >= _MAX_SENTENCES:
                return kept, True
            if is_chatter(sentence):
                was_cut = was_cut or bool(sentence.strip())
                continue
            shorter = _EMOTICON.sub("", without_frame(sentence))
            was_cut = was_cut or shorter != sentence.strip()
            kept.append(shorter)
    return kept, was_cut


def is_question(sentence: str) -> bool:
    """Return whether a sentence asks."""
    if _ORDER.match(sentence):
        return False
    return sentence.rstrip().endswith(_QUESTION_MARKS) or starts_question(words_of(sentence[:_MAX_SPLIT_CHARACTERS]))


def _grouped(kept: list[str]) -> list[str]:
    """Join statements to the question that follows them, or to the last one."""
    groups: list[str] = []
    context: list[str] = []
    for sentence in kept:
        if not is_question(sentence):
            context.append(sentence)
            continue
        short = [each for each in context if len(each) <= _MAX_CONTEXT_CHARACTERS]
        groups.append(" ".join([*(short if groups == [] else context), sentence]))
        context = []
    if context and groups:
        groups[-1] = " ".join([groups[-1], *context])
    return groups or [" ".join(context)]


def _items(text: str) -> list[str]:
    """Return the items of a list with their stem; empty where the message is none."""
    lines = [line for line in text.splitlines() if line.strip()]
    found = [line for line in lines if _ITEM.match(line)]
    if len(found) < 2:  # noqa: PLR2004
        parts = _INLINE_ITEM.split(text) if len(text) <= _MAX_SPLIT_CHARACTERS else []
        if len(parts) < 3:  # noqa: PLR2004
            return []
        lines, found = [part for part in parts if part.strip()], parts[1:]
    stem = ""
    items: list[str] = []
    for line in lines[:_MAX_SENTENCES]:
        item = line[marker.end() :] if (marker := _ITEM.match(line)) else line
        item = without_frame(_ITEM_JOINT.sub("", item.strip()))
        if is_chatter(item):
            continue
        if marker or line in found:
            items.append(item)
        elif not items and not is_chatter(line):
            stem = line.strip()
        elif is_question(item):
            items.append(item)
    head = _head(stem)
    return [item if not head or is_question(item) else f"{without_frame(head)} {item}" for item in items]


def _head(stem: str) -> str:
    """Return what a line before a list adds to its items; empty where it only announces them."""
    if not stem.endswith(":") or len(stem) > _MAX_STEM_CHARACTERS:
        return ""
    head = stem.rstrip(":").strip()
    return "" if all(word.key in _STEM_WORDS for word in content_of(words_of(head))) else head


def _clauses(sentence: str) -> list[str]:
    """Split a sentence at the conjunctions between whole questions."""
    if len(sentence) > _MAX_SPLIT_CHARACTERS:
        return [sentence]
    if place := second_question(sentence, language_of_question(sentence)):
        left = _FOREIGN_CONJUNCTION.sub("", sentence[:place])
        return [_as_question(left, sentence), *_clauses(sentence[place:].strip())]
    if listed := _listed(sentence):
        return listed
    for joint in _JOINT.finditer(sentence):
        left, right = sentence[: joint.start()].strip(), sentence[joint.end() :].strip()
        before, after = words_of(left), words_of(right[: _first_clause(right)])
        has_mark = bool(joint["mark"] or joint["semicolon"] or joint["comma"])
        if joint["comma"] and not _is_comma_before_question(before, after, right):
            continue
        if "or" not in joint[0].split() and (shared := _with_shared_opening(left, before, right, after)):
            return [_as_question(left, sentence), *_clauses(shared)]
        if _is_question_pair(before, after, has_mark=has_mark):
            return [_as_question(left, sentence), *_clauses(right)]
    return [sentence]


def _first_clause(text: str) -> int:
    """Return the length of the first of several questions, which alone shows whether it has the subject of another."""
    found = _CLAUSE_END.search(text)
    return found.start() if found and len(words_of(text[: found.start()])) >= _MIN_CLAUSE_WORDS else len(text)


def _is_comma_before_question(before: list[Word], after: list[Word], right: str) -> bool:
    """Return whether a comma alone separates two questions; before a verb it does so only in a list of them."""
    if len(after) < _MIN_CLAUSE_WORDS or not starts_question(before):
        return False
    first, second = after[0].key, after[1].key
    is_listed = _CLAUSE_END.search(right) is not None
    return (is_listed or second in AUXILIARIES | _ADVERBS) and (first != "which" or before[0].key != "which")


def _listed(sentence: str) -> list[str]:
    """Return the subjects of a request such as "find something on A, on B and on C"; empty for any other sentence."""
    head = _REQUESTED.match(sentence)
    if head is None or starts_question(words_of(sentence[:40])):
        return _listed_phrases(sentence)
    items = [without_end_marks(item) for item in _NEXT_ITEM.split(sentence[head.end() :])]
    last = items.pop()
    if sentence[head.end() - 2] == ":" or len(items) > 1:
        # The last two subjects of a list have a conjunction between them.
        items.extend(part.strip() for part in _LAST_ITEMS.split(last, maxsplit=1))
    else:
        items.append(last)
    is_list = 2 < len(items) <= _MAX_LISTED and all(len(content_of(words_of(item))) > 1 for item in items)  # noqa: PLR2004
    return items if is_list else []


def _listed_phrases(sentence: str) -> list[str]:
    """Return the phrases of a text that is only a list of them, as "the height of A, the depth of B"."""
    phrases = _NEXT_ITEM.split(without_end_marks(sentence))
    items = [part.strip() for phrase in phrases for part in _LAST_ITEMS.split(phrase)]
    is_list = 1 < len(items) <= _MAX_LISTED and all(
        _starts_with_article(item) and len(content_of(words_of(item))) > 1 for item in items
    )
    return items if is_list and not any(word.key in AUXILIARIES for word in words_of(sentence)) else []


def _starts_with_article(phrase: str) -> bool:
    words = words_of(phrase[:20])
    return bool(words) and words[0].key in ARTICLES


def _is_question_pair(before: list[Word], after: list[Word], *, has_mark: bool) -> bool:
    """Return whether two parts of a sentence are questions of their own."""
    if min(len(before), len(after)) < _MIN_CLAUSE_WORDS or not content_of(before) or not content_of(after):
        return False
    # The second part of "who wrote it, and when did they print it" has the subject of the first: one query finds both.
    return not any(word.key in _SAME_SUBJECT for word in after) and _opens_question(before, after, has_mark=has_mark)


def _opens_question(before: list[Word], after: list[Word], *, has_mark: bool) -> bool:
    """Return whether the first words after a conjunction begin a question, not a relative clause."""
    first, second = after[0].key, after[1].key
    asks_before = starts_question(before)
    if first in IMPERATIVES:
        return asks_before or before[0].key in IMPERATIVES
    if first in AUXILIARIES:
        has_subject = has_mark or second in PRONOUNS or second in {"the", "a", "an", "my", "there"}
        return has_subject and (asks_before or _asks_inside(before))
    if first in PREPOSITIONS:
        return second in WH_WORDS
    if first not in WH_WORDS or second in AUXILIARIES:
        return first in WH_WORDS
    if first in _SUBORDINATE and not has_mark:
        return False
    return asks_before and (has_mark or second in _ADVERBS or first in {"what", "which", "why", "how", "who"})


def _asks_inside(words: list[Word]) -> bool:
    """Return whether a question follows other words, as in "with those, what did they measure"."""
    return any(word.key in WH_WORDS and following.key in AUXILIARIES for word, following in pairwise(words))


def _with_shared_opening(left: str, before: list[Word], right: str, after: list[Word]) -> str:
    """Return the second question of two that share their opening; empty where the sentence is one question.

    So are "in France and in Canada", and "What is the area of A and the population of B".
    """
    if not after or not starts_question(before) or any(word.key in {"between", "both", "compare"} for word in before):
        return ""
    if after[0].key in PREPOSITIONS:
        same = [number for number, word in enumerate(before) if word.key == after[0].key]
        if same and same[-1] > 1 and 1 < len(before) - same[-1] <= _MAX_SHARED_WORDS:
            return f"{left[: before[same[-1]].start].rstrip()} {right}"
    if (
        after[0].key == "the"
        and len(before) > 3  # noqa: PLR2004
        and before[0].key in {"what", "who", "where"}
        and before[1].key in {"is", "are", "was", "were"}
        and before[2].key == "the"
        and any(word.key in {"of", "for", "in"} for word in before[2:])
        and any(word.key in {"of", "for", "in"} for word in after)
    ):
        return f"{left[: before[1].end]} {right}"
    return ""


def _as_question(part: str, sentence: str) -> str:
    return without_end_marks(part) + ("?" if sentence.rstrip().endswith("?") else "")
