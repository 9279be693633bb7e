"""Long messages: the paragraphs that the user wrote, before or after a text that was pasted."""

import re
from typing import Final

from groundwire.domain.search.planning.vocabulary import (
    content_of,
    sentences_of,
    starts_question,
    word_set,
    words_of,
)

_LONG: Final = 320
"""Length of a paragraph, or of all paragraphs together, that is no question of a user."""
_MAX_OWN: Final = 500
_MAX_REMARK: Final = 160
_MAX_SALUTATION_WORDS: Final = 6
_MAX_EDGE_SENTENCES: Final = 2
_BREAK: Final = re.compile(r"\n[ \t]*\n")
_RULE: Final = re.compile(r"[ \t]*(?:[-=_*~#\u2014]{3,}|\[/?\w+\]|<{3,}|>{3,})[ \t]*")
"""Line that separates two texts."""
_ARROW: Final = re.compile(r"\s*(?:[-=]+>|\u2192|>>)\s*(?=\S)")
_SALUTATIONS: Final = word_set(
    """dear hi hello hey all team folks everyone liebe lieber hallo guten sehr geehrte geehrter bonjour cher ch\u00e8re
    madame monsieur hola estimado estimada querido \u0443\u0432\u0430\u0436\u0430\u0435\u043c\u044b\u0435
    \u0434\u043e\u0440\u043e\u0433\u0438\u0435 \u0434\u043e\u0440\u043e\u0433\u043e\u0439"""
)
_CLOSINGS: Final = re.compile(
    r"\s*(?:(?:kind|best|warm|many|with|all|yours|sincerely|regards|cheers|love|thanks|thank you|see you|take care|bye"
    r"|mit|herzliche|viele|liebe|beste|freundliche|cordialement|bien \u00e0|amicalement|saludos|un saludo|atentamente"
    r"|\u0441 \u0443\u0432\u0430\u0436\u0435\u043d\u0438\u0435\u043c)\b[^\n?]{0,40}(?:\n[^\n?]{0,60}){0,3}$)",
    re.IGNORECASE,
)
_REQUEST: Final = re.compile(
    r"\b(?:help|explain|find|tell me|show me|check|compare|summari[sz]e|what|which|who|when|where|why|how|need to know"
    r"|want to know|my question|i need|look up|hilf|erkl\u00e4r\w*|frage|antworten|wissen|suche?|aide|cherche|ayuda"
    r"|busco|\u043f\u043e\u043c\u043e\u0433\u0438\w*|\u043f\u043e\u0434\u0441\u043a\u0430\u0436\u0438\w*"
    r"|\u043d\u0443\u0436\u043d\u043e)\b|[\u5417\u5462\u4ec0\u8c01\u54ea]|\u8bf7|\u5e2e|\u6559\u3048",
    re.IGNORECASE,
)
_QUOTED: Final = re.compile('(?<!\\w)"[^"\\n]{0,600}"|\u201c[^\u201c\u201d\\n]{0,600}\u201d')
_MAX_LONE_QUESTION: Final = 240
_MAX_LETTER_QUESTIONS: Final = 3
_MIN_COMPLETE: Final = 4
"""Content words of a question that names its subject."""
_QUESTION_ENDS: Final = ("?", "\uff1f", '?"', "?)")


def separate_long_text(text: str) -> tuple[str, list[str]]:
    """Return the paragraphs of the user, and those that were pasted; the whole text where no part of it asks.

    A user writes before or after a text, seldom inside; what a pasted text asks is no question of the user.
    """
    paragraphs = _paragraphs(text)
    if len(paragraphs) == 1:
        return _own_sentences(text)
    if _is_letter(paragraphs) and (found := _questions_of_letter(paragraphs)):
        return found
    own = [number for number in _edges(paragraphs) if _is_own(paragraphs[number])]
    asking = [number for number in own if _asks(paragraphs[number])] or [
        number for number in own if _REQUEST.search(paragraphs[number])
    ]
    if not any(_asks(paragraphs[number]) for number in asking):
        asking = _inner_questions(paragraphs) or asking
    if not asking:
        asking = [number for number in own if len(paragraphs[number]) <= _MAX_REMARK][-1:]
    others = [paragraphs[number] for number in range(len(paragraphs)) if number not in asking]
    if not asking or sum(map(len, others)) <= _LONG:
        return text, []
    kept = "\n".join(_ARROW.sub("", paragraphs[number], 1).strip() for number in asking)
    return kept, others


