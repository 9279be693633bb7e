"""Conversion of Office Math (ISO/IEC 29500-1, 22.1) to LaTeX."""

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Final
from xml.etree.ElementTree import Element

from groundwire_readers.readers.word.equations.symbols import (
    ACCENTS,
    ALPHABETS,
    FUNCTIONS,
    GROUPS,
    SYMBOLS,
    plain_letters,
)

_MAX_DEPTH: Final = 40
"""Maximum nesting that is converted; deeper elements are written as plain text."""
_COMMAND_END: Final = re.compile(r"\\[A-Za-z]+\Z")
_MAX_COMMAND: Final = 40
_WORD: Final = re.compile(r"[A-Za-z]{2,40}")
_MAX_CHARACTER_LENGTH: Final = 2
"""Maximum length of an operator, accent or delimiter: a character and a variation selector."""
_OFF: Final = ("0", "false", "off")
_NO_BAR: Final = "noBar"
_LINE_BREAK: Final = r" \\ "
_ALIGNMENT_MARK: Final = r"\&"
"""Alignment mark of an equation array after escaping, as in other text."""


def latex_of(equation: Element) -> str:
    """Return an equation as LaTeX without its dollar signs; elements are named by prefix, such as "m:f"."""
    return " ".join(_content(equation, 0).split())


def _content(element: Element | None, depth: int) -> str:
    """Return the LaTeX of an element's children."""
    if element is None:
        return ""
    if depth > _MAX_DEPTH:
        return _escaped("".join(element.itertext()))
    return _joined(_convert(child, depth + 1) for child in element)


def _convert(element: Element, depth: int) -> str:
    converter = _CONVERTERS.get(element.tag)
    if converter is not None:
        return converter(element, depth)
    return "" if element.tag.endswith("Pr") else _content(element, depth)


def _joined(parts: Iterable[str]) -> str:
    """Return the concatenated parts, with a space between a command and a letter."""
    joined: list[str] = []
    for part in parts:
        if part and joined and part[0].isalpha() and _COMMAND_END.search(joined[-1][-_MAX_COMMAND:]):
            joined.append(" ")
        if part:
            joined.append(part)
    return "".join(joined)


def _escaped(text: str) -> str:
    return _joined(SYMBOLS.get(character, character) for character in plain_letters(text))


def _child(element: Element, name: str) -> Element | None:
    return next((child for child in element if child.tag == f"m:{name}"), None)


def _part(element: Element, name: str, depth: int) -> str:
    return _content(_child(element, name), depth).strip()


def _property(element: Element, name: str, default: str = "") -> str:
    """Return the value of a property; the default where the element does not have it."""
    for properties in element:
        if properties.tag.endswith("Pr"):
            child = _child(properties, name)
            if child is not None:
                return child.get("m:val", "")
    return default


def _character_property(element: Element, name: str, default: str) -> str:
    """Return the character of a property; of a longer text only the start, which is all that Word displays."""
    return _property(element, name, default)[:_MAX_CHARACTER_LENGTH]


def _is_on(element: Element, name: str) -> bool:
    for properties in element:
        if properties.tag.endswith("Pr"):
            child = _child(properties, name)
            if child is not None:
                return child.get("m:val", "1") not in _OFF
    return False


def _run(element: Element, _: int) -> str:
    text = "".join(child.text or "" for child in element if child.tag in ("m:t", "w:t"))
    if _is_on(element, "nor"):
        return rf"\text{{{plain_letters(text)}}}" if text.strip() else text
    alphabet = ALPHABETS.get(_property(element, "scr"))
    return f"{alphabet}{{{_escaped(text)}}}" if alphabet and text.strip() else _escaped(text)


def _fraction(element: Element, depth: int) -> str:
    above, below = _part(element, "num", depth), _part(element, "den", depth)
    kind = _property(element, "type")
    if kind in ("lin", "skw"):
        return f"{_grouped(above)}/{_grouped(below)}"
    return rf"\genfrac{{}}{{}}{{0pt}}{{}}{{{above}}}{{{below}}}" if kind == _NO_BAR else rf"\frac{{{above}}}{{{below}}}"


def _grouped(text: str) -> str:
    return text if len(text) == 1 or text.isalnum() else f"{{{text}}}"


def _script(element: Element, depth: int) -> str:
    base = _part(element, "e", depth)
    below, above = _part(element, "sub", depth), _part(element, "sup", depth)
    # LaTeX refuses two scripts of one kind on a base, as in `x^a^b`.
    needs_braces = not base or (("^" in base or "_" in base) and not base.startswith(r"\left"))
    return (f"{{{base}}}" if needs_braces else base) + _scripts(below, above)


def _scripts(below: str, above: str) -> str:
    return (f"_{{{below}}}" if below else "") + (f"^{{{above}}}" if above else "")


def _scripts_before(element: Element, depth: int) -> str:
    scripts = _scripts(_part(element, "sub", depth), _part(element, "sup", depth))
    return f"{{}}{scripts}{_part(element, 'e', depth)}"


