"""Access to the elements of Word's parts, in either of the two namespaces of its versions."""

from collections.abc import Iterator
from typing import Final
from xml.etree.ElementTree import Element

WORD_NAMESPACES: Final = (
    "http://schemas.openxmlformats.org/wordprocessingml/2006/main ",
    "http://purl.oclc.org/ooxml/wordprocessingml/main ",
)
_DIGITS_MAX: Final = 6
_OFF: Final = ("0", "false", "off")


def number_of(text: str) -> int | None:
    """Return the number that an attribute gives; None when it gives none, or one out of reason."""
    return int(text) if text.isascii() and text.isdecimal() and len(text) <= _DIGITS_MAX else None


def word_children(element: Element, name: str) -> Iterator[Element]:
    """Yield the children of that name of Word's namespace."""
    tags = [namespace + name for namespace in WORD_NAMESPACES]
    return (child for child in element if child.tag in tags)


def word_attribute(element: Element, name: str) -> str:
    """Return the attribute of that name of Word's namespace; empty without it."""
    return next((found for space in WORD_NAMESPACES if (found := element.get(space + name)) is not None), "")


def word_value(element: Element, name: str) -> str:
    """Return the value of the child of that name; empty without it."""
    child = next(word_children(element, name), None)
    return "" if child is None else word_attribute(child, "val")


def is_switched_on(element: Element, name: str) -> bool:
    """Return whether there is a switch of that name that does not say that it is off."""
    child = next(word_children(element, name), None)
    return child is not None and word_attribute(child, "val").lower() not in _OFF
