"""Pasted matter around a question: code, quoted mails, logs, tables and long texts."""

import re
from typing import Final

from groundwire.domain.search.planning.messages.long_text import separate_long_text
from groundwire.domain.search.planning.messages.pasted_lines import mark_rest, separate_list
from groundwire.domain.search.planning.references import find_reference
from groundwire.domain.search.planning.vocabulary import (
    Word,
    content_of,
    sentences_of,
    starts_question,
    words_of,
)

MAX_READ_CHARACTERS: Final = 16_000
"""Length of a message that is read: a question is at the beginning or at the end of a longer one."""
_LONG_PARAGRAPH: Final = 320
_LONG_LINE: Final = 320
_MAX_CLUE_CHARACTERS: Final = 200
_MIN_HEADERS: Final = 2
_MIN_CELLS: Final = 3
_SYMBOL_SHARE: Final = 0.12

_MAX_OWN: Final = 400
_MIN_QUOTED: Final = 60
_SPEECH: Final = re.compile(
    r"\s*(?:(?:q|a|question|answer|user|assistant|human|ai|bot|frage|antwort)\s?\d{0,3}\s?:\s|\[?\d{1,2}[:.]\d\d\]?\s).*",
    re.IGNORECASE,
)
"""Line of an interview, or of a programme with hours."""
_NUMBERED: Final = re.compile(
    r"\b(?:points?|items?|questions?|numbers?|no\.?|sections?|comments?|steps?|tasks?|lines?|panel|punkt|frage|nummer"
    r"|aufgabe|question|num\u00e9ro|pregunta|punto|\u0432\u043e\u043f\u0440\u043e\u0441|\u043f\u0443\u043d\u043a\u0442)"
    r"\s?#?(\d{1,3})\b",
    re.IGNORECASE,
)
_ITEM: Final = re.compile(r"\s*[\[(#]?(?:q|question|point|item|step|no\.?)?\s?(\d{1,3})\s?[\])}.:]", re.IGNORECASE)
_MAX_ITEM_CHARACTERS: Final = 300
_ANNOUNCED: Final = re.compile(
    r"\b(?:(?:here(?:'s| is| are)|this is|see|below is|pasting|pasted|attached|forwarded|following|below|my notes"
    r"|my draft|wrote|writes|says|said|hier ist|folgende\w*|unten|voici|ci-dessous|aqu\u00ed est\u00e1)\b[^?:\n]{0,80}:"
    r"|(?:below|pasted (?:it|them|the \w+))\.)\s*$",
    re.IGNORECASE,
)
_QUOTATION: Final = re.compile(
    '"[^"]{60,4000}"|[\u201c\u201e][^\u201c\u201d\u201e]{60,4000}[\u201c\u201d]|\u00ab[^\u00ab\u00bb]{60,4000}\u00bb'
    "|(?<![^\\s(])'(?! )[^\\n]{60,2000}?'(?![^\\s.,;:!?)])"
)
_MIN_ALIKE: Final = 3
"""Lines of a kind that are pasted: one or two may be the user's own."""
_CAPITALS: Final = re.compile(r"(?=[^A-Z0-9]{0,40}[A-Z0-9])[^a-z\u0080-\uffff?]++")
"""Line without a small letter: a program of old, or rows of figures."""
_POINTING_WORDS: Final = (
    # English, German, French, Spanish, Russian
    r"\b(?:this|these|above|below|attached|here|panel|points?|items?|sections?|paragraph|lines?|error|message|mail|email|text)\b",
    r"\b(?:oben|unten|folgende\w*|obige\w*|hier|frage|punkt|zeile|fehler|dies\w*)\b",
    r"\b(?:ci-dessus|ci-dessous|ceci|cette|arriba|abajo|esto|este|esta)\b",
    r"\b(?:\u0432\u044b\u0448\u0435|\u043d\u0438\u0436\u0435|\u044d\u0442\w*)\b",
    # Chinese, Japanese
    r"[\u8fd9\u4e0a\u4e0b]|\u3053[\u306e\u308c]|\u4e0a\u8a18|\u4ee5\u4e0b",
)
_POINTING: Final = re.compile("|".join(_POINTING_WORDS), re.IGNORECASE)
"""Word of a question that means the pasted text."""
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
    """Message in two parts: the user's own text, and the lines that the user pasted.

    Attributes:
        own: the user's text.
        is_uncertain: whether prose was taken for pasted text, which is known by its place alone.
    """

    def __init__(self, own: str, pasted: list[str], *, is_uncertain: bool) -> None:
        self.own = own
        self.is_uncertain = is_uncertain
        self._pasted = pasted

    def clues_for(self, question: str) -> list[str]:
        """Return the line of the pasted text that a question about it most likely means; none for another question.

        It is the one with most of the question's words, the error that a program reported, or a question.
        """
        lines = [line.strip() for part in self._pasted for line in part.splitlines() if _has_letters(line)]
        if not lines or not (_POINTING.search(self.own[-_MAX_OWN:]) or find_reference(question) is not None):
            return []
        if numbered := self.numbered_item():
            return [numbered]
        wrong = [line for line in lines if _ERROR.search(line[:_LONG_LINE])]
        parts = [part for line in lines for part in sentences_of(line) if len(part) <= _LONG_PARAGRAPH]
        wanted = {_stem(word) for word in content_of(words_of(self.own[:_MAX_OWN])) if len(word.key) > 1}
        best = max(parts, key=lambda part: _shared(part, wanted), default="")
        if best and _shared(best, wanted):
            return [best[:_MAX_CLUE_CHARACTERS]]
        # The user may want an answer to what a pasted mail asks.
        asking = [part for part in parts if part.rstrip().endswith(("?", "\uff1f"))]
        return [(wrong[-1] if wrong else asking[0] if asking else lines[0])[:_MAX_CLUE_CHARACTERS]]

    def numbered_item(self) -> str:
        """Return the pasted line whose number the user's text names, as "point 3"; empty where there is none."""
        number = _NUMBERED.search(self.own)
        lines = [line.strip() for part in self._pasted for line in part.splitlines()] if number else []
        return _item(lines, number[1])[:_MAX_ITEM_CHARACTERS] if number else ""


