"""Editor that marks raised, lowered and struck runs and glosses, which the parser library would join to others."""

from typing import Final
from xml.sax.saxutils import escape

from groundwire_readers.contents.number_formats import number_text
from groundwire_readers.readers.word.part_editing import Edit, OpenElement
from groundwire_readers.text.runs import Mark, note_label, note_mark, run_of

_RUBY_PARTS: Final = {"w:rt": Mark.GLOSS, "w:rubyBase": Mark.ANNOTATED}
_BREAKS: Final = ("w:cr", "w:ptab")
"""Breaks that the library omits, so that it would join the words around them."""
_NOTES: Final = ("w:footnote", "w:endnote")


class RunMarks:
    """Editor of one part, which runs after the editor of hidden text: that one finds the mark of each run."""

    def __init__(self) -> None:
        self.edits: list[Edit] = []
        self._text: list[str] = []

    def start(self, element: OpenElement) -> None:
        """Handle the start of an element."""
        if element.tag == "w:t":
            self._text = []

    def text(self, data: str, element: OpenElement) -> None:
        """Handle text within an element."""
        if element.tag == "w:t":
            self._text.append(data)

    def end(self, element: OpenElement, end: int) -> None:
        """Handle the end of an element."""
        if element.tag in _BREAKS:
            self.edits.append(Edit(element.first, end, b"<w:br/>"))
        if element.tag != "w:t" or element.is_hidden:
            return
        run = element.parent
        holder = "" if run is None else run.parent_tag
        text = "".join(self._text)
        if (mark := element.mark or _RUBY_PARTS.get(holder, "")) and text.strip():
            self.edits.append(Edit(element.first, end, _text_xml(run_of(text, mark))))


class NoteMarks:
    """Editor that writes the marks of notes as text; `labels` has those of all parts so far."""

    def __init__(self, labels: dict[str, str]) -> None:
        self.edits: list[Edit] = []
        self._labels = labels
        self._note, self._first_run = "", 0

    def start(self, element: OpenElement) -> None:
        """Handle the start of an element."""
        if element.tag in _NOTES:
            self._note, self._first_run = element.tag + element.attributes.get("w:id", ""), 0
        elif element.tag == "w:r" and self._note:
            self._first_run = self._first_run or element.first

    def text(self, data: str, element: OpenElement) -> None:
        """Handle text within an element."""

    def end(self, element: OpenElement, end: int) -> None:
        """Handle the end of an element."""
        kind = element.tag.removesuffix("Reference")
        if (
            element.tag in _NOTES
            and self._first_run
            and element.tag + element.attributes.get("w:id", "") in self._labels
        ):
            label = note_label(self._labels[self._note]) + " "
            self.edits.append(Edit(self._first_run, self._first_run, b"<w:r>%b</w:r>" % _text_xml(label)))
        elif kind in _NOTES and kind != element.tag and element.attributes.get("w:customMarkFollows") is None:
            number = 1 + sum(name.startswith(kind) for name in self._labels)
            # Word counts endnotes in Roman numerals.
            label = number_text(number, "decimal" if kind == _NOTES[0] else "lowerRoman")
            label = self._labels.setdefault(kind + element.attributes.get("w:id", ""), label)
            self.edits.append(Edit(element.first, end, _text_xml(note_mark(label))))


def _text_xml(text: str) -> bytes:
    return f'<w:t xml:space="preserve">{escape(text)}</w:t>'.encode("ascii", "xmlcharrefreplace")
