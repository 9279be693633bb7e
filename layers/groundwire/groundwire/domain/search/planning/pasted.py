"""Pasted matter around a question: code, quoted mails, logs, tables and long texts."""

import re
from typing import Final

from groundwire.domain.search.planning.vocabulary import starts_question, words_of
from groundwire.domain.text.sentences import sentences

MAX_READ_CHARACTERS: Final = 16_000
"""Length of a message that is read: a question is at the beginning or at the end of a longer one."""
_LONG_PARAGRAPH: Final = 320
_LONG_LINE: Final = 320
_MAX_CLUE_CHARACTERS: Final = 200
_MIN_HEADERS: Final = 2
_MIN_CELLS: Final = 3
_SYMBOL_SHARE: Final = 0.12

_FENCES: Final = ("```", "~~~", '"""', "'''")
_HEADER: Final = re.compile(
    r"(?:from|to|cc|bcc|sent|date|subject|reply-to|von|an|gesendet|betreff|datum|de|\u00e0|objet|envoy\u00e9|asunto"
    r"|\u043e\u0442|\u043a\u043e\u043c\u0443|\u0442\u0435\u043c\u0430|\u53d1\u4ef6\u4eba|\u4e3b\u9898"
    r"|\u4ef6\u540d)\s?[:\uff1a]",
    re.IGNORECASE,
)
_ORIGINAL_MAIL: Final = re.compile(
    r"-{3,}\s?(?:original|forwarded|urspr\u00fcngliche|weitergeleitete)|begin forwarded", re.IGNORECASE
)
_REPLY_LINE: Final = re.compile(
    r"(?:on|am|le|el)\s.{4,120}\s(?:wrote|schrieb|a \u00e9crit|escribi\u00f3)\s?:\s*$", re.IGNORECASE
)
_LOG_LINE: Final = re.compile(
    r"\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d|\[?\d\d:\d\d:\d\d|\[?(?:debug|info|notice|warn|warning|error|fatal"
    r"|critical|trace)\b[\]:]"
    r"|traceback \(most|caused by:|exception in thread|(?:at )?[\w$]{1,80}(?:\.[\w$<>]{1,80}){2,9}\("
    r"|file \"|\$ |>>> |\w{3,40}(?:error|exception):",
    re.IGNORECASE,
)
_CODE_LINE: Final = re.compile(
    r"(?:import|from|def|class|return|for|while|if|elif|else|try|except|with|public|private|static|const|let"
    r"|var|function"
    r"|select|insert|update|delete|#include|package|using)\b.{0,200}[({;:=]\s*$|[\w.\[\]\"']{1,80}\s?[+\-*/]?=\s?\S|[{}\])]+[,;]?\s*$|//|#!|</?\w|<\?xml|[\w.]{1,80}\([^()]{0,200}\)[;:]?$"
)
_SYMBOLS: Final = frozenset('{}[]<>|=;\\"_#$*+/')
_ERROR: Final = re.compile(r"error|exception|fail|fatal|fehler|erreur|\u043e\u0448\u0438\u0431", re.IGNORECASE)


class PastedParts:
    """Message in two parts: the user's own text, and the lines that the user pasted."""

    def __init__(self, own: str, pasted: list[str]) -> None:
        self.own = own
        self._pasted = pasted

    @property
    def clue(self) -> str:
        """Line of the pasted matter that a question about it most likely means; empty where nothing was pasted."""
        lines = [line.strip() for line in self._pasted if any(character.isalnum() for character in line)]
        wrong = [line for line in lines if _ERROR.search(line[:_LONG_LINE])]
        return (wrong or lines or [""])[-1 if wrong else 0][:_MAX_CLUE_CHARACTERS]


def separate_pasted(text: str) -> PastedParts:
    """Return the user's own text and what was pasted into it; a message of pasted matter alone is the user's own."""
    if len(text) > MAX_READ_CHARACTERS:
        half = MAX_READ_CHARACTERS // 2
        text = f"{text[:half]}\n\n{text[-half:]}"
    lines = text.splitlines()
    is_pasted = _pasted_lines(lines)
    own = "\n".join(line for line, pasted in zip(lines, is_pasted, strict=True) if not pasted).strip()
    pasted = [line for line, was_pasted in zip(lines, is_pasted, strict=True) if was_pasted]
    if not _has_letters(own):
        return PastedParts(text, [])
    return (
        _without_long_text(own, pasted) if len(own) > _LONG_PARAGRAPH else PastedParts(own if pasted else text, pasted)
    )


