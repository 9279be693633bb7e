"""Long messages: the paragraphs that the user wrote, before or after a text that was pasted."""

import re
from typing import Final

from groundwire.domain.search.planning.vocabulary import sentences_of, starts_question, word_set, words_of

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
_QUESTION_ENDS: Final = ("?", "\uff1f", '?"', "?)")


def separate_long_text(text: str) -> tuple[str, list[str]]:
    """Return the paragraphs of the user, and those that were pasted; the whole text where no part of it asks.

    A user writes before or after a text, seldom inside; what a pasted text asks is no question of the user.
    """
    paragraphs = _paragraphs(text)
    if len(paragraphs) == 1:
        return _own_sentences(text)
    own = [number for number in _edges(paragraphs) if _is_own(paragraphs[number])]
    asking = [number for number in own if _asks(paragraphs[number])] or [
        number for number in own if _REQUEST.search(paragraphs[number])
    ]
    if not asking:
        asking = [number for number in own if len(paragraphs[number]) <= _MAX_REMARK][-1:]
    others = [paragraphs[number] for number in range(len(paragraphs)) if number not in asking]
    if not asking or sum(map(len, others)) <= _LONG:
        return text, []
    kept = "\n".join(_ARROW.sub("", paragraphs[number], 1).strip() for number in asking)
    return kept, others


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
    return any(_is_question(part) for part in sentences_of(paragraph))


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
