"""Plain text of a mail's body: flowed lines (RFC 3676), quoted lines and the signature."""

import re
from collections.abc import Iterable, Iterator
from itertools import groupby, pairwise
from typing import Final

from groundwire_readers.contents.parsed import Block, BlockKind
from groundwire_readers.readers.text.aligned_tables import aligned_tables
from groundwire_readers.readers.text.plain_text import blocks_of_text
from groundwire_readers.text.normalisation import normalise

_QUOTE: Final = re.compile(r"(?:> ?)*>")
_SIGNATURE: Final = "--"
_LONG_WORD: Final = re.compile(r"\S{40}")
_WRAPPED_CHARACTERS: Final = 60
"""Length of a quoted line from which the next one continues it."""


def unflowed(text: str, *, deletes_space: bool) -> str:
    """Return a text of `format=flowed` with its soft line breaks undone.

    Args:
        text: text of the part.
        deletes_space: whether the space before a soft break is no part of the text (`delsp=yes`).
    """
    lines: list[str] = []
    parts: list[str] = []
    open_depth = -1
    for line in text.replace("\r\n", "\n").split("\n"):
        content = line.lstrip(">")
        depth = len(line) - len(content)
        content = content.removeprefix(" ")
        is_soft = content.endswith(" ") and content != "-- "
        if parts and depth != open_depth:
            lines.append("".join(parts))
            parts = []
        quote = f"{'>' * depth} " if depth else ""
        parts += [quote if not parts else "", content[:-1] if is_soft and deletes_space else content]
        open_depth = depth
        if not is_soft:
            lines.append("".join(parts))
            parts = []
    return "\n".join([*lines, "".join(parts)] if parts else lines)


def blocks_of_body(text: str) -> list[Block]:
    """Return the blocks of a body; quoted lines and the lines of the signature stay apart."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    end = next((index for index, line in enumerate(lines) if line.rstrip() == _SIGNATURE), len(lines))
    blocks: list[Block] = []
    for depth, group in groupby(lines[:end], key=_depth):
        # The group is an iterator that ends with the next group.
        quoted = list(group)
        blocks += _quoted(quoted, depth) if depth else blocks_of_text("\n".join(_divided(quoted)))
    return blocks + [Block(BlockKind.PARAGRAPH, line) for line in map(normalise, lines[end + 1 :]) if line]


def _divided(lines: Iterable[str]) -> Iterator[str]:
    """Yield the lines, with an empty one behind each that its writer ended: the next word would have fitted in it."""
    for is_text, group in groupby(lines, key=lambda line: bool(line.strip())):
        paragraph = list(group)
        width = _wrapped_width(paragraph)
        # The lines of a table are one table, whether it is drawn or aligned.
        rows = {number for table in aligned_tables(paragraph) for number in range(table.start, table.end - 1)}
        for number, (line, following) in enumerate(pairwise([*paragraph, ""])):
            yield line
            words = following.split(maxsplit=1)
            is_row = number in rows or line.lstrip()[:1] in ("|", "+")
            if is_text and words and not is_row and len(line) + 1 + len(words[0]) <= width:
                yield ""


def _wrapped_width(lines: Iterable[str]) -> int:
    """Return the width at which a mail program wrapped the lines; an address is longer than any width."""
    return max([_WRAPPED_CHARACTERS, *(len(line) for line in lines if not _LONG_WORD.search(line))])


def _depth(line: str) -> int:
    found = _QUOTE.match(line)
    return 0 if found is None else found[0].count(">")


def _quoted(lines: Iterable[str], depth: int) -> Iterator[Block]:
    """Yield the quoted lines of one depth; a line of full length goes on in the next one."""
    parts: list[str] = []
    for line in lines:
        content = _QUOTE.sub("", line, count=1).strip()
        parts.append(content)
        if len(content) < _WRAPPED_CHARACTERS:
            yield from _quote(parts, depth)
            parts = []
    yield from _quote(parts, depth)


def _quote(parts: list[str], depth: int) -> Iterator[Block]:
    if text := normalise(" ".join(parts)):
        yield Block(BlockKind.PARAGRAPH, f"{'>' * depth} {text}")
