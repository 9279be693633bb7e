"""Manuscripts as PDF: real text, outline, ruled tables whose header row repeats, page numbers."""

from functools import partial
from pathlib import Path
from xml.sax.saxutils import escape

from manuscript import Block, Bullet, Heading, Note, Paragraph, Table, front
from reportlab.lib.colors import HexColor
from reportlab.lib.pagesizes import A4
from reportlab.lib.styles import ParagraphStyle
from reportlab.lib.units import mm
from reportlab.pdfbase.pdfmetrics import stringWidth
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import BaseDocTemplate, Flowable, Frame, PageTemplate, Spacer
from reportlab.platypus import Paragraph as Text
from reportlab.platypus import Table as Grid

TEAL, PALE, LINE, GREY = HexColor("#0b5563"), HexColor("#e4f0f2"), HexColor("#b7c7cc"), HexColor("#5b6b73")
MARGIN = 22 * mm
WIDTH = A4[0] - 2 * MARGIN
BODY = ParagraphStyle("body", fontName="Helvetica", fontSize=10, leading=14.5, spaceAfter=6)
CELL = ParagraphStyle("cell", parent=BODY, fontSize=8.5, leading=11, spaceAfter=0)
HEAD_CELL = ParagraphStyle("head cell", parent=CELL, fontName="Helvetica-Bold", textColor=TEAL)
ITEM = ParagraphStyle("item", parent=BODY, leftIndent=12, bulletIndent=2, spaceAfter=3)
SUBTITLE = ParagraphStyle("subtitle", parent=BODY, textColor=GREY, spaceAfter=14)
TITLE = ParagraphStyle("title", parent=BODY, fontName="Helvetica-Bold", fontSize=25, leading=31, textColor=TEAL)
HEADINGS = {
    level: ParagraphStyle(
        f"heading {level}",
        parent=TITLE,
        fontSize=size,
        leading=size * 1.3,
        spaceBefore=before,
        spaceAfter=4,
        keepWithNext=1,
    )
    for level, size, before in ((2, 17, 16), (3, 13, 10), (4, 11, 8))
}
OUTLINE_DEPTH = 3


class OutlinedHeading(Text):
    """A heading that also stands in the outline of the file."""

    def __init__(self, heading: Heading) -> None:
        super().__init__(escape(heading.text), HEADINGS[heading.level])
        self.heading = heading

    def draw(self) -> None:
        """Draw the heading and register it with the outline."""
        key = self.heading.text
        self.canv.bookmarkPage(key)
        if self.heading.level <= OUTLINE_DEPTH:
            self.canv.addOutlineEntry(key, key, self.heading.level - 2)
        super().draw()


def write(blocks: list[Block], target: Path) -> None:
    """Write a manuscript as a PDF whose bytes depend on the text alone."""
    title, subtitle, body = front(blocks)
    document = BaseDocTemplate(str(target), pagesize=A4, title=title, author="Weirhaven Instruments B.V.", invariant=1)
    frame = Frame(MARGIN, 20 * mm, WIDTH, A4[1] - 44 * mm, leftPadding=0, rightPadding=0)
    document.addPageTemplates([PageTemplate(frames=[frame], onPage=partial(_furniture, title))])
    story: list[Flowable] = [Text(escape(title), TITLE), Spacer(0, 4), Text(escape(subtitle), SUBTITLE)]
    for block in body:
        story.extend(_flow(block))
    document.build(story)


def _furniture(title: str, canvas: Canvas, _document: BaseDocTemplate) -> None:
    canvas.saveState()
    canvas.setFillColor(TEAL)
    canvas.rect(0, A4[1] - 9 * mm, A4[0], 9 * mm, stroke=0, fill=1)
    canvas.setFont("Helvetica", 8)
    canvas.setFillColor(GREY)
    canvas.drawString(MARGIN, 11 * mm, f"Weirhaven Instruments, {title}")
    canvas.drawRightString(A4[0] - MARGIN, 11 * mm, f"Page {canvas.getPageNumber()}")
    canvas.restoreState()


def _flow(block: Block) -> list[Flowable]:
    match block:
        case Heading():
            return [OutlinedHeading(block)]
        case Bullet():
            return [Text(escape(block.text), ITEM, bulletText="•")]
        case Table():
            return [_grid(block), Spacer(0, 8)]
        case Paragraph() | Note():
            return [Text(escape(block.text), BODY)]


def _grid(table: Table) -> Grid:
    head, *rows = table.rows
    cells = [[Text(escape(cell), HEAD_CELL) for cell in head]]
    cells += [[Text(escape(cell), CELL) for cell in row] for row in rows]
    grid = Grid(cells, colWidths=_widths(table), repeatRows=1, hAlign="LEFT")
    grid.setStyle(
        [
            ("GRID", (0, 0), (-1, -1), 0.6, LINE),
            ("BACKGROUND", (0, 0), (-1, 0), PALE),
            ("VALIGN", (0, 0), (-1, -1), "TOP"),
            ("TOPPADDING", (0, 0), (-1, -1), 3),
            ("BOTTOMPADDING", (0, 0), (-1, -1), 4),
        ]
    )
    return grid


def _widths(table: Table) -> list[float]:
    """Columns share the page by their longest cell, but none is narrower than its longest word."""
    columns = list(zip(*table.rows, strict=True))
    wanted = [max(min(_measure(cell), 190.0) for cell in column) + 14 for column in columns]
    least = [max(_measure(word) for cell in column for word in cell.split() or [""]) + 14 for column in columns]
    spare = (WIDTH - sum(least)) / max(sum(wanted) - sum(least), 1)
    return [low + (high - low) * spare for low, high in zip(least, wanted, strict=True)]


def _measure(text: str) -> float:
    return float(stringWidth(text, "Helvetica-Bold", 8.5))
