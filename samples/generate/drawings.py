"""Pictures of the documents, drawn in code: diagrams and a chart, as PNG."""

from collections.abc import Callable, Sequence
from io import BytesIO

from PIL import Image, ImageDraw, ImageFont

TEAL, PALE, LINE, DARK, WHITE = "#0b5563", "#e4f0f2", "#b7c7cc", "#1d2b33", "#ffffff"
WIRES = (
    ("Brown", "Supply, 9 to 28 V", "1", "#8b5a2b"),
    ("Blue", "Ground", "2", "#2a5db0"),
    ("Yellow", "SDI-12 data", "3", "#d9a400"),
    ("Green", "Heater, H variants", "5", "#3b8c3b"),
    ("Shield", "Earth at one end", "6", "#7d8a90"),
)
CLAIM = (
    ("On the day", "photograph the receipt\nin Tidebook"),
    ("Within 30 days", "submit the claim"),
    ("By Wednesday noon", "it is in this week's run"),
    ("Friday of next week", "the money is paid"),
)
WEEKS = (("Sandpiper 200", 4, 4), ("Sandpiper 400", 6, 11), ("Dipper F3", 6, 7), ("Plover", 8, 9), ("Heron H2", 3, 2))


def draw(name: str) -> BytesIO:
    """The picture of this name."""
    content = BytesIO()
    DRAWINGS[name]().save(content, "PNG", optimize=True)
    content.seek(0)
    return content


def _wiring() -> Image.Image:
    """Sensor, wires and terminals of the logger."""
    image, pen = _canvas(1000, 520)
    _box(pen, (40, 90, 280, 470), "Sensor", fill=PALE)
    _box(pen, (720, 90, 960, 470), "Heron logger", fill=PALE)
    for number, (color, signal, terminal, ink) in enumerate(WIRES):
        height = 160 + 62 * number
        pen.line((280, height, 720, height), fill=ink, width=6)
        _text(pen, (500, height - 24), f"{color}: {signal}", size=20)
        pen.ellipse((730, height - 16, 762, height + 16), fill=WHITE, outline=ink, width=4)
        _text(pen, (746, height), terminal, size=20)
    _text(pen, (500, 40), "Wiring of a station", size=30, fill=TEAL)
    return image


def _claim() -> Image.Image:
    """Steps from the receipt to the money, in a row."""
    image, pen = _canvas(1160, 300)
    _text(pen, (580, 40), "From receipt to money", size=30, fill=TEAL)
    for number, (when, what) in enumerate(CLAIM):
        left = 30 + 285 * number
        _box(pen, (left, 100, left + 245, 250), when, fill=PALE)
        _text(pen, (left + 122, 195), what, size=20)
        if number:
            pen.polygon([(left - 32, 160), (left - 8, 175), (left - 32, 190)], fill=TEAL)
    return image


def _delivery() -> Image.Image:
    """Weeks of delivery by product: price list and promise."""
    image, pen = _canvas(1000, 520)
    _text(pen, (500, 36), "Weeks until delivery, December 2026", size=30, fill=TEAL)
    for mark, (label, fill) in enumerate((("price list", LINE), ("promise", TEAL))):
        pen.rectangle((380 + 190 * mark, 70, 400 + 190 * mark, 90), fill=fill)
        _text(pen, (410 + 190 * mark, 80), label, size=20, anchor="lm")
    for number, (product, listed, promised) in enumerate(WEEKS):
        top = 120 + 78 * number
        _text(pen, (230, top + 26), product, size=22, anchor="rm")
        for half, (weeks, fill) in enumerate(((listed, LINE), (promised, TEAL))):
            upper = top + 26 * half
            pen.rectangle((250, upper, 250 + 58 * weeks, upper + 22), fill=fill)
            _text(pen, (262 + 58 * weeks, upper + 11), str(weeks), size=18, anchor="lm")
    return image


DRAWINGS: dict[str, Callable[[], Image.Image]] = {"wiring": _wiring, "claim": _claim, "delivery": _delivery}


def _canvas(width: int, height: int) -> tuple[Image.Image, ImageDraw.ImageDraw]:
    image = Image.new("RGB", (width, height), WHITE)
    return image, ImageDraw.Draw(image)


def _box(pen: ImageDraw.ImageDraw, corners: Sequence[int], title: str, *, fill: str) -> None:
    left, top, right, bottom = corners
    pen.rounded_rectangle((left, top, right, bottom), radius=14, fill=fill, outline=TEAL, width=3)
    _text(pen, ((left + right) // 2, top + 32), title, size=22, fill=TEAL)


def _text(
    pen: ImageDraw.ImageDraw, place: tuple[int, int], text: str, *, size: int, fill: str = DARK, anchor: str = "mm"
) -> None:
    font = ImageFont.load_default(size)
    if "\n" in text:
        pen.multiline_text(place, text, fill=fill, font=font, anchor=anchor, align="center")
    else:
        pen.text(place, text, fill=fill, font=font, anchor=anchor)
