"""Preparation of Markdown for the parser library, which discards what its nodes cannot hold.

Notes, struck, raised and lowered text, the numbers of lists and formulas within a sentence are marked in the source.
Literal angle brackets are protected, so that inline HTML can be told from them afterwards.
"""

import re
from collections.abc import Iterator
from typing import Final

from groundwire_readers.readers.html import page_reader
from groundwire_readers.text.runs import GAP, Mark, note_label, note_mark, run_of

_BRACKET: Final = "\ufde0"
"""A literal `<`."""
_NUMBER_START: Final = "\ufde1"
_NUMBER_END: Final = "\ufde2"
PARAGRAPH: Final = "\ufde3"
"""Start of a further paragraph of a list item or a note."""
_FOREIGN: Final = re.compile("[\ufdd0-\ufdef]")
_NUMBER: Final = re.compile(f"{_NUMBER_START}([0-9]{{1,9}})([.)]){_NUMBER_END} ?")
_FENCE: Final = re.compile(r"[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)?(`{3,}|~{3,})")
_INDENTED: Final = re.compile(r"(?: {4}|\t)")
_ITEM: Final = re.compile(r"[ \t>]*(?:[-*+]|\d{1,9}[.)])[ \t]")
_NUMBERED_ITEM: Final = re.compile(
    r"([ \t>]*(?:[-*+][ \t]+)?(\d{1,9}[.)])[ \t]+)(?![ \t>#|`~]|[-*+][ \t]|\d{1,9}[.)][ \t]|[-*_ ]+$)(?=\S)"
)
_TICKS: Final = re.compile(r"`+")
_ESCAPED: Final = re.compile(r"\\<|&(?:lt|#0{0,4}60|#[xX]0{0,4}3[cC]);")
_STRUCK: Final = re.compile(
    r"(?<![~\\])~~(?=[^\s~])[^~]{1,4000}(?<=[^\s~])~~(?!~)|(?<![\w~\\/])~(?=[^\s~])[^~]{1,4000}(?<=[^\s~])~(?![\w~])"
)
_LOWERED: Final = re.compile(r"(?<=\w)~([^\s~]{1,24})~(?!~)")
_RAISED: Final = re.compile(r"(?<=[\w)\]])\^([^\s^`<>\[\]]{1,24})\^(?![\w^])")
_NOTE: Final = re.compile(r"\[\^([^\s\[\]]{1,60})\]")
_NOTE_TEXT: Final = re.compile(r" {0,3}\[\^([^\s\[\]]{1,60})\]:[ \t]*", re.MULTILINE)
_NOTE_WITHIN: Final = re.compile(r"\^\[([^\[\]]{1,1000})\]")
_CONTINUED: Final = re.compile(r"([ \t>]+)(?=[^\s>|#<`~$])")
_FORMULA: Final = re.compile(r"\$\$([^$]{1,2000})\$\$")
_TAGS: Final = (
    "a|abbr|acronym|b|bdi|bdo|big|br|center|cite|code|del|dfn|div|em|font|i|img|ins|kbd|label|li|mark|nobr|ol|p|q|rb|rp"
    "|rt|ruby|s|samp|small|span|strike|strong|sub|sup|time|tt|u|ul|var|wbr"
)
"""Elements of text that load nothing by themselves."""
_TAG: Final = re.compile(rf"</?(?:{_TAGS})(?=[\s/>])[^<>]{{0,2000}}>|<!--", re.IGNORECASE)
_OTHER_BRACKET: Final = re.compile(rf"<(?!/?(?:{_TAGS})(?=[\s/>])[^<>]{{0,2000}}>|!--)", re.IGNORECASE)
_HIDING_TAG: Final = re.compile(r"<[a-z][^<>]{0,400}(?:style\s*=|hidden)|<font\b", re.IGNORECASE)


def prepared(text: str) -> str:
    """Return the source with its marks; code stays as it is."""
    text = _FOREIGN.sub("", text)
    notes = dict.fromkeys(_NOTE_TEXT.findall(text), 0) if "[^" in text else {}
    return "\n".join(_prepared_lines(text.split("\n"), notes))


def item_number(text: str) -> tuple[int, str] | None:
    """Return the number that a prepared list item is written with, and the sign behind it."""
    found = _NUMBER.match(text)
    return None if found is None else (int(found[1]), found[2])


def plain(text: str) -> str:
    """Return the text of a prepared node without the marks of its source, for code."""
    return _NUMBER.sub("", text).replace(_BRACKET, "<").replace(PARAGRAPH, "")


