"""Editor that marks raised, lowered and struck runs and glosses, which the parser library would join to others."""

from typing import Final
from xml.sax.saxutils import escape

from groundwire_readers.readers.word.part_editing import Edit, OpenElement
from groundwire_readers.text.runs import Mark, run_of

_RUBY_PARTS: Final = {"w:rt": Mark.GLOSS, "w:rubyBase": Mark.ANNOTATED}


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
        if element.tag != "w:t" or element.is_hidden:
            return
        run = element.parent
        holder = "" if run is None else run.parent_tag
        text = "".join(self._text)
        if (mark := element.mark or _RUBY_PARTS.get(holder, "")) and text.strip():
            shown = escape(run_of(text, mark))
            written = f'<w:t xml:space="preserve">{shown}</w:t>'.encode("ascii", "xmlcharrefreplace")
            self.edits.append(Edit(element.first, end, written))