def _is_letter(paragraphs: list[str]) -> bool:
    """Return whether a message is a letter from its salutation to its closing, so that the user wrote all of it."""
    is_closed = _CLOSINGS.fullmatch(paragraphs[-1]) is not None or (
        _is_signature(paragraphs[-1]) and _CLOSINGS.fullmatch(paragraphs[-2]) is not None
    )
    return _is_salutation(paragraphs[0]) and is_closed


def _questions_of_letter(paragraphs: list[str]) -> tuple[str, list[str]] | None:
    """Return the sentences of a letter that ask, and the others; None where none or many ask."""
    parts = [part.strip() for paragraph in paragraphs for part in sentences_of(paragraph)]
    asking = [number for number, part in enumerate(parts) if _is_question(part)]
    # The sentence before an open question has its subject.
    open_ones = [number for number in asking if len(content_of(words_of(parts[number]))) < _MIN_COMPLETE]
    kept = sorted({*asking, *(number - 1 for number in open_ones if number)})
    others = [part for number, part in enumerate(parts) if number not in kept]
    is_few = 0 < len(asking) <= _MAX_LETTER_QUESTIONS
    return (" ".join(parts[number] for number in kept), others) if is_few else None


def _inner_questions(paragraphs: list[str]) -> list[int]:
    """Return the number of the only paragraph inside a text that is one question; empty where there are several."""
    found = [
        number
        for number, part in enumerate(paragraphs)
        if len(part) <= _MAX_LONE_QUESTION and len(sentences_of(part)) == 1 and _asks(part)
    ]
    return found if len(found) == 1 else []


def _paragraphs(text: str) -> list[str]:
    """Return the paragraphs of a text; its lines where no blank line separates any."""
    lines = ["" if _RULE.fullmatch(line) else line for line in text.splitlines()]
    found = [part.strip() for part in _BREAK.split("\n".join(lines)) if part.strip()]
    if len(found) > 1:
        return found
    return [line.strip() for line in lines if line.strip()]


def _edges(paragraphs: list[str]) -> list[int]:
    """Return the numbers of the paragraphs that may be the user's: before a letter and after it, or at both ends."""
    last = len(paragraphs) - 1
    opening = next((number for number, part in enumerate(paragraphs[:4]) if _is_salutation(part)), None)
    closing = next((number for number in range(last, 0, -1) if _CLOSINGS.fullmatch(paragraphs[number])), None)
    if opening is not None and closing is not None and closing > opening and (opening > 0 or closing < last):
        end = closing + (closing < last and _is_signature(paragraphs[closing + 1]))
        return [*range(min(opening, 2)), *range(max(end + 1, last - 1), last + 1)]
    if opening:
        before = list(range(min(opening, 2)))
        if any(_asks(paragraphs[number]) for number in before):
            return before
        return [*before, last]
    if opening == 0:
        return [last]
    return sorted({0, last - 1, last} if last > 2 else {0, last})  # noqa: PLR2004


def _is_salutation(paragraph: str) -> bool:
    line = paragraph.split("\n", 1)[0]
    words = words_of(line[:80])
    return (
        bool(words)
        and words[0].key in _SALUTATIONS
        and len(words) <= _MAX_SALUTATION_WORDS
        and line.rstrip()[-1:] in {",", "!", ":", "."}
    )


def _is_signature(paragraph: str) -> bool:
    return len(words_of(paragraph[:80])) <= 4 and not paragraph.rstrip().endswith(_QUESTION_ENDS)  # noqa: PLR2004


def _is_own(paragraph: str) -> bool:
    return len(paragraph) <= _MAX_OWN


def _asks(paragraph: str) -> bool:
    """Return whether a paragraph has a question outside of quotation marks."""
    return any(_is_question(part) for part in sentences_of(_QUOTED.sub(" ", paragraph)))


def _is_question(sentence: str) -> bool:
    stripped = sentence.strip()
    return stripped.endswith(_QUESTION_ENDS) or starts_question(words_of(stripped[:200]))


def _own_sentences(text: str) -> tuple[str, list[str]]:
    """Return the questions at the beginning or at the end of one long paragraph."""
    parts = [part.strip() for part in sentences_of(text)]
    edges = {*range(min(len(parts), _MAX_EDGE_SENTENCES)), *range(max(0, len(parts) - _MAX_EDGE_SENTENCES), len(parts))}
    asking = sorted(number for number in edges if _is_question(parts[number]))
    others = [part for number, part in enumerate(parts) if number not in asking]
    if not asking or sum(map(len, others)) <= _LONG:
        return text, []
    return " ".join(parts[number] for number in asking), others
