"""Joining of paragraphs whose mark between them is a tracked deletion, as Word shows them."""

import re
from dataclasses import dataclass
from typing import Final

from groundwire_readers.readers.word.part_editing import Edit, OpenElement, edit_part

_FLAG: Final = re.compile(rb":rPr>[^<]*<[^<>]*:(?:ins|del|moveFrom|moveTo)\b")
_FLAGS: Final = ("w:del", "w:moveFrom")
_INVISIBLE: Final = ("w:bookmarkStart", "w:bookmarkEnd", "w:proofErr", "w:permStart", "w:permEnd", "w:del", "w:ins")
"""Elements that may be between two paragraphs and display nothing there."""


def with_joined_paragraphs(part: bytes) -> bytes:
    """Return the part with each paragraph of a deleted mark as the start of the next paragraph beside it.

    Raises:
        UnreadableDocument: damaged, nested too deeply, or with a document type.
    """
    return edit_part(part, [_DeletedMarks(part)]) if _FLAG.search(part) else part


@dataclass(slots=True)
class _Pending:
    """Paragraphs that become the start of the next one within `parent`: the removals of each, and their content."""

    parent: OpenElement | None
    removals: list[Edit]
    contents: list[bytes]


@dataclass(slots=True)
class _Paragraph:
    """An open paragraph; `content` is the byte after its properties."""

    element: OpenElement
    content: int
    before: _Pending | None
    is_deleted: bool = False
    ends_section: bool = False


class _DeletedMarks:
    def __init__(self, part: bytes) -> None:
        self.edits: list[Edit] = []
        self._part = part
        self._paragraphs: list[_Paragraph] = []
        self._pending: list[_Pending] = []

    def start(self, element: OpenElement) -> None:
        """Handle the start of an element."""
        is_beside = bool(self._pending) and self._pending[-1].parent is element.parent
        if element.tag == "w:p":
            before = self._pending.pop() if is_beside else None
            self._paragraphs.append(_Paragraph(element, element.content, before))
        elif is_beside and element.tag not in _INVISIBLE:
            self._pending.pop()
        elif self._paragraphs:
            self._read_property(element, self._paragraphs[-1])

    def text(self, data: str, element: OpenElement) -> None:
        """Handle text within an element."""

    def end(self, element: OpenElement, end: int) -> None:
        """Handle the end of an element."""
        if self._paragraphs and element is self._paragraphs[-1].element:
            self._end_paragraph(self._paragraphs.pop(), end)
        elif self._paragraphs and element.tag == "w:pPr" and element.parent is self._paragraphs[-1].element:
            self._paragraphs[-1].content = end
        elif self._pending and element is self._pending[-1].parent:
            self._pending.pop()

    def _read_property(self, element: OpenElement, paragraph: _Paragraph) -> None:
        holder = element.parent
        if element.tag == "w:sectPr" and holder is not None and holder.parent is paragraph.element:
            paragraph.ends_section = True
        elif element.tag in _FLAGS and holder is not None and holder.tag == "w:rPr" and holder.parent is not None:
            properties = holder.parent
            paragraph.is_deleted |= properties.tag == "w:pPr" and properties.parent is paragraph.element

    def _end_paragraph(self, paragraph: _Paragraph, end: int) -> None:
        before = paragraph.before or _Pending(paragraph.element.parent, [], [])
        if paragraph.is_deleted and not paragraph.ends_section:
            before.contents.append(self._part[paragraph.content : self._part.rfind(b"</", 0, end)])
            before.removals.append(Edit(paragraph.element.first, end))
            self._pending.append(before)
        elif before.contents:
            content = b"".join(before.contents)
            is_empty_tag = self._part[end - 2 : end] == b"/>" and paragraph.element.content == end
            insertion = (
                Edit(paragraph.element.first, end, b"<w:p>" + content + b"</w:p>")
                if is_empty_tag
                else Edit(paragraph.content, paragraph.content, content)
            )
            self.edits += [*before.removals, insertion]
