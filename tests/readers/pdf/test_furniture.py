"""Running headers, footers and page numbers are out; text that happens to be at a page's edge is not."""

from collections.abc import Callable
from typing import Final

import pytest

from groundwire_readers.dispatch import read_document
from tests.readers.pdf.drawing import BOLD, drawn, lines, text

NAMES = ("boats", "cranes", "lamps", "ropes", "fines", "bells")


def body(name: str) -> str:
    return lines(
        72, 650, [f"About {name} the harbour's rules are long, and nobody has read all of them.", f"The {name} stay."]
    )


def texts(pages: list[str]) -> list[str]:
    return [block.text for block in read_document(drawn(pages), "pdf").blocks]


def in_turn(page: int) -> str:
    return text(72, 30, f"Harbour Rules {page}") if page % 2 else text(400, 30, f"{page} Harbour Rules")


EDGES: Final[dict[str, Callable[[int], str]]] = {
    "a header": lambda _: text(72, 760, "Harbour Rules, edition of the year 1912", 8),
    "a number": lambda page: text(300, 30, str(page)),
    "a number in dashes": lambda page: text(300, 30, f"- {page} -"),
    "a Roman numeral": lambda page: text(300, 30, ("i", "ii", "iii", "iv", "v", "vi")[page - 1]),
    "a page of pages": lambda page: text(300, 30, f"Page {page} of 6 of this paper"),
    "a large page of pages with a number": lambda page: text(72, 30, f"Page {page} of 6 of file CHI08", 14, BOLD),
    "a number of five digits": lambda page: text(72, 760, f"Harbour Register / Vol. 8 {47_699 + page}", 8),
    "sides in turn": in_turn,
    "chapters with a number": lambda page: text(72, 30, f"Chapter of the {NAMES[page - 1]} {page + 20}", 8),
}


IDENTIFYING: Final = {
    "a header": ["Harbour Rules, edition of the year 1912"],
    "a large page of pages with a number": ["of file CHI08"],
    "a number of five digits": ["Harbour Register / Vol. 8"],
}
"""The lines that hold a number of the document: each is read once."""


@pytest.mark.parametrize("name", EDGES)
def test_what_pages_have_at_their_edge_is_out(name: str) -> None:
    draw = EDGES[name]
    found = texts([draw(page) + body(each) for page, each in enumerate(NAMES, 1)])
    assert found == [*IDENTIFYING.get(name, ()), *texts([body(each) for each in NAMES])]


def test_a_page_label_of_a_short_document_is_out() -> None:
    assert texts([body("boats") + text(300, 30, "Page 1 of 1")]) == texts([body("boats")])


def test_headers_of_left_and_right_pages_of_a_short_document_are_out() -> None:
    heads = ("Harbour Rules", "Of the quays", "Harbour Rules", "Of the quays")
    pages = [text(72, 760, head, 9) + body(name) for head, name in zip(heads, NAMES, strict=False)]
    assert texts(pages) == texts([body(name) for name in NAMES[:4]])


def test_numbered_headings_at_the_top_of_pages_are_kept() -> None:
    pages = [text(72, 740, f"{number}.1. Purpose", 14, BOLD) + body(name) for number, name in enumerate(NAMES, 1)]
    assert [line for line in texts(pages) if "Purpose" in line] == [f"{number}.1. Purpose" for number in range(1, 7)]


def test_a_first_line_that_differs_on_each_page_is_kept() -> None:
    pages = [
        lines(72, 760, [f"At the quay of the {name} the rules differ for all who come in."]) + body(name)
        for name in NAMES
    ]
    assert sum("At the quay of the" in line for line in texts(pages)) == len(NAMES)


def test_a_large_title_that_all_pages_repeat_is_kept_once() -> None:
    assert texts([text(72, 740, "Harbour Rules", 20, BOLD) + body(name) for name in NAMES]).count("Harbour Rules") == 1


@pytest.mark.parametrize("words", ["Harbour Rules | Spring | {}", "{}", "- {} -"])
def test_a_footer_that_follows_the_text_at_any_height_is_out(words: str) -> None:
    names = ("Boats", "Cranes", "Piers", "Lights")
    bodies = [body(f"{name} of the harbour") for name in names]
    pages = [each + text(72, 400 - 90 * page, words.format(page + 1)) for page, each in enumerate(bodies)]
    assert texts(pages) == texts(bodies)


