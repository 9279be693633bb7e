"""Values of form fields and text typed on a page are read at their places; what nobody sees of them is not."""

import pytest

from groundwire_readers import WorkerParser
from groundwire_readers.contents.parsed import ReadingDefect
from groundwire_readers.dispatch import read_document
from groundwire_readers.readers.pdf.page_content import HiddenReason
from groundwire_readers.readers.pdf.pages.pdf_file import open_pdf
from tests.readers.pdf.drawing import text
from tests.support.documents.pdf import assembled

LABELS = (
    text(72, 700, "Name of the ship:") + text(72, 680, "Paid at the quay:") + text(72, 660, "Receipt of the master.")
)
RECTANGLE = "/Rect [160 696 400 712]"
TEXT_FIELD = f"/Subtype /Widget /FT /Tx /T (ship) {RECTANGLE} /DA (/F1 10 Tf 0 g)"

BOX = "/Subtype /Widget /FT /Btn /T (paid) /Rect [160 676 172 688]"


GHOSTS = "q 1 1 1 rg 0 0 240 16 re f Q BT /F1 10 Tf 1 1 1 rg 2 4 Td (Ship of ghosts) Tj ET"


def form(*annotations: str, stream: str = LABELS, root: str = "", drawing: str = GHOSTS) -> bytes:
    """A PDF of one page with these annotations, all of them fields of its form; object 6 draws `drawing`."""
    first = 8
    numbers = " ".join(f"{first + place} 0 R" for place in range(len(annotations)))
    cross = "0 0 m 12 12 l 0 12 m 12 0 l S"
    objects = [
        f"<< /Type /Catalog /Pages 2 0 R /AcroForm << /Fields [{numbers}] /DA (/F1 10 Tf 0 g) >> {root} >>",
        "<< /Type /Pages /Count 1 /Kids [3 0 R] >>",
        (
            "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Resources << /Font << /F1 4 0 R >> >> "
            f"/Contents 5 0 R /Annots [{numbers}] >>"
        ),
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
        f"<< /Length {len(stream)} >>\nstream\n{stream}\nendstream",
        (
            "<< /Type /XObject /Subtype /Form /BBox [0 0 240 16] /Resources << /Font << /F1 4 0 R >> >> "
            f"/Length {len(drawing)} >>\nstream\n{drawing}\nendstream"
        ),
        (f"<< /Type /XObject /Subtype /Form /BBox [0 0 12 12] /Length {len(cross)} >>\nstream\n{cross}\nendstream"),
    ]
    return assembled([each.encode("cp1252") for each in (*objects, *(f"<< /Type /Annot {a} >>" for a in annotations))])


def lines_of(content: bytes) -> list[str]:
    return [line for block in read_document(content, "pdf").blocks for line in block.text.splitlines()]


SHOWN = {
    "a text field": (f"{TEXT_FIELD} /V (Andromeda)", "Name of the ship: Andromeda"),
    "a text field whose size is that of its height": (
        f"/Subtype /Widget /FT /Tx /T (ship) {RECTANGLE} /DA (/F1 0 Tf 0 g) /V (Andromeda)",
        "Name of the ship: Andromeda",
    ),
    "a combo box, by the label of its value": (
        f"/Subtype /Widget /FT /Ch /Ff 131072 /T (ship) {RECTANGLE} /Opt [[(a) (Andromeda)] [(b) (Bellona)]] /V (b)",
        "Name of the ship: Bellona",
    ),
    "a list box": (
        f"/Subtype /Widget /FT /Ch /T (ship) {RECTANGLE} /Opt [(Andromeda) (Bellona)] /V (Bellona)",
        "Name of the ship: Bellona",
    ),
    "a box that is checked": (
        f"{BOX} /AS /Yes /V /Yes /AP << /N << /Yes 7 0 R /Off 7 0 R >> >>",
        "Paid at the quay: [x]",
    ),
    "typed text": (
        f"/Subtype /FreeText {RECTANGLE} /DA (/F1 10 Tf 0 g) /Contents (Andromeda)",
        "Name of the ship: Andromeda",
    ),
}


@pytest.mark.parametrize("name", SHOWN)
def test_what_a_field_shows_is_read_beside_its_label(name: str) -> None:
    annotation, line = SHOWN[name]
    assert any(line in each for each in lines_of(form(annotation)))


