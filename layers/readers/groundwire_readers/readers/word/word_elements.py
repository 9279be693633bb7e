"""Access to elements and attributes of Word parts in either namespace: transitional or strict (ISO/IEC 29500)."""

from collections.abc import Iterator
from typing import Final
from xml.etree.ElementTree import Element

WORD_NAMESPACES: Final = (
    "http://schemas.openxmlformats.org/wordprocessingml/2006/main ",
    "http://purl.oclc.org/ooxml/wordprocessingml/main ",
)
_MAX_DIGITS: Final = 6
_FALSE_VALUES: Final = ("0", "false", "off")


def number_of(text: str) -> int | None:
    """Return the number of an attribute; None if it is no number, or too large."""
    return int(text) if text.isascii() and text.isdecimal() and len(text) <= _MAX_DIGITS else None


def word_children(element: Element, name: str) -> Iterator[Element]:
    """Yield the children with this name in Word's namespaces."""
    tags = [namespace + name for namespace in WORD_NAMESPACES]
    return (child for child in element if child.tag in tags)


def word_attribute(element: Element, name: str) -> str:
    """Return the attribute with this name in Word's namespaces; empty without it."""
    return next((found for space in WORD_NAMESPACES if (found := element.get(space + name)) is not None), "")


def word_value(element: Element, name: str) -> str:
    """Return the `val` attribute of the child with this name; empty without it."""
    child = next(word_children(element, name), None)
    return "" if child is None else word_attribute(child, "val")


def is_switched_on(element: Element, name: str) -> bool:
    """Return whether a toggle property of this name is present and not turned off."""
    child = next(word_children(element, name), None)
    return child is not None and word_attribute(child, "val").lower() not in _FALSE_VALUES
