"""Collector of the lines of a page header or footer of Word, without the fields that count pages."""

from typing import Final

from groundwire_readers.readers.word.part_walk import OpenElement

_COUNTING_FIELDS: Final = ("PAGE", "NUMPAGES", "SECTIONPAGES", "SECTION")


class HeaderLines:
    """Handler of one part; it runs after that of hidden text, which marks hidden runs.

    Attributes:
        lines: the lines: paragraphs outside tables, and rows of tables.
    """

    def __init__(self) -> None:
        self.lines: list[str] = []
        self._line: list[str] = []
        self._run: list[str] = []
        self._rows = 0
        self._fields: list[str] = []

    def start(self, element: OpenElement) -> None:
        """Handle the start of an element."""
        self._rows += element.tag == "w:tr"
        if element.tag == "w:fldSimple":
            self._fields.append(element.attributes.get("w:instr", ""))
        elif element.tag == "w:fldChar":
            self._change_field(element.attributes.get("w:fldCharType", ""))
        elif element.tag == "w:r":
            self._run = []
        elif element.tag in ("w:tab", "w:br", "w:ptab"):
            self._run.append(" ")

    def _change_field(self, change: str) -> None:
        if change == "begin":
            self._fields.append("")
        elif change == "end" and self._fields:
            self._fields.pop()

    def text(self, data: str, element: OpenElement) -> None:
        """Handle text within an element."""
        if element.tag == "w:instrText" and self._fields:
            self._fields[-1] += data
        elif element.tag == "w:t" and not any(_counts_pages(field) for field in self._fields):
            self._run.append(data)

    def end(self, element: OpenElement) -> None:
        """Handle the end of an element."""
        if element.tag == "w:fldSimple" and self._fields:
            self._fields.pop()
        elif element.tag == "w:r" and not element.is_hidden:
            self._line += self._run
        elif element.tag in ("w:p", "w:tc"):
            self._line.append(" ")
        self._rows -= element.tag == "w:tr"
        if element.tag in ("w:p", "w:tr") and not self._rows:
            self.lines.append("".join(self._line))
            self._line = []


def _counts_pages(field: str) -> bool:
    return field.split()[:1] in [[name] for name in _COUNTING_FIELDS]
