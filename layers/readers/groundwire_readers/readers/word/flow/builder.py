"""Builder of the flow of a Word part, as a handler of the walk over it."""

from collections.abc import Callable, Mapping
from typing import Final

from groundwire_readers.contents.number_formats import number_text
from groundwire_readers.readers.office.package_parts import Relationship
from groundwire_readers.readers.word.equations.open_equation import OpenEquation
from groundwire_readers.readers.word.flow.drawings import Drawings
from groundwire_readers.readers.word.flow.items import Container, DrawnData, Item, Note, Paragraph
from groundwire_readers.readers.word.flow.open_runs import OpenRuns
from groundwire_readers.readers.word.flow.open_tables import OpenTables
from groundwire_readers.readers.word.flow.paragraph_properties import read_property, reference_of
from groundwire_readers.readers.word.numbering.number_counter import NumberCounter
from groundwire_readers.readers.word.part_walk import OpenElement
from groundwire_readers.readers.word.styles import WordStyles
from groundwire_readers.text.runs import note_mark

_TEXT_BOX: Final = "w:txbxContent"
_NOTES: Final = ("w:footnote", "w:endnote")
_SEPARATORS: Final = ("separator", "continuationSeparator", "continuationNotice")
_REFERENCES: Final = tuple(f"{kind}Reference" for kind in _NOTES)
_CONTENT_ELEMENTS: Final = ("w:drawing", "w:pict", "w:object", "m:oMath")
_INVISIBLE: Final = ("w:bookmarkStart", "w:bookmarkEnd", "w:proofErr", "w:permStart", "w:permEnd", "w:del", "w:ins")
"""Elements that may be between two paragraphs and display nothing there."""
_GALLERY: Final = "Table of Contents"
_GALLERY_DEPTH: Final = 3
"""Number of ancestors from `w:docPartGallery` to its content block (`w:sdt`)."""


