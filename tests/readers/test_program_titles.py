"""Titles that programs write into files by themselves name no document."""

import pytest

from groundwire_readers.dispatch import read_document
from tests.readers.pdf.drawing import BOLD, drawn, lines, text

PROSE = "Boats that come in after dark pay the tariff of the night."
PAGE = text(72, 700, "Rules of the Harbour", 24, BOLD) + lines(72, 500, [PROSE, "They are led to the quay."])
PROGRAMS = [
    "Paper Title (use style: paper title)",
    "Preparation of Papers for IEEE TRANSACTIONS and JOURNALS",
    "Slide 1",
    "Folie 12",
    "Diapositive 1",
    "PowerPoint Presentation",
    "Microsoft Word - x.doc",
    "rules.docx",
    "rules.xlsm",
    "untitled",
    "(anonymous)",
]


def web_page(title: str) -> bytes:
    body = f"<h1>Rules of the Harbour</h1><p>{PROSE}</p>"
    return f"<html><head><title>{title}</title></head><body>{body}</body></html>".encode()


@pytest.mark.parametrize("title", PROGRAMS)
def test_the_first_heading_of_a_web_page_is_its_title_instead(title: str) -> None:
    assert read_document(web_page(title), "html").title == "Rules of the Harbour"


@pytest.mark.parametrize("title", PROGRAMS)
def test_the_largest_line_of_a_pdf_is_its_title_instead(title: str) -> None:
    stated = title.replace("(", r"\(").replace(")", r"\)")
    assert read_document(drawn([PAGE], title=stated), "pdf").title == "Rules of the Harbour"


@pytest.mark.parametrize(
    "title", ["Slide 1 of the Harbour", "Folies of the Night", "The rules.docx of 1912", "Paper Titles"]
)
def test_titles_that_only_begin_or_end_alike_are_kept(title: str) -> None:
    assert read_document(web_page(title), "html").title == title
