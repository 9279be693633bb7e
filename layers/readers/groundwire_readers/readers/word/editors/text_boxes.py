"""Editor that moves text boxes after their paragraph, since the parser library reads only the last of several."""

from dataclasses import dataclass
from typing import Final

from groundwire_readers.readers.word.part_editing import Edit, OpenElement

TEXT_BOX: Final = "w:txbxContent"
"""Element with the content of a text box."""


@dataclass(slots=True)
class _Box:
    """An open box: the pieces of its content so far, and the byte at which the next piece starts."""

    element: OpenElement
    pieces: list[bytes]
    position: int


class TextBoxes:
    """Editor of one part; a nested box follows the outer one."""

    def __init__(self, part: bytes) -> None:
        """Take the part as `edit_part` returned it."""
        self.edits: list[Edit] = []
        self._part = part
        self._paragraph: OpenElement | None = None
        self._open: list[_Box] = []
        self._moved: list[list[bytes]] = []

    def start(self, element: OpenElement) -> None:
        """Handle the start of an element."""
        if element.tag == "w:p" and self._paragraph is None:
            self._paragraph = element
        elif element.tag == TEXT_BOX and self._paragraph is not None:
            self._moved.append([])
            self._open.append(_Box(element, self._moved[-1], element.content))

    def text(self, data: str, element: OpenElement) -> None:
        """Handle text within an element."""

    def end(self, element: OpenElement, end: int) -> None:
        """Handle the end of an element."""
        if self._open and self._open[-1].element is element:
            # The last `<` before the end starts the end tag, which is not part of the content.
            self._end_box(self._open.pop(), max(element.content, self._part.rfind(b"<", 0, end)))
        elif element is self._paragraph:
            self._paragraph = None
            if self._moved:
                self.edits.append(Edit(end, end, b"".join(piece for pieces in self._moved for piece in pieces)))
                self._moved = []

    def _end_box(self, box: _Box, end: int) -> None:
        """Remove the content of a box from its drawing; `end` is the byte after it."""
        box.pieces.append(self._part[box.position : end])
        if self._open:
            outer = self._open[-1]
            outer.pieces.append(self._part[outer.position : box.element.content])
            outer.position = end
        else:
            self.edits.append(Edit(box.element.content, end))