def _radical(element: Element, depth: int) -> str:
    degree = "" if _is_on(element, "degHide") else _part(element, "deg", depth)
    return rf"\sqrt{f'[{degree}]' if degree else ''}{{{_part(element, 'e', depth)}}}"


def _n_ary(element: Element, depth: int) -> str:
    below = "" if _is_on(element, "subHide") else _part(element, "sub", depth)
    above = "" if _is_on(element, "supHide") else _part(element, "sup", depth)
    operator = _escaped(_character_property(element, "chr", "∫"))
    return _joined([operator + _scripts(below, above), _part(element, "e", depth)])


def _delimiters(element: Element, depth: int) -> str:
    first, last = _character_property(element, "begChr", "("), _character_property(element, "endChr", ")")
    entries = [child for child in element if child.tag == "m:e"]
    if (first, last) == ("(", ")") and len(entries) == 1:
        inside = [child for child in entries[0] if not child.tag.endswith("Pr")]
        if len(inside) == 1 and inside[0].tag == "m:f" and _property(inside[0], "type") == _NO_BAR:
            return rf"\binom{{{_part(inside[0], 'num', depth)}}}{{{_part(inside[0], 'den', depth)}}}"
    separator = _escaped(_character_property(element, "sepChr", "|"))
    inside_text = separator.join(_content(entry, depth).strip() for entry in entries)
    return _joined([rf"\left{_escaped(first) or '.'}", inside_text, rf"\right{_escaped(last) or '.'}"])


def _function(element: Element, depth: int) -> str:
    name, argument = _part(element, "fName", depth), _part(element, "e", depth)
    return (
        _joined([_function_name(name), argument])
        if argument.startswith(("\\", "("))
        else f"{_function_name(name)} {argument}"
    )


def _function_name(name: str) -> str:
    """Return the name of a function as a command."""
    if not _WORD.fullmatch(name):
        return name
    return f"\\{name}" if name in FUNCTIONS else rf"\operatorname{{{name}}}"


def _limit(mark: str) -> Callable[[Element, int], str]:
    def convert(element: Element, depth: int) -> str:
        base, limit = _part(element, "e", depth), _part(element, "lim", depth)
        is_operator = _WORD.fullmatch(base) or base.startswith((r"\underbrace", r"\overbrace"))
        if is_operator:
            return f"{_function_name(base)}{mark}{{{limit}}}"
        return rf"\{'underset' if mark == '_' else 'overset'}{{{limit}}}{{{base}}}"

    return convert


def _accent(element: Element, depth: int) -> str:
    character = _character_property(element, "chr", "\u0302")
    base = _part(element, "e", depth)
    command = ACCENTS.get(character)
    return base + character if command is None else f"{command}{{{base}}}"


def _group(element: Element, depth: int) -> str:
    character = _character_property(element, "chr", "⏟")
    base = _part(element, "e", depth)
    command = GROUPS.get(character)
    return base if command is None else f"{command}{{{base}}}"


def _bar(element: Element, depth: int) -> str:
    command = "overline" if _property(element, "pos") == "top" else "underline"
    return rf"\{command}{{{_part(element, 'e', depth)}}}"


def _matrix(element: Element, depth: int) -> str:
    rows = (
        " & ".join(_content(cell, depth).strip() for cell in row if cell.tag == "m:e")
        for row in element
        if row.tag == "m:mr"
    )
    return rf"\begin{{matrix}} {_LINE_BREAK.join(rows)} \end{{matrix}}"


def _equation_array(element: Element, depth: int) -> str:
    rows = [_content(row, depth).strip() for row in element if row.tag == "m:e"]
    if len(rows) == 1:
        return rows[0].replace(_ALIGNMENT_MARK, "")
    return rf"\begin{{aligned}} {_LINE_BREAK.join(rows).replace(_ALIGNMENT_MARK, '&')} \end{{aligned}}"


def _phantom(element: Element, depth: int) -> str:
    """Return the content of a phantom; empty if it only takes up space."""
    is_shown = _property(element, "show", "1") not in _OFF
    return _part(element, "e", depth) if is_shown else ""


_CONVERTERS: Final[Mapping[str, Callable[[Element, int], str]]] = {
    "m:r": _run,
    "w:r": _run,
    "m:f": _fraction,
    "m:sSup": _script,
    "m:sSub": _script,
    "m:sSubSup": _script,
    "m:sPre": _scripts_before,
    "m:rad": _radical,
    "m:nary": _n_ary,
    "m:d": _delimiters,
    "m:func": _function,
    "m:limLow": _limit("_"),
    "m:limUpp": _limit("^"),
    "m:acc": _accent,
    "m:groupChr": _group,
    "m:bar": _bar,
    "m:m": _matrix,
    "m:eqArr": _equation_array,
    "m:phant": _phantom,
}
