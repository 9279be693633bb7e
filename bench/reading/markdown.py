"""Reading of Markdown: peers give it, and reference texts are written in it."""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from markdown_it import MarkdownIt
from markdown_it.token import Token

from bench.reading.reading import Reading, TableRows

_COMMENT: Final = re.compile(r"<!--.*?-->", re.DOTALL)
_BREAK: Final = re.compile(r"<br\s*/?>")
_CELLS: Final = ("th_open", "td_open")


def read_markdown(markdown: str, *, title: str | None = None, seconds: float = 0.0) -> Reading:
    """Return what the Markdown has; its title is its first heading, unless another one is given.

    A tag is text: a reader that keeps `<name>` has kept a word.
    """
    parser = MarkdownIt("commonmark", {"html": False}).enable("table")
    walk = _Walk(parser.parse(_BREAK.sub(" ", _COMMENT.sub(" ", markdown))))
    walk.run()
    first = walk.headings[0] if walk.headings else None
    return Reading("\n".join(walk.lines), walk.tables, walk.headings, title or first, seconds=seconds)


class _Walk:
    """One pass over the tokens of a text."""

    def __init__(self, tokens: Sequence[Token]) -> None:
        self.lines: list[str] = []
        self.tables: list[TableRows] = []
        self.headings: list[str] = []
        self._tokens = tokens
        self._rows: list[list[str]] = []
        self._number = ""

    def run(self) -> None:
        """Fill lines, tables and headings."""
        opened = ""
        for token in self._tokens:
            if token.type == "inline":
                self._add("".join(_text_of(token.children or [])), opened)
            elif token.type in {"fence", "code_block"}:
                self.lines += token.content.splitlines()
            else:
                self._structure(token)
            opened = token.type

    def _add(self, text: str, opened: str) -> None:
        joined = " ".join(text.split())
        if opened in _CELLS:
            self._rows[-1].append(joined)
            return
        if opened == "heading_open":
            self.headings.append(joined)
        self.lines += (self._number + text).splitlines()
        self._number = ""

    def _structure(self, token: Token) -> None:
        match token.type:
            case "list_item_open":
                # An ordered list's numbers are words of the text: a list that counts 1, 1, 1 is read wrongly.
                self._number = f"{token.info}. " if token.info else ""
            case "table_open":
                self._rows = []
            case "tr_open":
                self._rows.append([])
            case "tr_close":
                self.lines.append(" | ".join(self._rows[-1]))
            case "table_close":
                self.tables.append(self._rows)
            case _:
                pass


def _text_of(tokens: Sequence[Token]) -> Iterator[str]:
    for token in tokens:
        if token.type in {"softbreak", "hardbreak"}:
            yield "\n"
        else:
            yield from _text_of(token.children) if token.children else (token.content,)
