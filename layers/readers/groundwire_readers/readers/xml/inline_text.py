"""Text of XML elements with mixed content, as one line: formulas as LaTeX or linear text, without identifiers."""

import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Final
from xml.etree.ElementTree import Element

from groundwire_readers.readers.html.formulas import linear_text
from groundwire_readers.text.normalisation import normalise
from groundwire_readers.text.runs import GAP, Mark, run_of

# Publishers store a whole LaTeX document around each formula.
_TEX_BODY: Final = re.compile(r"\\begin\{document\}(.*?)(?:\\end\{document\}|\Z)", re.DOTALL)
_NOT_DISPLAYED: Final = frozenset(
    {"graphic", "inline-graphic", "inline-media", "media", "object-id", "alt-text", "long-desc", "institution-id"}
    | {"indexterm", "index-term", "contrib-id", "anchor", "processing-meta", "permissions"}
)
"""Elements whose text is not displayed: image references, identifiers, index entries."""
_FORMULAS: Final = frozenset(["inline-formula", "disp-formula", "math", "tex-math", "inlineequation", "alternatives"])
_NO_LABEL: Final = frozenset(["label"])
_SPACED: Final = frozenset(
    {"break", "br", "p", "para", "title", "label", "list", "list-item", "listitem", "item", "fn", "sec", "td", "th"}
    | {"tr", "row", "entry", "simpara", "def", "term", "def-item", "lb"}
)
"""Elements that are separated from surrounding text by spaces."""
_MARKS: Final[Mapping[str, str]] = {
    **dict.fromkeys(("sup", "superscript"), Mark.RAISED),
    **dict.fromkeys(("sub", "subscript"), Mark.LOWERED),
    **dict.fromkeys(("strike", "s", "del"), GAP),
    "ruby": Mark.ANNOTATED,
    "rt": Mark.GLOSS,
}
"""Marks of the text in elements of JATS, DITA, DocBook and TEI."""
_LOOKS: Final = {"superscript": Mark.RAISED, "sup": Mark.RAISED, "subscript": Mark.LOWERED, "strikethrough": GAP}
"""Marks by the attribute that declares how an element looks: `rend` of TEI, `role` of DocBook."""


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
    """Return whether the element has direct text besides its children (mixed content)."""
    return any(part and part.strip() for part in (element.text, *(child.tail for child in element)))


def text_of(element: Element | None, without: Collection[str] = ()) -> str:
    """Return the element's normalised text, without that of descendants of these names; empty for None."""
    return "" if element is None else normalise("".join(_collected(element, _Options(frozenset(without)))))


def text_of_parts(parts: Iterable[str | Element]) -> str:
    """Return the normalised text of strings and inline elements."""
    pieces: list[str] = []
    for part in parts:
        if isinstance(part, str):
            pieces.append(part)
        else:
            _collect_child(part, _Options(), pieces)
    return normalise("".join(pieces))


@dataclass(frozen=True, slots=True)
class _Options:
    """Settings for collecting the text of an element.

    Attributes:
        without: names of elements that are skipped.
        has_notes: whether notes are put in parentheses; not within another note.
        has_formulas: whether formulas are converted; not within another formula.
        mark: mark of the text as a run; empty for ordinary text.
    """

    without: frozenset[str] = frozenset()
    has_notes: bool = True
    has_formulas: bool = True
    mark: str = ""


def _collected(element: Element, options: _Options) -> list[str]:
    pieces: list[str] = []
    _collect(element, options, pieces)
    return pieces


def _collect(element: Element, options: _Options, pieces: list[str]) -> None:
    """Append the text of an element; nested generators would pass on each piece once per level."""
    pieces.append(run_of(element.text or "", options.mark))
    for child in element:
        if name_of(child) not in options.without:
            _collect_child(child, options, pieces)
        pieces.append(run_of(child.tail or "", options.mark))


def _collect_child(child: Element, options: _Options, pieces: list[str]) -> None:
    name = name_of(child)
    if name in _NOT_DISPLAYED:
        return
    if name in _FORMULAS and options.has_formulas:
        pieces.append(formula_text(child))
    elif name in ("fn", "footnote") and options.has_notes:
        note = _collected(child, _Options(_NO_LABEL, has_notes=False, has_formulas=options.has_formulas))
        pieces.append(f" ({normalise(''.join(note))})")
    elif name in _SPACED:
        pieces.append(" ")
        _collect(child, options, pieces)
        pieces.append(" ")
    elif options.mark != GAP and (mark := _mark_of(child, name)):
        _collect(child, replace(options, mark=mark), pieces)
    else:
        _collect(child, options, pieces)


def _mark_of(element: Element, name: str) -> str:
    look = attribute(element, "rend") or attribute(element, "role")
    return _MARKS.get(name, "") or _LOOKS.get(look.lower(), "")


def formula_text(element: Element) -> str:
    """Return the LaTeX of a formula between dollar signs, else its MathML as linear text, else its text."""
    tex = next((each for each in element.iter() if name_of(each) == "tex-math" or _is_tex(each)), None)
    if tex is not None:
        sign = "$$" if name_of(element) == "disp-formula" else "$"
        return f"{sign}{_tex_body(''.join(tex.itertext()))}{sign}"
    maths = next((each for each in element.iter() if name_of(each) == "math"), None)
    if maths is not None:
        return attribute(maths, "alttext") or linear_text(maths)
    return normalise("".join(_collected(element, _Options(has_formulas=False))))


def _is_tex(element: Element) -> bool:
    return name_of(element) == "annotation" and "tex" in attribute(element, "encoding").lower()


def _tex_body(source: str) -> str:
    found = _TEX_BODY.search(source)
    return " ".join((found[1] if found else source).split()).strip("$").strip()
