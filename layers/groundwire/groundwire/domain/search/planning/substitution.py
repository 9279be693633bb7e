"""Substitution in a question: the part of it that a later fragment or correction replaces."""

import re
from typing import Final

from groundwire.domain.search.planning.vocabulary import (
    AUXILIARIES,
    DETERMINERS,
    PREPOSITIONS,
    Word,
    words_of,
)

_YEAR: Final = re.compile(r"(?:1[5-9]|20)\d\d")
_NUMBER: Final = re.compile(r"\d+(?:[.,]\d+)*")
_MAX_FRAGMENT_WORDS: Final = 8
_MAX_NOUN_WORDS: Final = 2
_QUOTED: Final = re.compile('["\u201c\u00ab]([^"\u201d\u00bb]{1,120})["\u201d\u00bb]')


def substitute(question: str, fragment: str, replaced: str = "") -> str | None:
    """Return the question with the fragment in place of the part that it corresponds to; None where none does.

    Args:
        question: the question of an earlier message.
        fragment: a noun phrase, perhaps after a preposition.
        replaced: what the user names as replaced; empty where nothing was named.
    """
    old, new = words_of(question), words_of(fragment)
    if not new or len(new) > _MAX_FRAGMENT_WORDS or not old:
        return None
    if replaced and (span := _find(old, words_of(replaced))):
        return _put(question, old, span, fragment)
    span = (
        _same_shape(old, new)
        or _after_same_preposition(old, new)
        or _around_shared_word(old, new)
        or _same_name(old, new, fragment)
        or _same_article(old, new)
    )
    return _put(question, old, span, fragment) if span else None


def substitute_noun(question: str, noun: str) -> str | None:
    """Return the question with a bare noun in place of the noun after its auxiliary or its last preposition."""
    old, new = words_of(question), words_of(noun)
    if not new or len(new) > _MAX_NOUN_WORDS or not all(word.is_content for word in new):
        return None
    if len(old) > 2 and old[0].key in AUXILIARIES and old[1].is_content:  # noqa: PLR2004
        return _put(question, old, (1, 2), noun)
    place = next((number for number in range(len(old) - 1, 0, -1) if old[number].key in PREPOSITIONS), None)
    if place is None or place + 1 == len(old) or not all(word.is_content for word in old[place + 1 :]):
        return None
    return _put(question, old, (place + 1, len(old)), noun)


def _put(question: str, old: list[Word], span: tuple[int, int], fragment: str) -> str:
    start, end = span
    text = fragment.strip()
    first = words_of(text)[0]
    if first.key in PREPOSITIONS and start and old[start].key not in PREPOSITIONS and old[start - 1].key == first.key:
        start -= 1
    if (
        first.key in {"the", "a", "an"}
        and start
        and old[start - 1].key in DETERMINERS
        and old[start].key not in DETERMINERS
    ):
        start -= 1
    return question[: old[start].start] + text + question[old[end - 1].end :]


def _find(old: list[Word], part: list[Word]) -> tuple[int, int] | None:
    part = part[1:] if len(part) > 1 and part[0].key in DETERMINERS | PREPOSITIONS else part
    keys = [word.key for word in part]
    for start in range(len(old) - len(keys) + 1):
        if keys and [word.key for word in old[start : start + len(keys)]] == keys:
            return start, start + len(keys)
    if len(keys) == 1:
        similar = [number for number, word in enumerate(old) if _singular(word.key) == _singular(keys[0])]
        return (similar[-1], similar[-1] + 1) if similar else None
    return None


def _singular(key: str) -> str:
    return key[:-1] if key.endswith("s") and len(key) > 3 else key  # noqa: PLR2004


def _shape(word: Word) -> str:
    if _YEAR.fullmatch(word.text):
        return "year"
    if _NUMBER.fullmatch(word.text):
        return "number"
    return "code" if any(character.isdigit() for character in word.text) else ""


