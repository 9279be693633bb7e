"""Collection of an equation that is being read, as LaTeX within its sentence."""

from typing import Final
from xml.etree.ElementTree import Element

from groundwire_readers.readers.word.equations.latex import latex_of
from groundwire_readers.readers.word.part_walk import OpenElement

_EQUATION: Final = "m:oMath"
_DISPLAYED: Final = "m:oMathPara"
_RUNS: Final = ("m:r", "w:r")
_TEXTS: Final = ("m:t", "w:t")


class OpenEquation:
    """An equation whose end has not been read: `$…$` for one in a sentence, `$$…$$` for a displayed one.

    Attributes:
        element: its outermost element.
    """

    def __init__(self, element: OpenElement) -> None:
        self.element = element
        self._nodes: list[Element] = []
        self._text: list[str] = []

    @staticmethod
    def starts_at(element: OpenElement) -> bool:
        """Return whether an element is an equation."""
        return element.tag in (_EQUATION, _DISPLAYED)

    def start(self, element: OpenElement) -> None:
        """Handle the start of an element of the equation."""
        node = Element(element.tag, element.attributes)
        if self._nodes:
            self._nodes[-1].append(node)
        self._nodes.append(node)
        self._text = []

    def text(self, data: str, element: OpenElement) -> None:
        """Handle text within the equation."""
        if element.tag in _TEXTS:
            self._text.append(data)

    def end(self, element: OpenElement) -> str | None:
        """Handle the end of an element; return the whole text at the end of the equation."""
        node = self._nodes.pop()
        if element.tag in _TEXTS:
            node.text = "".join(self._text)
        if element.is_hidden and element.tag in _RUNS:
            node.clear()
        return _shown_text(node) if element is self.element else None


def _shown_text(node: Element) -> str:
    if node.tag == _EQUATION:
        text = latex_of(node)
        return f"${text}$" if text else ""
    texts = [latex_of(child) for child in node if child.tag == _EQUATION]
    return " ".join(f"$${text}$$" for text in texts if text)