def _has_letters(text: str) -> bool:
    return any(character.isalnum() for character in text)


def _pasted_lines(lines: list[str]) -> list[bool]:
    """Return for each line whether it was pasted."""
    marked = [_is_machine_line(line) for line in lines]
    fence = ""
    for number, line in enumerate(lines):
        opening = next((mark for mark in _FENCES if line.lstrip().startswith(mark)), "")
        if fence or opening:
            marked[number] = True
        if fence and fence in line:
            fence = ""
        elif opening and not fence and line.count(opening) == 1:
            fence = opening
    _mark_mails(lines, marked)
    is_before_pasted = False
    for number in range(len(lines) - 1, -1, -1):
        line = lines[number].strip()
        if line:
            is_introduction = line.endswith(":") and not starts_question(words_of(line[:80]))
            marked[number] = marked[number] or (is_introduction and is_before_pasted)
            is_before_pasted = marked[number]
    return marked


def _is_machine_line(line: str) -> bool:
    """Return whether a program wrote this line, or a quotation mark of mails precedes it."""
    stripped = line.strip()[:_LONG_LINE]
    if not stripped:
        return False
    if stripped.startswith(">") or _LOG_LINE.match(stripped) or _is_table_row(stripped):
        return True
    if starts_question(words_of(stripped[:80])) and not stripped.endswith((":", ";", "{", "}")):
        return False
    if line.startswith(("    ", "\t")) and _symbol_share(stripped) > _SYMBOL_SHARE / 4:
        return True
    return _symbol_share(stripped) > _SYMBOL_SHARE or (
        _CODE_LINE.match(stripped) is not None and not stripped.endswith(("?", "."))
    )


def _is_table_row(line: str) -> bool:
    return (line.startswith("|") and line.endswith("|") and line.count("|") >= _MIN_CELLS) or line.count("\t") >= (
        _MIN_CELLS - 1
    )


def _symbol_share(line: str) -> float:
    return sum(character in _SYMBOLS for character in line) / len(line) if len(line) > 8 else 0.0  # noqa: PLR2004


def _mark_mails(lines: list[str], marked: list[bool]) -> None:
    """Mark headers of mails, and their texts up to the last paragraph, which may be the user's own."""
    heads = [
        number
        for number, line in enumerate(lines)
        if _HEADER.match(line[:40]) or _ORIGINAL_MAIL.match(line[:60]) or _REPLY_LINE.match(line[:160])
    ]
    certain = [number for number in heads if not _HEADER.match(lines[number][:40])]
    if len(heads) < _MIN_HEADERS and not certain:
        return
    last = len(lines) - 1
    while last > heads[0] and not lines[last].strip():
        last -= 1
    while last > heads[0] and lines[last].strip():
        last -= 1
    end = last if last > heads[-1] and _is_asking("\n".join(lines[last + 1 :])) else len(lines)
    for number in range(heads[0], end):
        marked[number] = True


def _is_asking(text: str) -> bool:
    return len(text) <= 2 * _LONG_PARAGRAPH and (
        text.rstrip().endswith(("?", "\uff1f")) or any(starts_question(words_of(part)) for part in sentences(text))
    )


def _without_long_text(text: str, pasted: list[str]) -> PastedParts:
    """Return the short paragraphs of a long message, or its questions, where they differ from the rest."""
    paragraphs = [part.strip() for part in re.split(r"\n\s*\n", text) if part.strip()]
    if len(paragraphs) == 1:
        paragraphs = [line.strip() for line in text.splitlines() if line.strip()]
    asking = [part for part in paragraphs if _is_asking(part)]
    if len(paragraphs) > 1 and asking:
        kept = [part for part in paragraphs if len(part) <= _LONG_PARAGRAPH and (part in asking or len(asking) == 0)]
        short = kept or asking
        others = [part for part in paragraphs if part not in short]
        if any(len(part) > _LONG_PARAGRAPH for part in others):
            return PastedParts("\n".join(short), pasted + others)
        return PastedParts(text, pasted)
    parts = [part.strip() for part in sentences(text)]
    questions = [part for part in parts if part.endswith(("?", "\uff1f"))]
    if questions and 2 * sum(map(len, questions)) < len(text) and len(text) > 2 * _LONG_PARAGRAPH:
        return PastedParts(" ".join(questions), pasted + [part for part in parts if part not in questions])
    return PastedParts(text, pasted)
