"""Handler that marks invisible text: marked as hidden, in the colour of its background, or too small to read.

It also finds the mark of each run, since both depend on the same properties.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from groundwire_readers.readers.visibility import WHITE, Colour
from groundwire_readers.readers.word.appearance import PROPERTIES, RunAppearance
from groundwire_readers.readers.word.part_walk import OpenElement
from groundwire_readers.readers.word.styles import WordStyles
from groundwire_readers.readers.word.visibility.backgrounds import Backgrounds

_RUNS: Final = ("w:r", "m:r")
_TEXTS: Final = ("w:t", "m:t")
_SYMBOLS: Final = ("w:sym", "w16se:symEx")
"""Elements that are a single character of a symbol font."""
_VECTOR_SHAPES: Final = ("v:group", "v:shape", "v:rect", "v:roundrect", "v:oval")
_HIDEABLE_ELEMENTS: Final = ("w:tr", "w:drawing", *_VECTOR_SHAPES)
"""Elements that may be hidden as a whole."""
_HIDDEN: Final = ("1", "true")
_EFFECTS: Final = ("w14:textFill", "w14:textOutline")
_EFFECT_DEPTH: Final = 4
_TRUE_LETTERS: Final = ("t", "true")
_LENGTHS: Final = ("width", "height")
_MAX_CACHED: Final = 10_000
"""Maximum number of resolved appearances in the cache."""


@dataclass(slots=True)
class _Run:
    """An open run.

    Attributes:
        texts_before: number of texts of the part before it.
        paragraph_style, table_style, style: styles that apply to it.
        own: its direct properties.
        resolved: its appearance with that of its styles, a cache; None after each change.
        is_hidden_on_the_web: whether only web views hide it.
    """

    element: OpenElement
    texts_before: int
    paragraph_style: str
    table_style: str
    own: RunAppearance = field(default_factory=RunAppearance)
    style: str = ""
    resolved: RunAppearance | None = None
    is_hidden_on_the_web: bool = False


@dataclass(frozen=True, slots=True)
class _Holder:
    """An open element that may be hidden; `is_hidden_around_text`: also if it grows to the height of its text."""

    element: OpenElement
    texts_before: int
    is_hidden_around_text: bool


class HiddenText:
    """Handler of one part; `found` is whether any text is hidden, `shows_any` whether any is shown.

    Text that only web views hide, such as page numbers in a table of contents, is left out without being counted.
    """

    def __init__(self, styles: WordStyles, page_colour: Colour = WHITE) -> None:
        self.found = False
        self.shows_any = False
        self._styles = styles
        self._backgrounds = Backgrounds(styles, page_colour)
        self._texts = 0
        self._runs: list[_Run] = []
        self._holders: list[_Holder] = []
        self._appearances: dict[tuple[RunAppearance, str, str, str], RunAppearance] = {}

    def start(self, element: OpenElement) -> None:
        """Handle the start of an element."""
        self._backgrounds.start(element)
        parent = element.parent
        if element.tag in _RUNS:
            backgrounds = self._backgrounds
            self._runs.append(_Run(element, self._texts, backgrounds.paragraph_style, backgrounds.table_style))
        elif element.tag in _HIDEABLE_ELEMENTS:
            self._start_holder(element)
        elif element.tag == "v:textbox":
            self._start_text_box(element)
        elif parent is None or parent.parent is None:
            return
        elif self._runs and parent.tag == "w:rPr" and parent.parent is self._runs[-1].element:
            self._read_property(element, self._runs[-1])
        elif self._runs and parent.tag.startswith("w14:"):
            self._read_effect(element, self._runs[-1])
        elif (element.tag == "w:hidden" and parent.tag == "w:trPr" and element.is_on) or (
            element.tag == "wp:docPr" and element.attributes.get("hidden") in _HIDDEN
        ):
            parent.parent.is_hidden = True

    def _start_holder(self, element: OpenElement) -> None:
        style = _style_of(element) if element.tag in _VECTOR_SHAPES else {}
        element.is_hidden |= _is_hidden_shape(style, fits_text=False)
        self._holders.append(_Holder(element, self._texts, _is_hidden_shape(style, fits_text=True)))

    def _start_text_box(self, element: OpenElement) -> None:
        """Mark a shape as visible if it grows to the height of its text."""
        if self._holders and self._holders[-1].element is element.parent:
            holder = self._holders[-1]
            holder.element.is_hidden &= (
                holder.is_hidden_around_text or _style_of(element).get("mso-fit-shape-to-text") not in _TRUE_LETTERS
            )

    def _read_property(self, element: OpenElement, run: _Run) -> None:
        if element.tag == "w:rStyle":
            run.style = element.value
        elif element.tag == "w:webHidden":
            run.is_hidden_on_the_web = element.is_on
        elif element.tag in PROPERTIES:
            run.own = run.own.with_property(element.tag, lambda name: element.attributes.get(f"w:{name}", ""))
        run.resolved = None

    def _read_effect(self, element: OpenElement, run: _Run) -> None:
        """Read a property of the fill or the outline of the run's letters."""
        holder = element.parent
        for _ in range(_EFFECT_DEPTH):
            if holder is None or holder.tag in _EFFECTS:
                break
            holder = holder.parent
        if holder is None or holder.parent is None or holder.parent.parent is not run.element:
            return
        name = f"{holder.tag}/{element.tag.removeprefix('w14:')}"
        run.own, run.resolved = run.own.with_effect(name, element.attributes.get("w14:val", "")), None

    def text(self, data: str, element: OpenElement) -> None:
        """Handle text within an element."""
        if element.tag in _TEXTS and data.strip():
            self._read_text(element, data)

    def _read_text(self, element: OpenElement, data: str) -> None:
        self._texts += 1
        if self._runs and self._runs[-1].element is element.parent and not self._is_visible(self._runs[-1], data):
            self._runs[-1].element.is_hidden = element.is_hidden = self.found = True
        else:
            self.shows_any = True
            if self._runs and self._runs[-1].element is element.parent:
                element.mark = self._mark(self._runs[-1])

    def _mark(self, run: _Run) -> str:
        appearance = self._appearance(run)
        return appearance.mark_within(
            self._styles.appearance(RunAppearance(), "", run.paragraph_style, run.table_style)
        )

    def end(self, element: OpenElement) -> None:
        """Handle the end of an element."""
        if element.tag in _SYMBOLS:
            self._read_text(element, "")
        if element.is_hidden and element.tag in (*_TEXTS, *_SYMBOLS):
            element.is_left_out = True
        elif self._runs and self._runs[-1].element is element:
            self._end_run(self._runs.pop())
        elif self._holders and self._holders[-1].element is element:
            holder = self._holders.pop()
            if element.is_hidden:
                self._leave_out(element, holder.texts_before)
        self._backgrounds.end(element)

    def _end_run(self, run: _Run) -> None:
        """Leave out a hidden run with all its content; of visible runs, only invisible texts are left out."""
        if run.is_hidden_on_the_web:
            run.element.is_left_out = True
        elif self._appearance(run).is_hidden:
            run.element.is_hidden = True
            self._leave_out(run.element, run.texts_before)

    def _leave_out(self, element: OpenElement, texts_before: int) -> None:
        element.is_left_out = True
        self.found |= self._texts > texts_before

    def _is_visible(self, run: _Run, text: str) -> bool:
        return self._appearance(run).is_visible_on(self._backgrounds.current, text)

    def _appearance(self, run: _Run) -> RunAppearance:
        """Return the resolved properties of the run, cached: most runs have those of an earlier run."""
        if run.resolved is None:
            key = (run.own, run.style, run.paragraph_style, run.table_style)
            run.resolved = self._appearances.get(key) or self._styles.appearance(*key)
            if len(self._appearances) < _MAX_CACHED:
                self._appearances[key] = run.resolved
        return run.resolved


def _is_hidden_shape(style: Mapping[str, str], *, fits_text: bool) -> bool:
    """Return whether the style of a VML shape hides it: by visibility, or by a width or height of 0.

    A percentage of the page size overrides a length, and the height does not count for a shape that fits its text.
    """
    if style.get("visibility") == "hidden":
        return True
    lengths = ("width",) if fits_text else _LENGTHS
    return any(_is_zero(style.get(name, "1")) and _is_zero(style.get(f"mso-{name}-percent", "0")) for name in lengths)


def _style_of(element: OpenElement) -> dict[str, str]:
    parts = (part.partition(":") for part in element.attributes.get("style", "").split(";"))
    return {name.strip().lower(): value.strip().lower() for name, _, value in parts}


def _is_zero(length: str) -> bool:
    """Return whether a length such as "0", ".0pt" or "0%" is zero."""
    digits = length.rstrip("%abcdefghijklmnopqrstuvwxyz").lstrip("+-")
    return bool(digits) and not digits.strip("0.")
