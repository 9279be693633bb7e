"""Stack of the open elements of a page, with which of them hide their content."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Final

from groundwire_readers.readers.html.css.appearance import Appearance, Declarations, has_no_area, hides_all
from groundwire_readers.readers.html.css.runs import DIVIDING, gaps_of, mark_of
from groundwire_readers.readers.html.css.selectors import Features, features_of
from groundwire_readers.readers.html.css.style_sheets import PageStyles
from groundwire_readers.readers.html.element_kinds import (
    BLOCK_ELEMENTS,
    HEAD_ELEMENTS,
    ended_name,
    ends_element,
    heading_level,
    implied_ends,
    is_never_text,
)
from groundwire_readers.readers.html.furniture import SECTIONS, Region, is_furniture, region_of

Attributes = Mapping[str, str | None]

_BOLD_ELEMENTS: Final = ("b", "strong")
_CODE_ELEMENTS: Final = ("code", "tt", "kbd", "samp")
_SIZES: Final = (10.0, 13.0, 16.0, 18.0, 24.0, 32.0, 48.0)
# HTML, 15.3.1: sizes of `font` as the keywords of CSS, whose factors are those of CSS Fonts 4, 2.5.1.
_FONT_SIZES: Final = {
    **dict(zip("1234567", _SIZES, strict=True)),
    **dict(zip(("-2", "-1", "+0", "+1", "+2", "+3", "+4"), _SIZES, strict=True)),
}
_INITIAL_FACTOR: Final = 1.5
"""Size of a large initial, which belongs to the word behind it, relative to the text around it."""
_QUOTES: Final = {"before": "open-quote", "after": "close-quote"}
_DEFAULT_APPEARANCE: Final = Appearance()


@dataclass(slots=True)
class PageElement:
    """An open element.

    Attributes:
        hides: whether its content is left out, for any reason.
        is_invisible: whether its style hides it.
        is_furniture: whether it is page furniture.
        address: target of a link.
        text_before: number of pieces of text in the open block before it.
        mark: mark of its text as a run; empty for ordinary text.
        level: level of a heading; 0 for other elements.
        divides: whether its style sets each of its children apart.
        gaps: what sets its text apart from that before and behind it, although it is inline by its name.
        behind: returns the text that its style puts behind its own, once that is read; None without any.
    """

    tag: str
    hides: bool = False
    is_invisible: bool = False
    is_furniture: bool = False
    address: str = ""
    text_before: int = 0
    appearance: Appearance = _DEFAULT_APPEARANCE
    mark: str = ""
    level: int = 0
    divides: bool = False
    gaps: tuple[str, str] = ("", "")
    region: Region = Region.NONE
    features: Features = frozenset()
    behind: Callable[[], str] | None = None


_BOXES: Final = frozenset({"select", "textarea", "option"})
"""Fields of forms, which browsers draw as boxes in the line, and the choices in them."""
_PAGE: Final = PageElement("")


class OpenElements:
    """Stack of open elements, the innermost last.

    Attributes:
        is_xml: whether the page is XML, in which no end tag is implied.
    """

    def __init__(self, styles: PageStyles, *, keeps_furniture: bool, is_xml: bool) -> None:
        self.is_xml = is_xml
        self._styles = styles
        self._keeps_furniture = keeps_furniture
        self._elements: list[PageElement] = []
        self._features: list[Features] = []
        self._hidden_depth = 0
        self._invisible_depth = 0
        self._furniture_depth = 0
        self._sections_open = 0

    @property
    def innermost(self) -> PageElement:
        """The innermost open element; one without a name if no element is open."""
        return self._elements[-1] if self._elements else _PAGE

    @property
    def is_in_title(self) -> bool:
        """True in the title of the page, not in that of a drawing."""
        return self.innermost.tag == "title" and "svg" not in self._tags()

    @property
    def is_hidden(self) -> bool:
        """True when text at this position is left out."""
        return self._hidden_depth > 0

    @property
    def is_hidden_by_style(self) -> bool:
        """True when only styles, or nothing, leave out text at this position."""
        return self._hidden_depth == self._invisible_depth

    @property
    def is_furniture(self) -> bool:
        """True when only page furniture, or nothing, leaves out text at this position."""
        return self._hidden_depth == self._furniture_depth

    def element(self, tag: str, attributes: Attributes, text_before: int) -> PageElement:
        """Return the element that a start tag begins, without opening it."""
        parent = self.innermost
        style = self.style_of(tag, attributes)
        leaves_out = not self._keeps_furniture and (tag == "nav" or is_furniture(tag, attributes))
        is_skipped = leaves_out or is_never_text(tag, attributes)
        is_invisible = not is_skipped and _is_invisible(attributes, style)
        appearance = self._styles.appearance_of(tag, attributes, style, _by_default(tag, attributes, parent.appearance))
        is_smaller = appearance.pixels < parent.appearance.pixels
        role = (attributes.get("role") or attributes.get("epub:type") or "").strip().lower()
        return PageElement(
            tag,
            is_skipped or is_invisible,
            is_invisible,
            leaves_out,
            attributes.get("href") or "",
            text_before,
            appearance,
            mark_of(tag, role, style, parent.mark, is_smaller=is_smaller),
            heading_level(tag, attributes),
            style.get("display", "") in DIVIDING,
            self._gaps(tag, style, appearance.pixels),
            region_of(tag, attributes, parent.region, is_in_section=self._sections_open > 0),
            features_of(tag, attributes),
        )

    def _gaps(self, tag: str, style: Declarations, pixels: float) -> tuple[str, str]:
        around = self.innermost
        if tag in BLOCK_ELEMENTS:
            return "", ""
        if around.divides or tag in _BOXES:
            return "\n", "\n"
        return gaps_of(style, is_initial=pixels >= _INITIAL_FACTOR * around.appearance.pixels)

    def hides(self, tag: str, attributes: Attributes) -> bool:
        """Return whether a void element, such as an image, is not displayed."""
        style = self.style_of(tag, attributes)
        is_skipped = is_never_text(tag, attributes) or is_furniture(tag, attributes)
        return is_skipped or _is_invisible(attributes, style) or has_no_area(style)

    def style_of(self, tag: str, attributes: Attributes) -> Declarations:
        """Return the declarations of an element that would start here."""
        return self._styles.style_of(tag, attributes, self._features)

    def generated_of(self, place: str, element: PageElement) -> Declarations:
        """Return what style sheets put "before", "after" or as "marker" of an element; nothing if they hide it.

        The element would start here.
        """
        rules = self._styles.generated.get(place)
        if element.hides or self.is_hidden:
            return {}
        generated: Declarations = {} if rules is None else rules.style_of(element.features, self._features)
        if element.tag == "q" and place in _QUOTES:  # by the default style sheet of HTML
            generated = {"content": _QUOTES[place], **generated}
        is_visible = element.appearance.inherited_with(generated).is_visible and not hides_all(generated)
        return generated if is_visible else {}

    def shows_field(self, tag: str, attributes: Attributes) -> bool:
        """Return whether the text of a form's field is visible."""
        appearance = self.innermost.appearance.inherited_with(self.style_of(tag, attributes))
        return appearance.is_visible and not self.hides(tag, attributes)

    def open(self, element: PageElement) -> None:
        """Open an element within the innermost one."""
        self._elements.append(element)
        self._features.append(element.features)
        self._count(element, 1)

    def ended_by_start(self, tag: str) -> Iterator[PageElement]:
        """Yield the open elements that a start tag implicitly ends, such as a list item, as they close."""
        if self.is_xml:
            return
        if tag not in HEAD_ELEMENTS:
            yield from self.end_head()
        for implied in implied_ends(tag):
            if (name := ended_name(implied, self._tags())) is not None:
                yield from self._closed_to(name)

    def ended_by_end(self, tag: str) -> Iterator[PageElement]:
        """Yield the innermost open element of that name, after its open descendants, as they close."""
        if ends_element(tag, self._tags()):
            yield from self._closed_to(tag)

    def end_head(self) -> Iterator[PageElement]:
        """Yield the page's head if it is the innermost element: displayed content ends it."""
        if self.innermost.tag == "head" and not self.is_xml:
            yield from self._closed_to("head")

    def _tags(self) -> Iterator[str]:
        return (element.tag for element in reversed(self._elements))

    def _closed_to(self, tag: str) -> Iterator[PageElement]:
        is_closed = False
        while not is_closed:
            element = self._elements[-1]
            self._count(element, -1)
            yield element
            # After the yield, since the caller needs the element as the innermost one.
            self._elements.pop()
            self._features.pop()
            is_closed = element.tag == tag

    def _count(self, element: PageElement, number: int) -> None:
        self._hidden_depth += number * element.hides
        self._invisible_depth += number * element.is_invisible
        self._furniture_depth += number * element.is_furniture
        self._sections_open += number * (element.tag in SECTIONS)


def _by_default(tag: str, attributes: Attributes, appearance: Appearance) -> Appearance:
    """Return the appearance in an element before the styles of the page apply."""
    if tag in _BOLD_ELEMENTS:
        return replace(appearance, is_bold=True)
    if tag in _CODE_ELEMENTS:
        return replace(appearance, is_monospaced=True)
    if tag == "big":
        return replace(appearance, pixels=1.2 * appearance.pixels)
    if tag == "font" and (size := (attributes.get("size") or "").strip()) in _FONT_SIZES:
        return replace(appearance, pixels=_FONT_SIZES[size])
    return appearance


def _is_invisible(attributes: Attributes, style: Declarations) -> bool:
    return "hidden" in attributes or "popover" in attributes or (bool(style) and hides_all(style))
