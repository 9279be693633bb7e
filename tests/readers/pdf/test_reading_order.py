"""Lines come in the order in which a person reads them, and form the paragraphs that a person sees."""

from itertools import pairwise

import pytest

from groundwire_readers.contents.parsed import Block, BlockKind
from groundwire_readers.dispatch import read_document
from tests.readers.pdf.drawing import BOLD, FIXED, Page, drawn, filled, lines, text

LEFT = [f"left line {number} about boats that come in after dark," for number in range(1, 13)]
RIGHT = [f"right line {number} about cranes that are out of work," for number in range(1, 13)]


def read(*pages: Page | str) -> list[Block]:
    return list(read_document(drawn(pages), "pdf").blocks)


def texts(*pages: Page | str) -> list[str]:
    return [block.text for block in read(*pages)]


def test_columns_are_read_one_after_the_other_even_when_drawn_row_by_row() -> None:
    rows = "".join(
        text(60, 700 - 12 * row, left) + text(330, 700 - 12 * row, right)
        for row, (left, right) in enumerate(zip(LEFT, RIGHT, strict=True))
    )
    title = text(60, 740, "Of boats and cranes in the harbour, and of who pays for both of them at night", 14, BOLD)
    stated = " ".join(texts(rows + title))
    places = [stated.index(line) for line in [*LEFT, *RIGHT]]
    assert places == sorted(places)
    assert stated.startswith("Of boats and cranes")


@pytest.mark.parametrize(
    "places", [(40, 222, 404), (40, 178, 416), (40, 174, 308, 442)], ids=["three", "of unequal widths", "four"]
)
@pytest.mark.parametrize("title", ["", "Of boats and cranes in the harbour, and of who pays for all of them at night"])
def test_narrow_columns_are_read_one_after_the_other_although_drawn_row_by_row(
    places: tuple[int, ...], title: str
) -> None:
    size = 6
    widths = [(after - 14 - place) / size for place, after in pairwise((*places, 580))]
    columns = [
        [f"{'ABCD'[number]}{row} boats and cranes of the harbour pay it"[: int(width * 2.1)] for row in range(20)]
        for number, width in enumerate(widths)
    ]
    rows = "".join(
        text(place, 700 - 8 * row, column[row], size)
        for row in range(20)
        for place, column in zip(places, columns, strict=True)
    )
    stated = " ".join(texts(text(40, 740, title, 14, BOLD) + rows))
    starts = [stated.index(line.split()[0]) for column in columns for line in column]
    assert starts == sorted(starts)


def test_a_list_beside_a_paragraph_is_read_after_it() -> None:
    prose = [
        "The boats of the harbour come in after dark",
        "and pay their dues to the master of cranes",
        "so that the lamps and ropes are paid for by",
        "those who use them and not by the town.",
    ]
    items = ["• Boats", "• Cranes and ropes", "• Lamps", "• Fines"]
    assert texts(lines(60, 700, prose) + lines(400, 700, items)) == [" ".join(prose), *items]


def test_a_label_and_its_value_stay_on_one_line() -> None:
    form = text(72, 700, "Boat of the harbour:") + text(300, 700, "the Heron of Deventer")
    assert texts(form + text(72, 660, "It pays the tariff of the night.")) == [
        "Boat of the harbour: the Heron of Deventer",
        "It pays the tariff of the night.",
    ]


def test_lines_drawn_from_the_bottom_up_are_read_from_the_top() -> None:
    drawn_last = text(72, 700, "First the boats are counted by the harbour master.")
    assert texts(text(72, 500, "Then all of them pay the tariff.") + drawn_last) == [
        "First the boats are counted by the harbour master.",
        "Then all of them pay the tariff.",
    ]


@pytest.mark.parametrize("rotation", [0, 90, 180, 270])
def test_a_turned_page_is_read_like_an_upright_one(rotation: int) -> None:
    stream = lines(72, 700, ["Boats that come in after dark pay the tariff", "of the night and are led to the quay."])
    assert texts(Page(stream, rotation=rotation)) == [
        "Boats that come in after dark pay the tariff of the night and are led to the quay."
    ]


def test_text_that_is_set_upwards_on_an_upright_page_is_read() -> None:
    upwards = "BT /F1 10 Tf 0 1 -1 0 300 100 Tm (Boats pay the tariff) Tj 0 1 -1 0 312 100 Tm (of the night.) Tj ET "
    assert texts(upwards) == ["Boats pay the tariff of the night."]


