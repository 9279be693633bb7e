"""Subject of a question: the words that a later question may leave out."""

import re
from typing import Final

from groundwire.domain.search.planning.vocabulary import (
    ARTICLES,
    AUXILIARIES,
    DETERMINERS,
    FORMS_OF_BE,
    PREPOSITIONS,
    VERB_LAST_AUXILIARIES,
    WH_WORDS,
    Word,
    without_end_marks,
    word_set,
    words_of,
)

_MAX_SUBJECT_WORDS: Final = 14
_MAX_QUESTION_CHARACTERS: Final = 600
_OTHER_VERBS: Final = AUXILIARIES | word_set("be been come go happen mean need say take work use make get give")
_COMPARED: Final = re.compile(
    r"\b(?:differences?|relationship|distinction|similarities) (?:between|of) (\S.{1,120})$", re.IGNORECASE
)
_PARTICIPLES: Final = word_set(
    """begun born bought brought built called caught chosen done drawn driven fought grown held hurt kept left lost
    made meant met paid put read run seen sent set shot shown shut sold spent spoken taught thrown understood
    won worn written"""
)
"""Participles without the regular ending."""
_SENTENCE: Final = re.compile(r"[.!]\s")
_LIST_ITEM: Final = re.compile(r"[ \t]*(?:\(?\d{1,2}[.)]|[-*\u2022\u2013]|\(?[a-h]\))\s+(\S[^\n]{0,300})")
_ITEM_END: Final = re.compile(r"\s[\u2013\u2014-]\s|[:(;.]\s|[:;.?]$|\*\*:?\s")
_ENUMERATION: Final = re.compile(r",\s+(?:and |or )?|\s+(?:and|or)\s+")
_ENUMERATION_OPENING: Final = re.compile(
    r".*(?:\b(?:are|is|include|includes|including|offer|offers|have|has|follow|known|between|either|called"
    r"|namely|comes? in|:)\s)",
    re.IGNORECASE | re.DOTALL,
)


def subject_of(question: str) -> str:
    """Return the noun phrase that a question is about, with places and names; all content words where none is clear."""
    text = _last_question(question)
    if found := _COMPARED.search(text):
        return found[1]
    words = words_of(text)
    phrase = _phrase_after_auxiliary(words) or _phrase_after_verb(words)
    if phrase:
        start, end = phrase
        return " ".join([text[words[start].start : words[end - 1].end], *_named_complements(text, words, end)])
    return content_phrase(text)


def _last_question(text: str) -> str:
    """Return a question without the statements before it, shortened."""
    parts = _SENTENCE.split(text[-_MAX_QUESTION_CHARACTERS:])
    asking = [part for part in parts if part.rstrip().endswith("?")]
    return without_end_marks((asking or [text[:_MAX_QUESTION_CHARACTERS]])[-1])


def _phrase_after_auxiliary(words: list[Word]) -> tuple[int, int] | None:
    """Return the range of the subject that follows the first auxiliary, if an article or a name marks it."""
    auxiliary = next((number for number, word in enumerate(words[:8]) if word.key in AUXILIARIES), None)
    if auxiliary is None or auxiliary + 1 >= len(words):
        return None
    if words[auxiliary].key in FORMS_OF_BE and auxiliary and words[0].key in {"which", "what"} and auxiliary > 2:  # noqa: PLR2004
        return None
    start = auxiliary + 1
    end = _phrase_end(words, start)
    end = _without_verb(words, start, end, ends_in_verb=words[auxiliary].key in VERB_LAST_AUXILIARIES)
    is_before_place = (
        words[auxiliary].key in VERB_LAST_AUXILIARIES and end < len(words) and words[end].key in PREPOSITIONS
    )
    return (start, end) if end > start and (is_before_place or _is_marked(words, start, end)) else None


def _phrase_after_verb(words: list[Word]) -> tuple[int, int] | None:
    """Return the range of the object in a question such as "Who wrote the Analects"."""
    if len(words) < 3 or words[0].key not in {"who", "what", "which"} or words[1].key in AUXILIARIES:  # noqa: PLR2004
        return None
    for start in range(1, min(len(words), 5)):
        if words[start].key in ARTICLES or (start > 1 and words[start].is_capitalised):
            end = _phrase_end(words, start)
            return (start, end) if end > start else None
    return None


def _phrase_end(words: list[Word], start: int) -> int:
    end = start
    while end < len(words):
        word = words[end]
        is_link = word.key == "of" and end > start and end + 1 < len(words)
        is_article = word.key in DETERMINERS and (end == start or words[end - 1].key == "of")
        if not (word.is_content or is_link or is_article):
            break
        end += 1
    while end > start and words[end - 1].key in {"of", *DETERMINERS}:
        end -= 1
    return end