def test_a_last_line_that_is_another_number_is_kept() -> None:
    pages = [body(name) + text(72, 400, f"{1900 + 7 * page}") for page, name in enumerate(NAMES)]
    assert sum(found.isdigit() for found in texts(pages)) == len(NAMES)


def test_what_the_pages_of_a_form_have_in_common_is_kept() -> None:
    heads = [["Harbour Record", f"Keeper: {name.title()}", "Department: Quays"] for name in NAMES]
    pages = [
        lines(72, 760, head) + body(name) + text(300, 30, "Page 1 of 6")
        for head, name in zip(heads, NAMES, strict=True)
    ]
    found = " ".join(texts(pages))
    assert [found.count(line) for line in ("Harbour Record", "Department: Quays", "Page")] == [6, 6, 0]


def test_the_header_of_a_document_with_entries_is_read_once() -> None:
    pages = [
        lines(72, 760, ["Document: HR-7", "Version: 2", f"Page: {page} of 6", f"Printed: May {page}"], 8) + body(name)
        for page, name in enumerate(NAMES, 1)
    ]
    assert texts(pages) == ["Document: HR-7", "Version: 2", *texts([body(each) for each in NAMES])]


def test_a_typed_rule_at_the_edge_of_pages_cuts_no_sentence() -> None:
    beginning = text(72, 60, "The keeper of the harbour opens the gate in the morning and does not close")
    ending = text(72, 740, "it before the last of the boats that belong to members has come back.")
    rule = "_" * 80
    first, second = beginning + text(72, 40, rule), text(72, 760, rule) + ending
    assert any("does not close it before" in found for found in texts([body("boats") + first, second + body("cranes")]))


@pytest.mark.parametrize(
    "footer",
    [
        [(72, 30, "Minutes of the Board"), (480, 30, "Page {page}")],
        [(72, 30, "Minutes of the Board"), (300, 30, "Page {page} of 2")],
        [(72, 30, "Seite {page}"), (400, 30, "Protokoll des Rates")],
        [(72, 30, "Minutes of the Board"), (480, 30, "{page}")],
        [(72, 760, "Minutes of the Board"), (480, 760, "Page {page}")],
        [(72, 30, "Draft"), (250, 30, "Confidential"), (480, 30, "Page {page}/2")],
    ],
)
def test_a_row_with_the_page_number_of_two_pages_is_out(footer: list[tuple[int, int, str]]) -> None:
    first, second = ("".join(text(x, y, part.format(page=page), 9) for x, y, part in footer) for page in (1, 2))
    assert texts([body("boats") + first, body("cranes") + second]) == texts([body("boats"), body("cranes")])


PROSE: Final = "The office of the harbour answers each letter of a keeper in writing within a month."
EDGES_OF_TEXT: Final[dict[str, Callable[[int], str]]] = {
    "a paragraph with the same first line": lambda page: lines(
        72, 700, [PROSE[:60], f"{PROSE[61:]} The {NAMES[page - 1]} stay."]
    ),
    "a paragraph with the same last line": lambda page: lines(
        72, 60, [f"The {NAMES[page - 1]} stay. {PROSE[:40]}", PROSE[41:]]
    ),
    "the same sentence": lambda page: (
        text(72, 722, PROSE) + text(72, 702, f"The {NAMES[page - 1]} are in hall {page}.")
    ),
    "the same warning above a step": lambda page: (
        text(72, 722, PROSE) + text(72, 702, f"Step {page}", 11, BOLD) + text(72, 682, f"Take the {NAMES[page - 1]}.")
    ),
    "a heading with a number": lambda page: (
        text(72, 702, f"Step {page}", 11, BOLD) + text(72, 682, f"Take the {NAMES[page - 1]} out.")
    ),
}


@pytest.mark.parametrize("name", EDGES_OF_TEXT)
def test_text_that_pages_share_at_their_edge_is_read_on_each_page(name: str) -> None:
    draw = EDGES_OF_TEXT[name]
    alone = [" ".join(texts([draw(page)])) for page in range(1, 7)]
    found = [block.text for block in read_document(drawn([draw(page) for page in range(1, 7)]), "pdf").blocks]
    assert " ".join(found) == " ".join(alone)


def test_a_running_head_above_the_same_sentence_is_out() -> None:
    draw = EDGES_OF_TEXT["the same sentence"]
    head = text(72, 760, "Rules of the harbour", 8)
    pages = [draw(page) for page in range(1, 7)]
    assert texts([head + page for page in pages]) == texts(pages)