def test_a_field_of_several_lines_is_read_in_its_lines() -> None:
    value = "Andromeda sails at night.\\nShe pays at the quay, and her master keeps the receipt of the tariff."
    field = f"/Subtype /Widget /FT /Tx /Ff 4096 /T (ship) /Rect [72 400 272 640] /DA (/F1 10 Tf 0 g) /V ({value})"
    text_read = " ".join(" ".join(lines_of(form(field))).split())
    assert (
        "Andromeda sails at night. She pays at the quay, and her master keeps the receipt of the tariff." in text_read
    )


LEFT_OUT = {
    "an invisible field": f"{TEXT_FIELD} /F 1 /V (Andromeda)",
    "a hidden field": f"{TEXT_FIELD} /F 2 /V (Andromeda)",
    "a field that is not viewed": f"{TEXT_FIELD} /F 32 /V (Andromeda)",
    "a password": f"{TEXT_FIELD} /Ff 8192 /V (Andromeda)",
    "a box that is not checked": f"{BOX} /AS /Off /V /Off /AP << /N << /Yes 7 0 R /Off 7 0 R >> >>",
    "a comment": f"/Subtype /Text {RECTANGLE} /Contents (Andromeda)",
}


@pytest.mark.parametrize("name", LEFT_OUT)
def test_what_no_viewer_shows_is_not_read(name: str) -> None:
    content = form(LEFT_OUT[name])
    assert ("Andromeda" in " ".join(lines_of(content)), "[x]" in " ".join(lines_of(content))) == (False, False)
    assert read_document(content, "pdf").defects == {}


HIDDEN = {
    "white text": (
        f"/Subtype /FreeText {RECTANGLE} /DA (1 1 1 rg /F1 10 Tf) /Contents (Andromeda)",
        HiddenReason.SAME_COLOUR,
    ),
    "white text of a field": (f"{TEXT_FIELD[:-5]} 1 g) /V (Andromeda)", HiddenReason.SAME_COLOUR),
    "tiny text": (f"/Subtype /FreeText {RECTANGLE} /DA (/F1 1 Tf 0 g) /Contents (Andromeda)", HiddenReason.TINY),
    "text off the page": ("/Subtype /FreeText /Rect [-300 0 -100 20] /Contents (Andromeda)", HiddenReason.OFF_PAGE),
    "white text in inks": (
        f"/Subtype /FreeText {RECTANGLE} /DA (0 0 0 0 k /F1 10 Tf) /Contents (Andromeda)",
        HiddenReason.SAME_COLOUR,
    ),
    "text whose last colour is white": (
        f"/Subtype /FreeText {RECTANGLE} /DA (0 g /F1 10 Tf 1 g) /Contents (Andromeda)",
        HiddenReason.SAME_COLOUR,
    ),
    "text whose last size is tiny": (
        f"/Subtype /FreeText {RECTANGLE} /DA (/F1 10 Tf /F1 0.1 Tf) /Contents (Andromeda)",
        HiddenReason.TINY,
    ),
    "text in a rectangle lower than a letter": (
        "/Subtype /FreeText /Rect [160 700 260 700.1] /DA (/F1 10 Tf 0 g) /Contents (Andromeda)",
        HiddenReason.TINY,
    ),
    "transparent text": (
        f"/Subtype /FreeText {RECTANGLE} /CA 0 /DA (/F1 10 Tf 0 g) /Contents (Andromeda)",
        HiddenReason.INVISIBLE,
    ),
}


@pytest.mark.parametrize("name", HIDDEN)
def test_text_of_annotations_that_a_person_cannot_see_is_left_out_and_counted(name: str) -> None:
    annotation, reason = HIDDEN[name]
    content = form(annotation)
    document = read_document(content, "pdf")
    assert "Andromeda" not in " ".join(block.text for block in document.blocks)
    assert document.defects == {ReadingDefect.HIDDEN_TEXT: 1}
    with open_pdf(content) as pdf:
        assert pdf is not None
        assert [dict(page.hidden) for page in pdf.pages()] == [{reason: 1}]


