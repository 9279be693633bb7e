"""Text of XML elements that mix words and tags: one line, formulas as LaTeX or in a line, no identifiers."""

import re
from collections.abc import Collection, Iterator, Mapping
from itertools import chain
from typing import Final
from xml.etree.ElementTree import Element

from groundwire.domain.text.normalisation import normalise

_TEX_BODY: Final = re.compile(r"\\begin\{document\}(.*?)(?:\\end\{document\}|\Z)", re.DOTALL)
_SILENT: Final = frozenset(
    {"graphic", "inline-graphic", "inline-media", "media", "object-id", "alt-text", "long-desc", "institution-id"}
    | {"indexterm", "index-term", "contrib-id", "anchor", "processing-meta", "permissions"}
)
"""Elements whose text nobody sees: addresses of pictures, identifiers, entries of an index."""
_FORMULAS: Final = frozenset(["inline-formula", "disp-formula", "math", "tex-math", "inlineequation", "alternatives"])
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
    """Return the value of the attribute of that name in any namespace; empty where there is none."""
    return next((value for key, value in element.attrib.items() if key.rpartition(" ")[2].lower() == name), "")


def child_of(element: Element, *names: str) -> Element | None:
    """Return the first child of one of the names."""
    return next((child for child in element if name_of(child) in names), None)


def has_words(element: Element) -> bool:
    """Return whether the element has text of its own beside its children."""
    return any(part and part.strip() for part in (element.text, *(child.tail for child in element)))


def text_of(element: Element | None, without: Collection[str] = ()) -> str:
    """Return the element's normalised text, without that of descendants of these names; empty for None."""
    return "" if element is None else normalise("".join(_pieces(element, without)))


def text_of_parts(parts: Iterator[str | Element] | list[str | Element]) -> str:
    """Return the normalised text of strings and inline elements."""
    pieces = ([part] if isinstance(part, str) else _child_pieces(part, ()) for part in parts)
    return normalise("".join(chain.from_iterable(pieces)))


def _pieces(element: Element, without: Collection[str]) -> Iterator[str]:
    yield element.text or ""
    for child in element:
        if name_of(child) not in without:
            yield from _child_pieces(child, without)
        yield child.tail or ""


def _child_pieces(child: Element, without: Collection[str]) -> Iterator[str]:
    name = name_of(child)
    if name in _SILENT:
        return
    if name in _FORMULAS:
        yield formula_text(child)
    elif name in ("fn", "footnote"):
        yield f" ({text_of(child, ('label',))})"
    elif name in _SPACED:
        yield " "
        yield from _pieces(child, without)
        yield " "
    else:
        yield from _pieces(child, without)


def formula_text(element: Element) -> str:
    """Return a formula's LaTeX between dollar signs where it has some, else its MathML in a line, else its own text."""
    tex = next((each for each in element.iter() if name_of(each) == "tex-math" or _is_tex(each)), None)
    if tex is not None:
        sign = "$$" if name_of(element) == "disp-formula" else "$"
        return f"{sign}{_tex_body(''.join(tex.itertext()))}{sign}"
    maths = next((each for each in element.iter() if name_of(each) == "math"), None)
    if maths is not None:
        return attribute(maths, "alttext") or _linear(maths)
    return text_of(element) if name_of(element) != "math" else ""


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
