"""Sheets of a workbook as it lists them."""

import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from groundwire_readers.containers.xml_tree import parse_xml
from groundwire_readers.containers.zip_package import read_entry
from groundwire_readers.readers.office.package_parts import RELATIONSHIP_NAMESPACE, main_part, relationships

_SHEET: Final = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_MACRO_SHEETS: Final = ("xlMacrosheet", "xlIntlMacrosheet")
_WORKBOOK, _SHARED_STRINGS = "xl/workbook.xml", "xl/sharedStrings.xml"
"""Paths of parts that a package does not name."""
_TRUE_VALUES: Final = ("1", "true")


@dataclass(frozen=True, slots=True)
class ListedSheet:
    """A sheet: its name, its number from 1, and the path of its part; empty if it has no cells."""

    name: str
    number: int
    path: str


@dataclass(frozen=True, slots=True)
class WorkbookSheets:
    """The sheets of a workbook.

    Attributes:
        visible: its visible sheets, without those of macros.
        is_1904: whether its days count from 1904.
        shared_strings: path of the texts that its cells share; empty without any.
    """

    visible: tuple[ListedSheet, ...]
    is_1904: bool
    shared_strings: str


def read_sheets(package: zipfile.ZipFile) -> WorkbookSheets:
    """Return the sheets of a workbook.

    Raises:
        UnreadableDocument: damaged.
    """
    path = main_part(package) or _WORKBOOK
    content = read_entry(package, path)
    if not content:
        return WorkbookSheets((), is_1904=False, shared_strings="")
    root = parse_xml(content)
    related = {name: one for name, one in relationships(package, path).items() if not one.is_external}

    def sheets() -> Iterator[ListedSheet]:
        number, read = 0, set[str]()
        for sheet in root.iter(f"{_SHEET} sheet"):
            target = related.get(sheet.get(f"{RELATIONSHIP_NAMESPACE} id", ""))
            if target is not None and target.kind in _MACRO_SHEETS:
                continue
            number += 1
            has_cells = target is not None and target.kind == "worksheet"
            if sheet.get("state", "visible") == "visible":
                part = target.target if target and has_cells else ""
                # A part is read once, however many sheets name it: a small file would cost any time.
                yield ListedSheet(sheet.get("name", ""), number, "" if part in read else part)
                read.add(part)

    properties = next(root.iter(f"{_SHEET} workbookPr"), None)
    is_1904 = properties is not None and properties.get("date1904") in _TRUE_VALUES
    shared = next((one.target for one in related.values() if one.kind == "sharedStrings"), _SHARED_STRINGS)
    return WorkbookSheets(tuple(sheets()), is_1904, shared)
