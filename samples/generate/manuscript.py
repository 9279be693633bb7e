"""The texts in `content/` as blocks: headings, paragraphs, bullets, tables, pictures and speaker notes.

A manuscript is a small part of Markdown: every paragraph stands on one line, `>` begins a speaker note, and
`![alternative text](name)` is a picture of `drawings`.
"""

import re
from dataclasses import dataclass
from pathlib import Path

RULE = re.compile(r"\|(-+\|)+")
PICTURE = re.compile(r"!\[(.+)\]\((\w+)\)")


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading; level 1 is the title of the document."""

    level: int
    text: str


@dataclass(frozen=True, slots=True)
class Paragraph:
    """Running text."""

    text: str


@dataclass(frozen=True, slots=True)
class Bullet:
    """One item of a list."""

    text: str


@dataclass(frozen=True, slots=True)
class Note:
    """What a speaker says to a slide."""

    text: str


@dataclass(frozen=True, slots=True)
class Table:
    """A table, header row first; all rows are of one length."""

    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class Picture:
    """A drawing, with the text for those who do not see it."""

    name: str
    text: str


Block = Heading | Paragraph | Bullet | Note | Table | Picture


@dataclass(frozen=True, slots=True)
class Part:
    """A heading of level 2 with everything up to the next one: a sheet or a slide."""

    title: str
    blocks: tuple[Block, ...]


def read(path: Path) -> list[Block]:
    """The blocks of a manuscript in reading order."""
    blocks: list[Block] = []
    rows: list[tuple[str, ...]] = []
    for line in [*path.read_text(encoding="utf-8").splitlines(), ""]:
        if line.startswith("|"):
            if not RULE.fullmatch(line):
                rows.append(_cells(line))
            continue
        if rows:
            blocks.append(Table(tuple(rows)))
            rows = []
        if line.strip():
            blocks.append(_block(line.strip()))
    return blocks


def front(blocks: list[Block]) -> tuple[str, str, list[Block]]:
    """The title, the line below it, and the rest.

    Raises:
        ValueError: the manuscript does not begin with a title.
    """
    first, *rest = blocks
    if not isinstance(first, Heading) or first.level != 1:
        raise ValueError("a manuscript begins with a line '# Title'")
    if rest and isinstance(rest[0], Paragraph):
        return first.text, rest[0].text, rest[1:]
    return first.text, "", rest


def parts(blocks: list[Block]) -> list[Part]:
    """The body cut at its headings of level 2."""
    found: list[tuple[str, list[Block]]] = []
    for block in blocks:
        if isinstance(block, Heading) and block.level == 2:
            found.append((block.text, []))
        else:
            found[-1][1].append(block)
    return [Part(title, tuple(body)) for title, body in found]


def _cells(line: str) -> tuple[str, ...]:
    return tuple(cell.strip() for cell in line.strip().strip("|").split("|"))


def _block(line: str) -> Block:
    if line.startswith("#"):
        marks, text = line.split(" ", 1)
        return Heading(len(marks), text)
    if line.startswith("- "):
        return Bullet(line[2:])
    if line.startswith("> "):
        return Note(line[2:])
    if picture := PICTURE.fullmatch(line):
        return Picture(picture[2], picture[1])
    return Paragraph(line)