def _item(lines: list[str], number: str) -> str:
    """Return the item of this number in a numbered list; empty where there is none."""
    return next((line for line in lines if (found := _ITEM.match(line)) and found[1] == number), "")


def _stem(word: Word) -> str:
    return word.key[:5]


def _shared(part: str, wanted: set[str]) -> int:
    """Return how many of the wanted words a sentence has, at the beginning of its words or inside long ones."""
    keys = {word.key for word in words_of(part[:_LONG_PARAGRAPH])}
    return sum(any(key.startswith(stem) or (len(stem) > 4 and stem in key) for key in keys) for stem in wanted)  # noqa: PLR2004


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
        return PastedParts(text, [], is_uncertain=False)
    certain = len(pasted)
    for separate in (separate_list, _separate_announced, _separate_quoted):
        own, dropped = separate(own)
        pasted += dropped
    if len(own) > _LONG_PARAGRAPH:
        own, dropped = separate_long_text(own)
        pasted += dropped
    return PastedParts(own if pasted else text, pasted, is_uncertain=len(pasted) > certain)


def _separate_announced(text: str) -> tuple[str, list[str]]:
    """Return a message without what follows "here is the mail:"; its last paragraph stays where that one asks."""
    lines = text.splitlines()
    place = next((number for number, line in enumerate(lines[:-1]) if _ANNOUNCED.search(line[-_LONG_LINE:])), None)
    if place is None or sum(map(len, lines[place + 1 :])) < _MIN_QUOTED:
        return text, []
    before, after = lines[: place + 1], lines[place + 1 :]
    paragraphs = [part for part in re.split(r"\n[ \t]*\n", "\n".join(after)) if part.strip()]
    kept = paragraphs[-1:] if len(paragraphs) > 1 and _is_asking(paragraphs[-1]) else []
    kept_sentences = [part for part in sentences_of(" ".join(before)) if not _ANNOUNCED.search(part)]
    if not kept and not _is_asking(" ".join(kept_sentences)):
        return text, []
    dropped = paragraphs[: len(paragraphs) - len(kept)]
    return " ".join([*kept_sentences, *kept]), [line for part in dropped for line in part.splitlines()]


def _separate_quoted(text: str) -> tuple[str, list[str]]:
    """Return a message without long quotations, where something else in it asks."""
    own = _QUOTATION.sub(" ", text)
    if own == text or not _is_asking(own.strip()):
        return text, []
    parts = [part for line in own.splitlines() for part in sentences_of(line)]
    kept = [part for part in parts if not part.rstrip().endswith(":")]
    return " ".join(part.strip() for part in kept), [found[0].strip() for found in _QUOTATION.finditer(text)]


def _has_letters(text: str) -> bool:
    return any(character.isalnum() for character in text)


def _pasted_lines(lines: list[str]) -> list[bool]:
    """Return for each line whether it was pasted."""
    marked = [_is_machine_line(line) for line in lines]
    for kind in (_SPEECH, _CAPITALS):
        alike = [number for number, line in enumerate(lines) if kind.fullmatch(line[:_LONG_LINE])]
        for number in alike if len(alike) >= _MIN_ALIKE else ():
            marked[number] = True
    _mark_fences(lines, marked)
    _mark_mails(lines, marked)
    mark_rest(lines, marked)
    _mark_introductions(lines, marked)
    return marked


def _mark_fences(lines: list[str], marked: list[bool]) -> None:
    """Mark the lines between two fences of code, and the fences."""
    fence = ""
    for number, line in enumerate(lines):
        opening = next((mark for mark in _FENCES if line.lstrip().startswith(mark)), "")
        if fence or opening:
            marked[number] = True
        if fence and fence in line:
            fence = ""
        elif opening and not fence and line.count(opening) == 1:
            fence = opening


def _mark_introductions(lines: list[str], marked: list[bool]) -> None:
    """Mark a line with a colon before pasted lines."""
    is_before_pasted = False
    for number in range(len(lines) - 1, -1, -1):
        line = lines[number].strip()
        if line:
            is_introduction = line.endswith(":") and not starts_question(words_of(line[:80]))
            marked[number] = marked[number] or (is_introduction and is_before_pasted)
            is_before_pasted = marked[number]


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
        text.rstrip().endswith(("?", "\uff1f")) or any(starts_question(words_of(part)) for part in sentences_of(text))
    )