class FlowBuilder:
    """Handler of one part; it runs after that of hidden text.

    Attributes:
        notes: the notes of the part.
    """

    def __init__(
        self,
        styles: WordStyles,
        counter: NumberCounter,
        labels: dict[str, dict[str, str]],
        relationships: Mapping[str, Relationship],
        drawings: Drawings,
    ) -> None:
        """Take the counter of lists and the labels of notes, which all parts of a file share."""
        self.notes: list[Note] = []
        self._styles = styles
        self._counter = counter
        self._labels = labels
        self._drawings = drawings
        self._root = Container(None)
        self._containers = [self._root]
        self._paragraphs: list[Paragraph] = []
        self._open: list[Container | Paragraph] = [self._root]
        self._boxes: list[Container] = []
        self._galleries: list[OpenElement] = []
        self._tables = OpenTables()
        self._runs = OpenRuns(relationships, drawings)
        self._equation: OpenEquation | None = None
        self._handlers: dict[str, Callable[[OpenElement], None]] = {
            "w:p": self._start_paragraph,
            "w:tc": self._start_cell,
            _TEXT_BOX: self._start_box,
            "w:docPartGallery": self._start_gallery,
            **dict.fromkeys(_NOTES, self._start_container),
            **dict.fromkeys(_REFERENCES, self._refer_to_note),
        }
        self._end_handlers: dict[str, Callable[[OpenElement], None]] = {
            "w:p": self._end_paragraph,
            "w:tc": self._end_cell,
            _TEXT_BOX: self._end_box,
            **dict.fromkeys(_NOTES, self._end_note),
        }

    @property
    def items(self) -> list[Item]:
        """The items of the part, without its notes."""
        self._end_pending(self._root)
        return self._root.items

    def start(self, element: OpenElement) -> None:
        """Handle the start of an element."""
        if self._equation is not None:
            self._equation.start(element)
            return
        container = self._open[-1]
        if isinstance(container, Container) and container.pending is not None:
            self._pass_pending(container, container.pending, element)
        if OpenEquation.starts_at(element):
            self._equation = OpenEquation(element)
            self._equation.start(element)
        if self._paragraphs:
            if element.tag in _CONTENT_ELEMENTS:
                self._paragraphs[-1].has_content = True
            read_property(element, self._paragraphs[-1])
        self._tables.start(element)
        self._runs.start(element, self._paragraph)
        handler = self._handlers.get(element.tag)
        if handler is not None:
            handler(element)

    def text(self, data: str, element: OpenElement) -> None:
        """Handle text within an element."""
        if self._equation is not None:
            self._equation.text(data, element)
        else:
            self._runs.text(data, element)

    def end(self, element: OpenElement) -> None:
        """Handle the end of an element."""
        if self._equation is not None:
            text = self._equation.end(element)
            if text is not None:
                self._end_equation(element, text)
            return
        self._runs.end(element, self._paragraph)
        handler = self._end_handlers.get(element.tag)
        if handler is not None:
            handler(element)
        table = self._tables.end(element)
        if table is not None and not self._tables.open_cells:
            self._containers[-1].items.append(table)
        if self._galleries and self._galleries[-1] is element:
            self._galleries.pop()
        container = self._open[-1]
        if isinstance(container, Container) and container.pending and container.pending.element.parent is element:
            self._end_pending(container)

    @property
    def _paragraph(self) -> Paragraph | None:
        """The open paragraph; None between paragraphs."""
        holder = self._open[-1]
        return holder if isinstance(holder, Paragraph) else None

    def _end_equation(self, element: OpenElement, text: str) -> None:
        self._equation = None
        paragraph = self._paragraph
        if paragraph is not None:
            self._runs.add(text, paragraph)
        elif text:
            self._containers[-1].items.append(Paragraph(element, "", has_text=True, parts=[text]))

    def _start_gallery(self, element: OpenElement) -> None:
        block: OpenElement | None = element
        for _ in range(_GALLERY_DEPTH):
            block = None if block is None else block.parent
        if element.value == _GALLERY and block is not None:
            self._galleries.append(block)

    # --- Paragraphs ------------------------------------------------------------------------------------------

    def _start_paragraph(self, element: OpenElement) -> None:
        paragraph = Paragraph(element, self._styles.default_paragraph_style)
        paragraph.in_cell, paragraph.in_gallery = self._tables.open_cells > 0, bool(self._galleries)
        container = self._containers[-1]
        pending, container.pending = container.pending, None
        if pending is not None:
            paragraph.parts = pending.parts
            paragraph.has_text, paragraph.has_content = pending.has_text, pending.has_content
        self._paragraphs.append(paragraph)
        self._open.append(paragraph)

    def _end_paragraph(self, _element: OpenElement) -> None:
        self._open.pop()
        paragraph = self._paragraphs.pop()
        if paragraph.continues and not paragraph.ends_section:
            self._containers[-1].pending = paragraph
        else:
            self._finish(paragraph, self._containers[-1])

    def _pass_pending(self, container: Container, pending: Paragraph, element: OpenElement) -> None:
        """End a paragraph without a mark, unless the element is a paragraph beside it or shows nothing."""
        is_beside = element.parent is pending.element.parent
        if not (is_beside and (element.tag == "w:p" or element.tag in _INVISIBLE)):
            self._end_pending(container)

    def _end_pending(self, container: Container) -> None:
        pending, container.pending = container.pending, None
        if pending is not None:
            self._finish(pending, container)

    def _finish(self, paragraph: Paragraph, container: Container) -> None:
        """Count the paragraph and add it, with the text boxes and the charts in it behind it."""
        reference = reference_of(paragraph, self._styles)
        is_missing = paragraph.is_deleted and not (paragraph.has_text or paragraph.has_content)
        paragraph.label = "" if reference is None or is_missing else self._counter.next_label(reference)
        container.items.append(paragraph)
        boxes = [part for part in paragraph.parts if isinstance(part, Container)]
        if self._boxes:
            self._boxes[-1].boxes += boxes
        else:
            for box in boxes:
                container.items += box.items
        drawn = (part for part in paragraph.parts if isinstance(part, DrawnData))
        container.items += (block for data in drawn for block in self._drawings.blocks(data))

    # --- Cells, text boxes and notes -------------------------------------------------------------------------

    def _start_container(self, element: OpenElement) -> None:
        self._containers.append(Container(element))
        self._open.append(self._containers[-1])

    def _pop_container(self) -> Container:
        container = self._containers.pop()
        self._open.pop()
        self._end_pending(container)
        return container

    def _start_cell(self, element: OpenElement) -> None:
        # Cells of a table within a cell are text of that cell.
        self._containers.append(Container(element) if self._tables.open_cells == 1 else self._containers[-1])
        self._open.append(self._containers[-1])

    def _end_cell(self, _element: OpenElement) -> None:
        container = self._pop_container()
        if not self._tables.end_cell(container.items) and container is not self._containers[-1]:
            self._containers[-1].items += container.items

    def _start_box(self, element: OpenElement) -> None:
        self._start_container(element)
        self._boxes.append(self._containers[-1])

    def _end_box(self, _element: OpenElement) -> None:
        box = self._pop_container()
        self._boxes.pop()
        paragraph = self._paragraph
        if paragraph is None:
            self._containers[-1].items += [*box.items, *(item for inner in box.boxes for item in inner.items)]
        else:
            paragraph.parts += [box, *box.boxes]

    def _end_note(self, element: OpenElement) -> None:
        note = self._pop_container()
        if element.attributes.get("w:type") not in _SEPARATORS:
            label = self._labels.get(element.tag, {}).get(element.attributes.get("w:id", ""), "")
            self.notes.append(Note(label, note.items))

    def _refer_to_note(self, element: OpenElement) -> None:
        paragraph = self._paragraph
        if element.attributes.get("w:customMarkFollows") is not None or paragraph is None:
            return
        kind = element.tag.removesuffix("Reference")
        labels = self._labels.setdefault(kind, {})
        # Word counts endnotes in Roman numerals.
        label = number_text(len(labels) + 1, "decimal" if kind == _NOTES[0] else "lowerRoman")
        self._runs.add(note_mark(labels.setdefault(element.attributes.get("w:id", ""), label)), paragraph)