def test_lines_of_a_paragraph_are_joined_and_a_line_with_room_left_ends_it() -> None:
    assert texts(
        lines(
            72,
            700,
            [
                "Boats that come in after dark pay the tariff of the night and are led to the",
                "outer quay.",
                "Cranes are out of work until the morning, and no boat is unloaded before the",
                "sun is up.",
            ],
        )
    ) == [
        "Boats that come in after dark pay the tariff of the night and are led to the outer quay.",
        "Cranes are out of work until the morning, and no boat is unloaded before the sun is up.",
    ]


def test_a_word_divided_at_the_end_of_a_line_is_whole_and_a_compound_keeps_its_hyphen() -> None:
    stated = texts(
        lines(
            72,
            700,
            [
                "The regulations of the harbour are long-term regulations, and every regu-",
                "lation has a number. Boats on long-term contracts are free, since a long-",
                "term contract is paid in advance.",
            ],
        )
    )
    assert "every regulation has a number" in stated[0]
    assert "since a long-term contract" in stated[0]


def test_a_paragraph_goes_on_over_the_page_break_and_has_the_page_of_its_first_line() -> None:
    first = lines(72, 100, ["Boats that come in after dark pay the tariff of the night and are always led to the"])
    blocks = read(first, lines(72, 700, ["outer quay by the harbour master.", "Cranes rest."]))
    assert [(block.page, block.text) for block in blocks] == [
        (
            1,
            (
                "Boats that come in after dark pay the tariff of the night and are always led to the outer quay by the "
                "harbour master."
            ),
        ),
        (2, "Cranes rest."),
    ]


def test_items_of_a_list_keep_their_marks_and_numbers_down_to_the_last() -> None:
    blocks = read(
        text(72, 720, "Each boat shows:")
        + lines(90, 700, ["1. its papers, which the harbour master stamps and hands back before the boat is led to"])
        + lines(104, 688, ["the outer quay;"])
        + lines(90, 676, ["2. its cargo;", "3. its flag."])
        + lines(90, 630, ["• a lamp", "• a bell"])
    )
    assert [block.text for block in blocks if block.kind is BlockKind.LIST_ITEM] == [
        "1. its papers, which the harbour master stamps and hands back before the boat is led to the outer quay;",
        "2. its cargo;",
        "3. its flag.",
        "• a lamp",
        "• a bell",
    ]


def test_lines_of_a_program_are_kept_with_their_indentation() -> None:
    program = lines(72, 650, ["for boat in harbour:"], font=FIXED) + lines(96, 638, ["pay(boat)"], font=FIXED)
    blocks = read(text(72, 700, "The tariff is collected by this program every night:") + program)
    assert blocks[-1] == Block(BlockKind.CODE, "for boat in harbour:\n    pay(boat)", page=1)


def test_names_in_a_fixed_font_at_the_end_of_a_sentence_belong_to_it() -> None:
    start = [
        "Every boat that comes in after dark writes its name into the book that lies on",
        "the quay, which is called",
    ]
    sentence = lines(72, 700, start) + text(72, 676, "harbour/book.", font=FIXED)
    assert texts(
        sentence + lines(72, 640, ["It is closed by the harbour master every night at ten, and opened again at"])
    ) == [
        f"{' '.join(start)} harbour/book.",
        "It is closed by the harbour master every night at ten, and opened again at",
    ]


def test_a_document_in_one_fixed_font_is_no_program() -> None:
    blocks = read(lines(72, 700, ["Boats pay the tariff of the night and are", "led to the outer quay."], font=FIXED))
    assert {block.kind for block in blocks} == {BlockKind.PARAGRAPH}


def test_a_letter_that_a_font_s_ligature_lacks_is_mended_where_the_document_has_the_word() -> None:
    stated = texts(
        text(72, 700, "The Office of the day is shut.") + text(72, 600, "The Offce of the night has offcuts.")
    )
    assert stated == ["The Office of the day is shut.", "The Office of the night has offcuts."]


