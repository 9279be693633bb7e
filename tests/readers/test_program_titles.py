"""Titles of programs, templates, companies, authorities and forms name no document."""

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
    "Document1",
    "Microsoft Excel - figures",
    "Report Template v2",
    "harbour-20230701",
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


_COVER = "<p>Form 10-Q</p><p>For the quarterly period ended June 30, 2031</p><p>The quays were full.</p>"
_WHOLE = "Form 10-Q, quarterly period ended June 30, 2031"


@pytest.mark.parametrize("name", ["Hartwell Inc.", "HARTWELL, INC.", "Hartwell GmbH", "Hartwell Ltd and Subsidiaries"])
def test_form_and_period_complete_the_name_of_a_company(name: str) -> None:
    content = f"<title>{name}</title>{_COVER}".encode()
    assert read_document(content, "html").title == f"{name}, {_WHOLE}"


def test_the_company_on_the_cover_is_named_instead_of_an_authority_or_a_form() -> None:
    cover = f"<title>FORM 10-Q</title><h1>HARBOUR AND QUAYS COMMISSION</h1><p>Hartwell Inc.</p>{_COVER}"
    assert read_document(cover.encode(), "html").title == f"Hartwell Inc., {_WHOLE}"


def test_report_and_year_complete_a_name_in_every_format_with_a_title() -> None:
    words = "Annual report 2031. The quays were full."
    page = text(72, 700, "Hartwell AG", 24, BOLD) + lines(72, 500, [words])
    assert read_document(drawn([page]), "pdf").title == "Hartwell AG, Annual report, 2031"
    assert read_document(f"# Hartwell AG\n\n{words}".encode(), "md").title == "Hartwell AG, Annual report, 2031"
    assert read_document(f"Hartwell AG\n\n{words}".encode(), "txt").title == "Hartwell AG, Annual report, 2031"


@pytest.mark.parametrize("name", ["Hartwell Inc.", "Harbour Safety Board", "Ministry of Harbours", "Form 1040"])
def test_a_name_that_nothing_completes_is_no_title(name: str) -> None:
    assert read_document(f"<title>{name}</title><p>The quays were full.</p>".encode(), "html").title is None


@pytest.mark.parametrize("title", ["Working at Hartwell Inc", "Harbour Safety Board Rules", "Form 1040 for Harbours"])
def test_a_title_that_holds_a_name_is_kept(title: str) -> None:
    assert read_document(f"<title>{title}</title><p>The quays were full.</p>".encode(), "html").title == title
