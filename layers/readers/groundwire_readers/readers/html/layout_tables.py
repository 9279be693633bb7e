"""Detection of layout tables, which only position parts of a page: their cells become blocks, not table cells."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from groundwire_readers.readers.html.element_kinds import LAYOUT_PREFIX

# Comments and scripts are matched so that tags in them are passed over.
_TAG: Final = re.compile(
    r"<!--.*?(?:-->|\Z)|<(?:script|style)\b.*?(?:</(?:script|style)|\Z)"
    r"|<(?P<end>/?)(?P<name>table|caption|tbody|thead|tfoot|tr|td|th|h[1-6]|p|br)\b(?P<rest>[^<>]*+>)",
    re.IGNORECASE | re.DOTALL,
)
_SCRIPT_END: Final = re.compile(r"</(?:script|style)", re.IGNORECASE)
_DEPTHS: Final = {"table": 0, "tbody": 1, "tfoot": 1, "tr": 2, "td": 3}
"""Depth of each table part; a start tag ends open parts of its depth and deeper."""
_MAX_FRAME_ROWS: Final = 3
"""Maximum number of rows of a page frame: a banner with fewer cells, the page, and a footer."""
_MIN_PARAGRAPHS: Final = 2
"""Number of paragraphs or line breaks from which a cell is prose, not a value."""

_Edit = tuple[int, int, str]


@dataclass(slots=True)
class _Table:
    """A table whose tags are being read.

    Attributes:
        edits: replacements of its tags, which make blocks of its parts.
        has_passages: whether a cell has a nested table or several paragraphs.
    """

    edits: list[_Edit] = field(default_factory=list[_Edit])
    has_passages: bool = False
    _has_heading: bool = False
    _is_data: bool = False
    _open: list[str] = field(default_factory=list[str])
    _cells_of_rows: list[int] = field(default_factory=list[int])
    _paragraph_counts: dict[str, int] = field(default_factory=dict[str, int])

    @property
    def is_layout(self) -> bool:
        """Return whether the table is for layout: it has no header cells, and its cells contain parts of a page."""
        cells, rows = set(self._cells_of_rows), len(self._cells_of_rows)
        is_column = max(cells, default=0) <= 1
        has_parts = self.has_passages and (is_column or rows <= 1)
        is_frame = is_column or rows == 1 or (rows <= _MAX_FRAME_ROWS and len(cells) > 1)
        return not self._is_data and (has_parts or (self._has_heading and is_frame))

    def add(self, tag: re.Match[str]) -> None:
        """Add a tag of the table, or one within its cells."""
        name = tag["name"].lower()
        if name in _DEPTHS:
            self._add_part(tag, name)
        elif name in ("th", "caption", "thead"):
            self._is_data = True
        elif name in ("p", "br") and not tag["end"]:
            self._paragraph_counts[name] = self._paragraph_counts.get(name, 0) + 1
            self.has_passages |= self._paragraph_counts[name] >= _MIN_PARAGRAPHS
        else:
            self._has_heading |= name not in ("p", "br")

    def _add_part(self, tag: re.Match[str], name: str) -> None:
        ended = self._end_parts(_DEPTHS[name])
        if tag["end"]:
            self.edits.append((tag.start(), tag.end(), ended))
            return
        self._is_data |= tag["rest"].endswith("/>")  # an element in XML, a start tag in HTML
        self._open.append(name)
        self.edits.append((tag.start(), tag.end(), f"{ended}<{LAYOUT_PREFIX}{name}{tag['rest']}"))
        if name == "tr":
            self._cells_of_rows.append(0)
        elif name == "td":
            if not self._cells_of_rows:
                self._cells_of_rows.append(0)
            self._cells_of_rows[-1] += 1
            self._paragraph_counts.clear()

    def _end_parts(self, level: int) -> str:
        """Return the end tags of open parts of this depth and deeper, the innermost first."""
        ended = [name for name in self._open if _DEPTHS[name] >= level]
        self._open = [name for name in self._open if _DEPTHS[name] < level]
        return "".join(f"</{LAYOUT_PREFIX}{name}>" for name in reversed(ended))


def with_layout_as_blocks(text: str) -> str:
    """Return the page with the parts of layout tables renamed to block elements (`LAYOUT_PREFIX`).

    Comments and tags that do not end are left out, as in browsers.
    """
    text = _with_closed_markup(text)
    pieces: list[str] = []
    position = 0
    for start, end, tag in sorted(_edits(text)):
        pieces += [text[position:start], tag]
        position = end
    return "".join([*pieces, text[position:]])


def _with_closed_markup(text: str) -> str:
    """Return the page up to a comment or a tag that does not end; signs behind the last tag are text.

    The tokeniser searches the end of each open comment or tag anew, which takes quadratic time.
    """
    opened = text.find("<!--", max(text.rfind("-->"), 0))
    if opened >= 0:
        # In a script, the sign begins no comment, so its end tag keeps the rest of the page.
        is_in_script = _SCRIPT_END.search(text, opened) is not None
        text = text[:opened] + (text[opened:].replace("<!--", "&lt;!--") if is_in_script else "")
    end = text.rfind(">") + 1
    return text[:end] + text[end:].replace("<", "&lt;")


def _edits(text: str) -> Iterator[_Edit]:
    """Yield the replacements of the tags of all layout tables; a table without an end tag is ignored."""
    open_tables: list[_Table] = []
    for tag in _TAG.finditer(text):
        if tag["name"] is None:
            continue
        if tag["name"].lower() != "table":
            if open_tables:
                open_tables[-1].add(tag)
        elif not tag["end"]:
            if open_tables:
                open_tables[-1].has_passages = True
            open_tables.append(_Table())
            open_tables[-1].add(tag)
        elif open_tables:
            table = open_tables.pop()
            table.add(tag)
            yield from table.edits if table.is_layout else ()
