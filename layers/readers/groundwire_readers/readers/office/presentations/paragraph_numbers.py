"""Numbers of the paragraphs of a shape, as a show displays them (`buAutoNum`, ISO/IEC 29500-1, 21.1.2.4.1)."""

import re
from typing import Final
from xml.etree.ElementTree import Element

from groundwire_readers.contents.number_formats import number_text

_SCHEME: Final = re.compile(
    r"(arabic|alphaLc|alphaUc|romanLc|romanUc|circleNum)(?:Db|WdBlack|WdWhite)?(Period|ParenR|ParenBoth|Plain)"
)
_FORMATS: Final = {
    "alphaLc": "lowerLetter",
    "alphaUc": "upperLetter",
    "romanLc": "lowerRoman",
    "romanUc": "upperRoman",
    "circleNum": "decimalEnclosedCircle",
}
_SIGNS: Final = {"Period": ("", "."), "ParenR": ("", ")"), "ParenBoth": ("(", ")"), "Plain": ("", "")}


class ParagraphNumbers:
    """Counters of the levels of one shape; a paragraph of another kind ends a count, a deeper one does not."""

    def __init__(self) -> None:
        self._counts: dict[str, tuple[str, int]] = {}

    def next_label(self, paragraph: Element) -> str:
        """Count a paragraph with text, and return its number; empty without one."""
        properties = next((child for child in paragraph if _name(child) == "pPr"), None)
        level = "0" if properties is None else properties.get("lvl", "0")
        numbered = None if properties is None else next((one for one in properties if _name(one) == "buAutoNum"), None)
        former, count = self._counts.get(level, ("", 0))
        self._counts = {one: counted for one, counted in self._counts.items() if one < level}
        if numbered is None:
            return ""
        scheme, start = numbered.get("type", ""), numbered.get("startAt", "1")
        kind = f"{scheme} {start}"
        first = int(start) if start.isascii() and start.isdecimal() and len(start) < 6 else 1  # noqa: PLR2004
        count = count + 1 if kind == former else first
        self._counts[level] = kind, count
        found = _SCHEME.match(scheme)
        before, behind = _SIGNS[found[2]] if found else ("", ".")
        return f"{before}{number_text(count, _FORMATS.get(found[1], 'decimal') if found else 'decimal')}{behind} "


def _name(element: Element) -> str:
    return element.tag.rpartition(" ")[2]
