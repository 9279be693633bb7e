"""Manuscripts as slides: one for each heading of level 2, with speaker notes."""

from collections.abc import Iterable
from itertools import takewhile
from pathlib import Path

from drawings import draw
from frozen import MOMENT
from manuscript import Block, Bullet, Note, Part, Picture, Table, front, parts
from pptx import Presentation
from pptx.dml.color import RGBColor
from pptx.enum.shapes import MSO_SHAPE
from pptx.enum.text import PP_ALIGN
from pptx.presentation import Presentation as Deck
from pptx.slide import Slide
from pptx.text.text import TextFrame
from pptx.util import Inches, Pt

TEAL, DARK = RGBColor(0x0B, 0x55, 0x63), RGBColor(0x1D, 0x2B, 0x33)
PALE, WHITE = RGBColor(0xE4, 0xF0, 0xF2), RGBColor(0xFF, 0xFF, 0xFF)
COVER, TITLE_AND_BODY, TITLE_ONLY = 0, 1, 5


def write(blocks: list[Block], target: Path) -> None:
    """Write a manuscript as a 16:9 presentation."""
    title, subtitle, body = front(blocks)
    deck = Presentation()
    deck.slide_width, deck.slide_height = Inches(13.333), Inches(7.5)
    properties = deck.core_properties
    properties.title, properties.author = title, "Weirhaven Instruments B.V."
    properties.created = properties.modified = MOMENT
    opening = list(takewhile(lambda block: isinstance(block, Note), body))
    _cover(deck, title, subtitle, opening)
    for part in parts(body[len(opening) :]):
        _slide(deck, part)
    deck.save(str(target))


def _cover(deck: Deck, title: str, subtitle: str, opening: list[Block]) -> None:
    slide = deck.slides.add_slide(deck.slide_layouts[COVER])
    slide.background.fill.solid()
    slide.background.fill.fore_color.rgb = TEAL
    _place_title(slide, title, top=2.4, size=44, color=WHITE)
    body = slide.placeholders[1]
    body.left, body.top, body.width, body.height = Inches(0.9), Inches(3.8), Inches(11.5), Inches(1)
    _line(body.text_frame, subtitle, size=20, color=WHITE, first=True)
    body.text_frame.paragraphs[0].alignment = PP_ALIGN.LEFT
    _notes(slide, opening)


def _slide(deck: Deck, part: Part) -> None:
    table = next((block for block in part.blocks if isinstance(block, Table)), None)
    slide = deck.slides.add_slide(deck.slide_layouts[TITLE_ONLY if table else TITLE_AND_BODY])
    bar = slide.shapes.add_shape(MSO_SHAPE.RECTANGLE, 0, 0, Inches(0.28), Inches(7.5))
    bar.fill.solid()
    bar.fill.fore_color.rgb = TEAL
    bar.line.fill.background()
    _place_title(slide, part.title, top=0.45, size=32, color=TEAL)
    if table:
        _table(slide, table)
        _picture(slide, part.blocks)
    else:
        _bullets(slide, [block.text for block in part.blocks if isinstance(block, Bullet)])
    _notes(slide, part.blocks)


def _picture(slide: Slide, blocks: Iterable[Block]) -> None:
    for block in blocks:
        if isinstance(block, Picture):
            shape = slide.shapes.add_picture(draw(block.name), Inches(8.9), Inches(5.5), height=Inches(1.9))
            shape._element.nvPicPr.cNvPr.set("descr", block.text)  # noqa: SLF001 - python-pptx has no public way


def _notes(slide: Slide, blocks: Iterable[Block]) -> None:
    notes = " ".join(block.text for block in blocks if isinstance(block, Note))
    slide.notes_slide.notes_text_frame.text = notes


def _place_title(slide: Slide, text: str, *, top: float, size: int, color: RGBColor) -> None:
    title = slide.shapes.title
    title.left, title.top, title.width, title.height = Inches(0.9), Inches(top), Inches(11.5), Inches(1)
    _line(title.text_frame, text, size=size, color=color, first=True)


def _line(frame: TextFrame, text: str, *, size: int, color: RGBColor, first: bool) -> None:
    paragraph = frame.paragraphs[0] if first else frame.add_paragraph()
    run = paragraph.add_run()
    run.text, run.font.size, run.font.color.rgb = text, Pt(size), color
    paragraph.space_after = Pt(12)
    if first and size > 20:
        run.font.bold = True
        paragraph.alignment = PP_ALIGN.LEFT


def _bullets(slide: Slide, texts: list[str]) -> None:
    body = slide.placeholders[1]
    body.left, body.top, body.width, body.height = Inches(0.9), Inches(1.7), Inches(11.5), Inches(5)
    for number, text in enumerate(texts):
        _line(body.text_frame, text, size=20, color=DARK, first=number == 0)


def _table(slide: Slide, table: Table) -> None:
    size = (Inches(0.9), Inches(1.8), Inches(11.5), Inches(0.6 * len(table.rows)))
    grid = slide.shapes.add_table(len(table.rows), len(table.rows[0]), *size).table
    for number, row in enumerate(table.rows):
        for cell, text in zip(grid.rows[number].cells, row, strict=True):
            cell.text = text
            cell.fill.solid()
            cell.fill.fore_color.rgb = TEAL if number == 0 else (PALE if number % 2 else WHITE)
            font = cell.text_frame.paragraphs[0].runs[0].font
            font.size, font.color.rgb = Pt(17), WHITE if number == 0 else DARK