def _without_verb(words: list[Word], start: int, end: int, *, ends_in_verb: bool) -> int:
    """Return the end of a noun phrase without the verb or participle after it."""
    names = [number for number in range(start, end) if words[number].is_capitalised]
    if names and ends_in_verb and names[-1] + 1 < end and end - names[-1] <= 3:  # noqa: PLR2004
        return names[-1] + 1
    first = start + (words[start].key in DETERMINERS) if start < end else start
    while end - first > 1 and _is_participle(words[end - 1]):
        end -= 1
    ends_in_verb = ends_in_verb and not (end < len(words) and words[end].key in _OTHER_VERBS)
    return end - 1 if ends_in_verb and end - first > 1 and not words[end - 1].is_capitalised else end


def _is_participle(word: Word) -> bool:
    return not word.is_capitalised and (word.key.endswith("ed") or word.key in _PARTICIPLES)


def _is_marked(words: list[Word], start: int, end: int) -> bool:
    return words[start].key in DETERMINERS or any(word.is_capitalised for word in words[start:end])


def _named_complements(text: str, words: list[Word], position: int) -> list[str]:
    """Return the phrases of a preposition and a name after the subject, as in "in Germany"."""
    found: list[str] = []
    while position < len(words) and len(found) < 2:  # noqa: PLR2004
        if words[position].key in PREPOSITIONS and position + 1 < len(words):
            start = position + 1
            end = _phrase_end(words, start)
            if any(word.is_capitalised for word in words[start:end]):
                found.append(text[words[position].start : words[end - 1].end])
                position = end
                continue
        position += 1
    return found


def content_phrase(text: str) -> str:
    """Return a question without its question words and auxiliaries, from the first to the last content word."""
    words = words_of(text)
    if len(words) > 3 and words[0].key == "how" and words[1].is_content:  # noqa: PLR2004
        words = words[2:]
    kept = [number for number, word in enumerate(words) if word.is_content]
    if not kept:
        return text
    chosen = [
        word
        for word in words[kept[0] : kept[-1] + 1]
        if word.is_content or word.key in PREPOSITIONS or word.key in {"and", "or", "the"}
    ]
    chosen = [word for word in chosen if word.key not in WH_WORDS]
    while len(chosen) > 1 and (_is_participle(chosen[-1]) or not chosen[-1].is_content):
        chosen.pop()
    return " ".join(word.text for word in chosen[:_MAX_SUBJECT_WORDS])


def options_of(text: str) -> list[str]:
    """Return the items that a message lists, in lines or in one sentence; empty where it lists none."""
    lines = [found[1] for line in text.splitlines() if (found := _LIST_ITEM.match(line))]
    if len(lines) > 1:
        return [_item_name(line) for line in lines]
    for sentence in re.split(r"(?<=[.!?])\s+", text[:2000]):
        items = _enumerated(sentence)
        if items:
            return items
    return []


def has_listed_lines(text: str) -> bool:
    """Return whether a message lists items in lines of their own."""
    return sum(_LIST_ITEM.match(line) is not None for line in text.splitlines()) > 1


def _item_name(line: str) -> str:
    cleaned = line.replace("**", "").replace("`", "").strip()
    return (_ITEM_END.split(cleaned, maxsplit=1)[0] or cleaned).strip()[:120]


def _enumerated(sentence: str) -> list[str]:
    """Return the items of "... are A, B and C"; also of two names with a conjunction."""
    body = without_end_marks(sentence)
    opening = _ENUMERATION_OPENING.match(body[:400])
    parts = _ENUMERATION.split(body[opening.end() :] if opening else body)
    items = [part.strip() for part in parts if part.strip()]
    limit = 5
    if len(items) < 2 or any(len(words_of(item)) > limit for item in items[1 : len(items) - 1]):  # noqa: PLR2004
        return []
    first, last = words_of(items[0]), words_of(items[-1])
    if opening is None:
        # The first item follows the verb of its sentence, and further words may follow the last one.
        names = [word.text for word in first if word.is_capitalised]
        if not names or not last or not last[0].is_capitalised:
            return []
        items[0] = items[0][first[_start_of_name(first)].start :]
    if len(words_of(items[-1])) > limit:
        items[-1] = " ".join(word.text for word in last[:limit] if word.is_content)
    return items if len(words_of(items[0])) <= limit else []


def _start_of_name(words: list[Word]) -> int:
    start = len(words) - 1
    while start > 0 and words[start - 1].is_capitalised:
        start -= 1
    return start
