"""Manuscripts as Word documents with built-in heading styles, a header line and page numbers."""

from pathlib import Path

from docx import Document
from docx.document import Document as WordDocument
from docx.oxml import OxmlElement
from docx.oxml.ns import qn
from docx.shared import Cm, Pt, RGBColor
from docx.text.paragraph import Paragraph as WordParagraph
from drawings import draw
from frozen import MOMENT
from manuscript import Block, Bullet, Heading, Note, Paragraph, Picture, Table, front

TEAL = RGBColor(0x0B, 0x55, 0x63)
SIZES = {"Title": 24, "Heading 1": 16, "Heading 2": 13, "Heading 3": 11}


def write(blocks: list[Block], target: Path) -> None:
    """Write a manuscript as a Word document."""
    title, subtitle, body = front(blocks)
    document = Document()
    _dress(document, title)
    document.add_paragraph(title, style="Title")
    document.add_paragraph(subtitle, style="Subtitle")
    for block in body:
        _add(document, block)
    document.save(str(target))


def _dress(document: WordDocument, title: str) -> None:
    properties = document.core_properties
    properties.title, properties.author, properties.comments = title, "Weirhaven Instruments B.V.", ""
    properties.created = properties.modified = MOMENT
    document.styles["Normal"].font.name = "Calibri"
    document.styles["Normal"].font.size = Pt(10.5)
    for name, size in SIZES.items():
        font = document.styles[name].font
        font.size, font.color.rgb = Pt(size), TEAL
    section = document.sections[0]
    section.page_width, section.page_height = Cm(21), Cm(29.7)
    section.left_margin = section.right_margin = Cm(2.3)
    section.header.paragraphs[0].text = f"Weirhaven Instruments, {title}"
    _page_number(section.footer.paragraphs[0])


def _page_number(paragraph: WordParagraph) -> None:
    paragraph.add_run("Page ")
    field = OxmlElement("w:fldSimple")
    field.set(qn("w:instr"), "PAGE")
    paragraph._p.append(field)  # noqa: SLF001 - python-docx has no public way to add a field


def _add(document: WordDocument, block: Block) -> None:
    match block:
        case Heading():
            document.add_heading(block.text, level=block.level - 1)
        case Bullet():
            document.add_paragraph(block.text, style="List Bullet")
        case Table():
            _table(document, block)
        case Picture():
            shape = document.add_picture(draw(block.name), width=Cm(15))
            shape._inline.docPr.set("descr", block.text)  # noqa: SLF001 - python-docx has no public way to describe it
        case Paragraph() | Note():
            document.add_paragraph(block.text)


def _table(document: WordDocument, table: Table) -> None:
    grid = document.add_table(rows=0, cols=len(table.rows[0]), style="Light Grid Accent 1")
    for row in table.rows:
        for cell, text in zip(grid.add_row().cells, row, strict=True):
            cell.text = text
            cell.paragraphs[0].paragraph_format.space_after = Pt(2)
    document.add_paragraph()
