"""Editor that replaces equations by LaTeX within their sentence."""

from typing import Final
from xml.etree.ElementTree import Element

from groundwire_readers.readers.word.equations.latex import latex_of
from groundwire_readers.readers.word.part_editing import Edit, OpenElement, run_xml

_EQUATION: Final = "m:oMath"
_DISPLAYED: Final = "m:oMathPara"
_RUNS: Final = ("m:r", "w:r")
_TEXTS: Final = ("m:t", "w:t")
_BLOCK_PARENTS: Final = ("w:body", "w:tc", "w:txbxContent", "w:footnote", "w:endnote")
"""Parents in which an equation is a separate paragraph."""


class Equations:
    """Editor of one part: `$…$` for inline equations, `$$…$$` for display equations."""

    def __init__(self) -> None:
        self.edits: list[Edit] = []
        self._outermost: OpenElement | None = None
        self._nodes: list[Element] = []
        self._text: list[str] = []

    def start(self, element: OpenElement) -> None:
        """Handle the start of an element."""
        if self._outermost is None:
            if element.tag not in (_EQUATION, _DISPLAYED):
                return
            self._outermost = element
        node = Element(element.tag, element.attributes)
        if self._nodes:
            self._nodes[-1].append(node)
        self._nodes.append(node)
        self._text = []

    def text(self, data: str, element: OpenElement) -> None:
        """Handle text within an element."""
        if self._nodes and element.tag in _TEXTS:
            self._text.append(data)

    def end(self, element: OpenElement, end: int) -> None:
        """Handle the end of an element."""
        if self._outermost is None:
            return
        node = self._nodes.pop()
        if element.tag in _TEXTS:
            node.text = "".join(self._text)
        if element.is_hidden and element.tag in _RUNS:
            node.clear()
        if element is self._outermost:
            self._outermost = None
            self.edits.append(Edit(element.first, end, _replacement(element, node)))


def _replacement(element: OpenElement, node: Element) -> bytes:
    if node.tag == _EQUATION:
        text = latex_of(node)
        whole = run_xml(f"${text}$") if text else b""
    else:
        texts = [latex_of(child) for child in node if child.tag == _EQUATION]
        whole = run_xml(" ".join(f"$${text}$$" for text in texts if text)) if any(texts) else b""
    return b"<w:p>" + whole + b"</w:p>" if whole and element.parent_tag in _BLOCK_PARENTS else whole
