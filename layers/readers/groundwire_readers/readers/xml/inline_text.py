"""Text of XML elements that mix words and tags: one line, formulas as LaTeX or in a line, no identifiers."""

import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Final
from xml.etree.ElementTree import Element

from groundwire_readers.text.normalisation import normalise

# Publishers store a whole LaTeX document around each formula.
_TEX_BODY: Final = re.compile(r"\\begin\{document\}(.*?)(?:\\end\{document\}|\Z)", re.DOTALL)
_SILENT: Final = frozenset(
    {"graphic", "inline-graphic", "inline-media", "media", "object-id", "alt-text", "long-desc", "institution-id"}
    | {"indexterm", "index-term", "contrib-id", "anchor", "processing-meta", "permissions"}
)
"""Elements whose text nobody sees: addresses of pictures, identifiers, entries of an index."""
_FORMULAS: Final = frozenset(["inline-formula", "disp-formula", "math", "tex-math", "inlineequation", "alternatives"])
_NO_LABEL: Final = frozenset(["label"])
_SPACED: Final = frozenset(
    {"break", "br", "p", "para", "title", "label", "list", "list-item", "listitem", "item", "fn", "sec", "td", "th"}
    | {"tr", "row", "entry", "simpara", "def", "term", "def-item", "lb"}
)
"""Elements that a space parts from the text around them."""
_OPERATORS: Final[Mapping[str, str]] = {"msup": "^", "msub": "_", "mfrac": "/", "mover": "^", "munder": "_"}


def name_of(element: Element) -> str:
    """Return the element's name without its namespace, lower case."""
    return element.tag.rpartition(" ")[2].lower()


def attribute(element: Element, name: str) -> str:
    """Return the value of the attribute of that name in any namespace; empty if it is missing."""
    return next((value for key, value in element.attrib.items() if key.rpartition(" ")[2].lower() == name), "")


def child_of(element: Element, *names: str) -> Element | None:
    """Return the first child of one of the names."""
    return next((child for child in element if name_of(child) in names), None)


def has_words(element: Element) -> bool:
    """Return whether the element has text of its own beside its children."""
    return any(part and part.strip() for part in (element.text, *(child.tail for child in element)))


def text_of(element: Element | None, without: Collection[str] = ()) -> str:
    """Return the element's normalised text, without that of descendants of these names; empty for None."""
    return "" if element is None else normalise("".join(_collected(element, _Rules(frozenset(without)))))


def text_of_parts(parts: Iterable[str | Element]) -> str:
    """Return the normalised text of strings and inline elements."""
    pieces: list[str] = []
    for part in parts:
        if isinstance(part, str):
            pieces.append(part)
        else:
            _collect_child(part, _Rules(), pieces)
    return normalise("".join(pieces))


@dataclass(frozen=True, slots=True)
class _Rules:
    """Choices for the text within an element.

    Attributes:
        without: names of the elements that are left out.
        has_notes: notes are in parentheses, which those within another note are not.
        has_formulas: formulas are looked for, which those within another formula are not.
    """

    without: frozenset[str] = frozenset()
    has_notes: bool = True
    has_formulas: bool = True


def _collected(element: Element, rules: _Rules) -> list[str]:
    pieces: list[str] = []
    _collect(element, rules, pieces)
    return pieces


def _collect(element: Element, rules: _Rules, pieces: list[str]) -> None:
    """Add the text of an element; generators would hand on each piece once for every element around it."""
    pieces.append(element.text or "")
    for child in element:
        if name_of(child) not in rules.without:
            _collect_child(child, rules, pieces)
        pieces.append(child.tail or "")


def _collect_child(child: Element, rules: _Rules, pieces: list[str]) -> None:
    name = name_of(child)
    if name in _SILENT:
        return
    if name in _FORMULAS and rules.has_formulas:
        pieces.append(formula_text(child))
    elif name in ("fn", "footnote") and rules.has_notes:
        note = _collected(child, _Rules(_NO_LABEL, has_notes=False, has_formulas=rules.has_formulas))
        pieces.append(f" ({normalise(''.join(note))})")
    elif name in _SPACED:
        pieces.append(" ")
        _collect(child, rules, pieces)
        pieces.append(" ")
    else:
        _collect(child, rules, pieces)


def formula_text(element: Element) -> str:
    """Return a formula's LaTeX between dollar signs where it has some, else its MathML in a line, else its own text."""
    tex = next((each for each in element.iter() if name_of(each) == "tex-math" or _is_tex(each)), None)
    if tex is not None:
        sign = "$$" if name_of(element) == "disp-formula" else "$"
        return f"{sign}{_tex_body(''.join(tex.itertext()))}{sign}"
    maths = next((each for each in element.iter() if name_of(each) == "math"), None)
    if maths is not None:
        return attribute(maths, "alttext") or _linear(maths)
    return normalise("".join(_collected(element, _Rules(has_formulas=False))))


def _is_tex(element: Element) -> bool:
    return name_of(element) == "annotation" and "tex" in attribute(element, "encoding").lower()


def _tex_body(source: str) -> str:
    found = _TEX_BODY.search(source)
    return " ".join((found[1] if found else source).split()).strip("$").strip()


def _linear(element: Element) -> str:
    """Return MathML in a line: powers with `^`, indices with `_`, fractions with `/`."""
    name = name_of(element)
    if name.startswith("annotation"):
        return ""
    texts = [_linear(child) for child in element]
    if name in _OPERATORS and len(texts) == 2:  # noqa: PLR2004
        return _OPERATORS[name].join(map(_grouped, texts))
    if name in ("msubsup", "munderover") and len(texts) == 3:  # noqa: PLR2004
        return f"{_grouped(texts[0])}_{_grouped(texts[1])}^{_grouped(texts[2])}"
    if name == "msqrt":
        return f"sqrt({''.join(texts)})"
    if name == "mfenced":
        return f"{attribute(element, 'open') or '('}{', '.join(texts)}{attribute(element, 'close') or ')'}"
    own = (element.text or "").strip()
    return f" {own} " if name == "mo" and own in _SPACED_OPERATORS else own + "".join(texts)


_SPACED_OPERATORS: Final = frozenset("=<>≤≥≈+-±∈→\u2212\u223c\u00d7")


def _grouped(text: str) -> str:
    inside = text.strip()
    return inside if len(inside) < 2 or inside.isalnum() else f"({inside})"  # noqa: PLR2004