DRAWN = {
    "text that its appearance draws": ("BT /F1 10 Tf 2 4 Td (Bellona) Tj ET", "Name of the ship: Bellona", {}),
    "an appearance of white text on white": (GHOSTS, "Name of the ship:", {HiddenReason.SAME_COLOUR: 3}),
    "an appearance that draws nothing": (" ", "Name of the ship:", {}),
    "an appearance of lines alone": ("0 0 m 3 3 l S", "Name of the ship:", {}),
    "invisible text after a visible sign": (
        "BT /F1 10 Tf 2 4 Td (.) Tj 3 Tr (Andromeda) Tj ET",
        "Name of the ship: .",
        {HiddenReason.INVISIBLE: 1},
    ),
    "text that its appearance draws off the page": (
        "BT /F1 10 Tf 900 900 Td (Andromeda) Tj ET",
        "Name of the ship:",
        {HiddenReason.OFF_PAGE: 1},
    ),
}


@pytest.mark.parametrize("name", DRAWN)
@pytest.mark.parametrize(
    "start", [f"{TEXT_FIELD} /V (Andromeda)", f"/Subtype /FreeText {RECTANGLE} /Contents (Andromeda)"]
)
def test_what_an_appearance_draws_is_read_and_never_the_value_behind_it(start: str, name: str) -> None:
    drawing, line, hidden = DRAWN[name]
    content = form(f"{start} /AP << /N 6 0 R >>", drawing=drawing)
    read = lines_of(content)
    assert ("Andromeda" in " ".join(read), any(line in each for each in read)) == (False, True)
    with open_pdf(content) as pdf:
        assert pdf is not None
        assert [dict(page.hidden) for page in pdf.pages()] == [hidden]


def test_a_value_that_the_page_itself_draws_is_read_once() -> None:
    flattened = form(f"{TEXT_FIELD} /V (Andromeda of Ithaca)", stream=LABELS + text(162, 700, "Andromeda of Ithaca"))
    assert " ".join(lines_of(flattened)).count("Andromeda") == 1


def test_no_script_of_a_document_changes_a_value() -> None:
    script = "/S /JavaScript /JS (this.getField\\('ship'\\).value = 'Bellona';)"
    field = f"{TEXT_FIELD} /V (Andromeda) /AA << /C << {script} >> /F << {script} >> >>"
    content = form(field, root=f"/OpenAction << {script} >> /Names << /JavaScript << /Names [(a) << {script} >>] >> >>")
    read = " ".join(lines_of(content))
    assert ("Andromeda" in read, "Bellona" in read) == (True, False)


def test_a_page_of_thousands_of_fields_and_words_is_read(parser: WorkerParser) -> None:
    words = "".join(text(20 + place % 100 * 5, 780 - place // 100 * 4, f"w{place}", 6) for place in range(10_000))
    fields = [
        f"/Subtype /Widget /FT /Tx /T (f{number}) {RECTANGLE} /DA (/F1 10 Tf 0 g) /V (Andromeda)"
        for number in range(2_500)
    ]
    document = parser.parse(form(*fields, stream=words), "pdf")
    assert sum(block.text.count("Andromeda") for block in document.blocks) >= 1


BOX_STATES = "/AP << /N << /Yes 7 0 R /Off 7 0 R >> >>"


def box(x: int, y: int, name: str, *, is_checked: bool) -> str:
    state = "Yes" if is_checked else "Off"
    return (
        f"/Subtype /Widget /FT /Btn /T ({name}) /Rect [{x} {y} {x + 12} {y + 12}] /AS /{state} /V /{state} {BOX_STATES}"
    )


def test_boxes_are_beside_their_labels_and_those_that_are_not_checked_are_shown() -> None:
    labels = ("Lamp", "Bell of the ship", "Flag")
    below = "".join(text(90, 700 - 20 * row, label) for row, label in enumerate(labels))
    beside = "".join(text(90 + 80 * place, 600, label) for place, label in enumerate(("red", "green", "blue")))
    boxes = [box(72, 698 - 20 * row, f"a{row}", is_checked=row != 1) for row in range(3)]
    boxes += [box(72 + 80 * place, 598, f"b{place}", is_checked=place == 1) for place in range(3)]
    assert lines_of(form(*boxes, stream=below + beside)) == [
        "[x] Lamp",
        "[ ] Bell of the ship",
        "[x] Flag",
        "[ ] red [x] green [ ] blue",
    ]