def inline_text(text: str) -> str:
    """Return the text of a prepared node; its inline HTML is read as its meaning, other text in brackets stays."""
    text = _NUMBER.sub("", text)
    hides = _HIDING_TAG.search(text) is not None
    if hides or _TAG.search(text):
        source = text.replace("&", "&amp;").replace(_BRACKET, "&lt;")
        page = page_reader.parse_html((source if hides else _OTHER_BRACKET.sub("&lt;", source)).encode())
        text = " ".join(block.text for block in page.blocks)
    return text.replace(_BRACKET, "<")


def _prepared_lines(lines: list[str], notes: dict[str, int]) -> Iterator[str]:
    fence = ""
    is_in_list = is_after_blank = is_in_formula = False
    for line in lines:
        found = _FENCE.match(line)
        if fence:
            # CommonMark 4.5: a closing fence is at least as long as the opening one, with nothing behind it.
            is_end = found is not None and found[1].startswith(fence) and line.strip(" \t>") == found[1]
            fence = "" if is_end else fence
            yield line
        elif found is not None:
            fence = found[1]
            yield line
        elif line.strip() == "$$":
            # The library puts a formula within a paragraph before it.
            is_in_formula = not is_in_formula
            yield from ("", line) if is_in_formula else (line, "")
        else:
            is_item = _ITEM.match(line) is not None or _NOTE_TEXT.match(line) is not None
            is_in_list = is_item or (is_in_list and (line[:1] in (" ", "\t") or not is_after_blank))
            prose = _CONTINUED.sub(rf"\1{PARAGRAPH}", line, count=1) if is_after_blank and not is_item else line
            is_code = _INDENTED.match(line) is not None and not is_in_list
            yield line if is_code else _prepared_line(prose if is_in_list else line, notes)
        is_after_blank = not line.strip()


def _prepared_line(line: str, notes: dict[str, int]) -> str:
    if (text := _NOTE_TEXT.match(line)) is not None:
        label = note_label(str(_note_number(text[1], notes)))
        return f"{text[0]}{label} {_prepared_inline(line[text.end() :], notes)}"
    start = ""
    if (item := _NUMBERED_ITEM.match(line)) is not None:
        start, line = f"{item[1]}{_NUMBER_START}{item[2]}{_NUMBER_END} ", line[item.end() :]
    return start + _prepared_inline(line, notes)


def _prepared_inline(line: str, notes: dict[str, int]) -> str:
    return "".join(
        part.replace("<", _BRACKET) if is_code else _prepared_prose(part, notes, line) for part, is_code in _spans(line)
    )


def _spans(line: str) -> Iterator[tuple[str, bool]]:
    """Yield the parts of a line, each with whether it is code: between two equal runs of backticks."""
    runs = list(_TICKS.finditer(line))
    following: dict[str, int] = {}
    closing: list[int | None] = [None] * len(runs)
    for index in range(len(runs) - 1, -1, -1):
        closing[index] = following.get(runs[index][0])
        following[runs[index][0]] = index
    position = index = 0
    while index < len(runs):
        end = closing[index]
        if end is None or line[runs[index].start() - 1 : runs[index].start()] == "\\":
            index += 1
            continue
        yield line[position : runs[index].start()], False
        yield line[runs[index].start() : runs[end].end()], True
        position, index = runs[end].end(), end + 1
    yield line[position:], False


def _prepared_prose(text: str, notes: dict[str, int], line: str) -> str:
    text = _ESCAPED.sub(_BRACKET, text)
    if "~" in text:
        text = _LOWERED.sub(lambda run: run_of(run[1], Mark.LOWERED), _STRUCK.sub(GAP, text))
    if "^" in text:
        text = _NOTE.sub(lambda note: _marked_note(note, notes), _NOTE_WITHIN.sub(r" (\1)", text))
        text = _RAISED.sub(lambda run: run_of(run[1], Mark.RAISED), text)
    if "$$" in text and _FORMULA.sub("", line).strip(" \t>|"):
        text = _FORMULA.sub(lambda formula: f"${formula[1].strip()}$", text)
    return text


def _note_number(label: str, notes: dict[str, int]) -> int:
    """Return the number that a note is shown with: notes count from their first mark."""
    if not notes[label]:
        notes[label] = max(notes.values()) + 1
    return notes[label]


def _marked_note(note: re.Match[str], notes: dict[str, int]) -> str:
    return note_mark(str(_note_number(note[1], notes))) if note[1] in notes else note[0]
