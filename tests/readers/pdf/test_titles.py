"""A PDF's title is the stated one if it is meaningful, else the first page's largest lines."""

import pytest

from groundwire_readers.dispatch import read_document
from tests.readers.pdf.drawing import BOLD, drawn, lines, text

PROSE = lines(72, 500, ["Boats that come in after dark pay the tariff of the night and are led to", "the outer quay."])
COVER = text(72, 780, "Form 10", 9) + lines(72, 700, ["Rules of the Harbour", "and its Quays"], 24, BOLD) + PROSE


def title(first_page: str, stated: str = "") -> str | None:
    return read_document(drawn([first_page, PROSE], title=stated), "pdf").title


def test_a_stated_title_of_words_is_taken() -> None:
    assert title(COVER, "The Tariff of the Night") == "The Tariff of the Night"


@pytest.mark.parametrize(
    "stated",
    [
        "",
        "0000320193-23-000077",
        "NARA2022",
        "rules.doc",
        "Microsoft PageWord - rules.docx",
        "untitled",
        "Print",
        "scan_004.pdf",
    ],
)
def test_else_the_first_page_s_largest_lines_are_the_title(stated: str) -> None:
    assert title(COVER, stated) == "Rules of the Harbour and its Quays"


@pytest.mark.parametrize(
    "line",
    ["Front cover", "SIGNATURE PAGE", "Contents", "FORM 10-Q", "Key", "NOTES:", "Legend", "Table 5-3", "Chart 5"],
)
def test_what_many_documents_have_on_their_first_page_is_no_title(line: str) -> None:
    assert title(text(72, 740, line, 30, BOLD) + COVER) == "Rules of the Harbour and its Quays"


def test_without_any_title_the_file_s_name_is_left_to_serve() -> None:
    assert title(PROSE) is None


def test_the_number_of_a_section_begins_no_title() -> None:
    assert title(text(72, 700, "5.1 Tariff of the night", 14, BOLD) + PROSE) is None


def test_the_line_at_the_top_is_the_title_where_sections_have_the_largest_font() -> None:
    sections = "".join(
        text(72, 600 - 100 * row, f"Section of {name}", 14, BOLD) + text(72, 580 - 100 * row, f"All {name} pay.")
        for row, name in enumerate(("boats", "cranes", "lamps"))
    )
    assert (
        title(text(72, 700, "The Rules of the Harbour", 12, BOLD) + text(72, 680, "They are old.") + sections)
        == "The Rules of the Harbour"
    )


@pytest.mark.parametrize("label", ["CHAPTER 1", "Appendix A", "Part IV."])
@pytest.mark.parametrize("size", [24, 30])
def test_the_number_of_a_chapter_is_no_title_without_its_name(label: str, size: int) -> None:
    page = text(72, 700, label, size, BOLD) + text(72, 650, "Boats and Quays", 24, BOLD) + PROSE
    assert title(page) == f"{label} Boats and Quays"


def test_a_title_that_goes_on_near_by_in_another_weight_is_one() -> None:
    page = text(72, 700, "Rules of the Harbour: Tariffs of", 16) + text(72, 680, "Boats and Quays by Night", 16, BOLD)
    assert title(page + PROSE) == "Rules of the Harbour: Tariffs of Boats and Quays by Night"


def test_a_title_that_goes_on_in_small_letters_may_have_room_between() -> None:
    page = text(72, 700, "Rules of the Harbour", 24, BOLD) + text(72, 640, "and of its Quays", 24, BOLD)
    assert title(page + PROSE) == "Rules of the Harbour and of its Quays"