def test_the_mark_of_a_note_is_no_letter_of_its_word_and_an_exponent_stays() -> None:
    marked = text(72, 700, "Vital Signs") + text(72 + 47.4, 704, "a", 6) + text(150, 700, "are taken.")
    assert texts(marked) == ["Vital Signs a are taken."]
    area = text(72, 660, "It has 40 m") + text(72 + 49.6, 664, "2", 6) + text(140, 660, "of floor.")
    assert "m²" in texts(area)[0]


@pytest.mark.parametrize(
    ("ends", "shown"),
    [
        (("the pump WX-", "4400 of the quay"), "the pump WX-4400 of the quay"),
        (("the valve AB-12-", "C of the quay"), "the valve AB-12-C of the quay"),
        (("the years 2024-", "2027 of the tariff"), "the years 2024-2027 of the tariff"),
        (("on 2025-11-", "03 at noon"), "on 2025-11-03 at noon"),
        (("call 030-", "1234567 at night"), "call 030-1234567 at night"),
        (("in /srv/drawings/", "pumps of the quay"), "in /srv/drawings/pumps of the quay"),
        (("at https://example.org/rules-", "and-forms/ today"), "at https://example.org/rules-and-forms/ today"),
        (("write to master@", "example.org today"), "write to master@example.org today"),
        (("the pre-", "and post-sale tariff"), "the pre- and post-sale tariff"),
        (("the 10-", "to 12-week tariff"), "the 10- to 12-week tariff"),
        (("die Vor-", "und Nachteile"), "die Vor- und Nachteile"),
        (("a non-", "binding tariff"), "a non-binding tariff"),
    ],
)
@pytest.mark.parametrize("before", ["", "Boats that come in after dark pay the tariff of the night and are led to"])
def test_what_a_line_end_divides_is_whole(ends: tuple[str, str], shown: str, before: str) -> None:
    stated = texts(lines(72, 700, [*filter(None, [before]), *ends]))
    assert stated == [f"{before} {shown}".strip()]


def test_a_paragraph_over_pages_knows_where_each_page_starts() -> None:
    rows = [
        "Boats that come in after dark pay the tariff of the night",
        "and are led to the quay by the master of the har-",
    ]
    pages = [lines(72, 100, rows), lines(72, 700, ["bour, who keeps the book of the tariff", "and signs it."])]
    [block] = read(*pages)
    assert [(number, part.split()[0]) for number, part in block.text_by_page()] == [(1, "Boats"), (2, "bour,")]


@pytest.mark.parametrize("shape", ["disc", "ring", "square"])
def test_items_with_drawn_bullets_are_items(shape: str) -> None:
    def bullet(x: float, y: float) -> str:
        curves = (
            f"{x} {y + 2} m {x} {y + 5} {x + 4} {y + 5} {x + 4} {y + 2} c {x + 4} {y - 1} {x} {y - 1} {x} {y + 2} c "
        )
        return {"disc": f"{curves} f\n", "ring": f"{curves} S\n", "square": filled(x, y + 1, 3.5, 3.5)}[shape]

    items = ["Sign the list", "Pay the fee of the", "Leave before noon"]
    drawing = "".join(
        bullet(72, 700 - 12 * number) + text(84, 700 - 12 * number, item) for number, item in enumerate(items)
    )
    assert texts(drawing) == [f"• {item}" for item in items]


def test_dots_of_a_drawing_are_no_bullets() -> None:
    page = text(72, 700, "The boats lie") + filled(134, 702, 3, 3) + text(140, 700, "at the quay over night")
    assert "•" not in " ".join(texts(page + filled(40, 702, 3, 3) + filled(60, 720, 3, 3)))


def test_a_paragraph_with_a_small_note_in_the_margin_is_whole() -> None:
    prose = [f"line {number} about boats that come in after dark and pay the fee," for number in range(1, 6)]
    note = text(40, 700, "Scope", 7)
    assert texts(note + lines(150, 700, prose)) == [f"Scope {' '.join(prose)}"]


def test_a_line_over_all_columns_stays_whole_where_its_spaces_meet_the_gutters() -> None:
    columns = "".join(
        text(place, 660 - 8 * row, f"{name}{row} boats and cranes of the harbour pay", 6, FIXED)
        for row in range(20)
        for place, name in ((40, "A"), (190, "B"), (340, "C"))
    )
    whole = "Boats and cranes and all else of the quay"
    assert texts(columns + text(38, 700, whole, 12, FIXED))[0] == whole