def _same_shape(old: list[Word], new: list[Word]) -> tuple[int, int] | None:
    """Return the place of a year, a number or a code, if the fragment is one."""
    named = [word for word in new if word.key not in PREPOSITIONS | DETERMINERS]
    if len(named) != 1 or not (shape := _shape(named[0])):
        return None
    places = [number for number, word in enumerate(old) if _shape(word) == shape]
    if not places:
        return None
    start = places[-1]
    has_preposition = new[0].key in PREPOSITIONS and start > 0 and old[start - 1].key in PREPOSITIONS
    return start - has_preposition, start + 1


def _after_same_preposition(old: list[Word], new: list[Word]) -> tuple[int, int] | None:
    if new[0].key not in PREPOSITIONS or len(new) < 2:  # noqa: PLR2004
        return None
    same = [number for number, word in enumerate(old) if word.key == new[0].key]
    for start in reversed(same):
        end = _end_of_phrase(old, start + 1)
        is_alike = start + 1 < end and old[end - 1].is_capitalised == new[-1].is_capitalised
        if is_alike or (end > start + 1 and len(same) == 1 and not new[-1].is_capitalised):
            return start, end
    # Another preposition of the same place: "in Zurich" after "at Munich".
    if new[-1].is_capitalised:
        for start in range(len(old) - 1, 0, -1):
            if old[start - 1].key in PREPOSITIONS - {"of"} and old[start].is_capitalised and not _shape(old[start]):
                return start - 1, _end_of_phrase(old, start)
    return None


def _end_of_phrase(old: list[Word], start: int) -> int:
    end = start
    while end < len(old) and (old[end].is_content or (old[end].key in DETERMINERS and end == start)):
        end += 1
    names = [number for number in range(start, end) if old[number].is_capitalised]
    return names[-1] + 1 if names else end


def _around_shared_word(old: list[Word], new: list[Word]) -> tuple[int, int] | None:
    """Return the place of a phrase with the last or first word of the fragment, as "hip surgery" for "knee surgery"."""
    content = [number for number, word in enumerate(new) if word.is_content]
    if len(content) < 2:  # noqa: PLR2004
        return None
    keys = [_singular(word.key) for word in old]
    shared = [
        (keys.index(key), number) for number in (content[-1], content[0]) if (key := _singular(new[number].key)) in keys
    ]
    for place, number in sorted(shared):
        before, after = number - content[0], content[-1] - number
        start = place
        while start > 0 and place - start < before and old[start - 1].is_content:
            start -= 1
        end = place + 1
        while end < len(old) and end - place - 1 < after and old[end].is_content:
            end += 1
        if start and old[start - 1].key in DETERMINERS and new[0].key in DETERMINERS:
            start -= 1
        return start, end
    return None


def _same_name(old: list[Word], new: list[Word], fragment: str) -> tuple[int, int] | None:
    """Return the place of the last name, if the fragment is a name."""
    named = [word for word in new if word.is_content]
    if not named or not all(word.is_capitalised for word in named):
        return None
    quoted = _QUOTED.search(fragment)
    end = len(old)
    while end > 1:
        if old[end - 1].is_capitalised and not _shape(old[end - 1]) and (quoted is None or end > 1):
            start = end - 1
            while start > 1 and (old[start - 1].is_capitalised and old[start - 1].is_content):
                start -= 1
            if start and old[start - 1].key in DETERMINERS and new[0].key in DETERMINERS:
                start -= 1
            return start, end
        end -= 1
    return None


def _same_article(old: list[Word], new: list[Word]) -> tuple[int, int] | None:
    """Return the place of the first phrase with the article of the fragment, as "the king" for "the queen"."""
    if new[0].key not in {"the", "a", "an"} or new[-1].is_capitalised:
        return None
    for start, word in enumerate(old[:-1]):
        if word.key in {"the", "a", "an"} and old[start + 1].is_content:
            end = start + 1
            while end < len(old) and old[end].is_content and end - start <= len(new):
                end += 1
            follows_auxiliary = start > 0 and old[start - 1].key in AUXILIARIES - {"is", "are", "was", "were"}
            if follows_auxiliary and end - start > 2:  # noqa: PLR2004
                end -= end == len(old) or not old[end - 1].is_capitalised
            return start, end
    return None
