"""Lines around a question that are the user's and no question: signatures, notices of mails, lists, rest of code."""

import re
from typing import Final

from groundwire.domain.search.planning.vocabulary import starts_question, words_of

_MAX_SIGNATURE_LINES: Final = 8
_MAX_SIGNATURE_LINE: Final = 100
_MIN_ITEMS: Final = 2
_SEPARATOR: Final = re.compile(r"\s*(?:--|__+|==+)\s*")
_NOTICE: Final = re.compile(
    r"\s*(?:this (?:e-?mail|message|communication)(?: and any \w+)? (?:may|is|are|contains?)"
    r"|diese (?:e-?mail|nachricht) (?:kann|ist|enth)|ce (?:message|courriel) (?:peut|est|contient)"
    r"|(?:confidentiality|privacy) notice|sent from my \w+|von meinem \w+ gesendet)",
    re.IGNORECASE,
)
_SIGN_OFF: Final = re.compile(
    r"\s*(?:(?:kind|best|warm|many|with(?: kind| best)?|all the)?\s*(?:regards|wishes|best|cheers|thanks|greetings)"
    r"|yours(?: \w+)?|sincerely|(?:mit freundlichen|viele|liebe|beste|herzliche) gr\u00fc\u00dfen?|lg|vg|mfg"
    r"|cordialement|bien \u00e0 vous|saludos"
    r"|\u0441 \u0443\u0432\u0430\u0436\u0435\u043d\u0438\u0435\u043c)\s*[,.!]?\s*",
    re.IGNORECASE,
)
_POSTSCRIPT: Final = re.compile(r"\s*p\.?\s?s\b", re.IGNORECASE)
_LISTED: Final = re.compile(r"[ \t]*(?:\(?\d{1,2}[.)]|[-*\u2022\u2013]|\[[ x]\])\s+(?=\S)")
_COMMENT: Final = re.compile(r"\s*(?:#|//|/\*|\*/|;;)")


def mark_rest(lines: list[str], marked: list[bool]) -> None:
    """Mark the lines that follow from their neighbours: of code and of a signature."""
    _mark_code(lines, marked)
    _mark_signature(lines, marked)


def separate_list(text: str) -> tuple[str, list[str]]:
    """Return a message without the items of a list, where none of them asks and another line does."""
    lines = text.splitlines()
    marked = [False] * len(lines)
    _mark_list(lines, marked)
    own = "\n".join(line for line, is_item in zip(lines, marked, strict=True) if not is_item).strip()
    return own, [line for line, is_item in zip(lines, marked, strict=True) if is_item]


def asks(line: str) -> bool:
    """Return whether a line has the form of a question; one in parentheses at its end is a remark."""
    stripped = line.strip()
    return stripped.endswith(("?", "\uff1f", '?"')) or starts_question(words_of(stripped[:80]))


def _mark_code(lines: list[str], marked: list[bool]) -> None:
    """Mark comments and indented lines beside lines of code."""
    for order in (range(1, len(lines)), range(len(lines) - 2, -1, -1)):
        step = 1 if order.step > 0 else -1
        for number in order:
            line = lines[number]
            is_rest = line.startswith(("  ", "\t")) or _COMMENT.match(line) is not None
            if line.strip() and is_rest and marked[number - step] and lines[number - step].strip():
                marked[number] = True


def _mark_signature(lines: list[str], marked: list[bool]) -> None:
    """Mark signatures after a question, and the notice of a mail up to the end."""
    question = next((at for at, line in enumerate(lines) if not marked[at] and ("?" in line or asks(line))), len(lines))
    number = question + 1
    while number < len(lines):
        end = _end_of_notice(lines, number)
        marked[number:end] = [True] * (end - number)
        number = max(end, number + 1)


def _end_of_notice(lines: list[str], number: int) -> int:
    """Return the number of the line after a notice or a signature that begins here; the same number for others."""
    if _NOTICE.match(lines[number]):
        return len(lines)
    if not (_SEPARATOR.fullmatch(lines[number]) or _SIGN_OFF.fullmatch(lines[number])):
        return number
    end = _end_of_signature(lines, number + 1)
    return end if end > number + 1 else number


def _end_of_signature(lines: list[str], start: int) -> int:
    """Return the number of the line after a signature; `start` where the lines there are none."""
    first = next((number for number in range(start, len(lines)) if lines[number].strip()), len(lines))
    end = first
    while end < len(lines) and end - first <= _MAX_SIGNATURE_LINES and lines[end].strip():
        end += 1
    is_signature = all(len(line) <= _MAX_SIGNATURE_LINE and not _POSTSCRIPT.match(line) for line in lines[first:end])
    return end if end > first and is_signature and not asks(lines[first]) else start


def _mark_list(lines: list[str], marked: list[bool]) -> None:
    """Mark the items of a list without a question, where the text after them, or a question before them, asks."""
    items = [number for number, line in enumerate(lines) if not marked[number] and _LISTED.match(line)]
    if len(items) < _MIN_ITEMS or any(asks(_LISTED.sub("", lines[number], 1)) for number in items):
        return
    after = [line for number, line in enumerate(lines) if number > items[-1] and not marked[number]]
    before = [line for number, line in enumerate(lines) if number < items[0] and not marked[number]]
    if any("?" in line or asks(line) for line in after) or any(line.rstrip().endswith("?") for line in before):
        for number in items:
            marked[number] = True
