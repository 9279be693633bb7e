"""Values of cells, and the text that each shows."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final

from groundwire_readers.readers.office.number_formats.built_in import GENERAL
from groundwire_readers.readers.office.number_formats.number_format import number_format, shown_number
from groundwire_readers.readers.office.workbooks.rich_texts import SharedText, unescaped

TEXT_TYPES: Final = ("s", "str", "inlineStr")
"""Types of cells (ISO/IEC 29500-1, 18.18.11) that hold a text."""
_INDEX: Final = re.compile(r"\d{1,7}", re.ASCII)
_EPOCH_1900, _EPOCH_1904 = datetime(1899, 12, 30, tzinfo=UTC), datetime(1904, 1, 1, tzinfo=UTC)
_DAY_SECONDS: Final = 86_400
_TRUE_VALUES: Final = ("1", "true")


@dataclass(frozen=True, slots=True)
class CellValues:
    """Shared strings of a workbook, and whether its days count from 1904."""

    texts: Sequence[SharedText]
    is_1904: bool

    def content(self, kind: str, value: str) -> SharedText:
        """Return the content of a cell of this type: its text, or its value as the workbook holds it."""
        if kind == "s":
            index = int(value) if _INDEX.fullmatch(value.strip()) else len(self.texts)
            return self.texts[index] if index < len(self.texts) else ""
        return unescaped(value) if kind == "str" else value.strip()

    def shown(self, kind: str, text: str, code: str) -> str:
        """Return the text that a cell of this type shows with a number format."""
        if kind in TEXT_TYPES:
            return text if code == GENERAL else number_format(code).text_text(text)
        if kind == "b":
            return "TRUE" if text in _TRUE_VALUES else "FALSE"
        if kind == "d" and code != GENERAL:
            serial = self._serial_of(text)
            return text if serial is None else shown_number(repr(serial), code, is_1904=self.is_1904)
        if kind == "n":
            return shown_number(text, code, is_1904=self.is_1904)
        return text.replace("T", " ") if kind == "d" else text

    def _serial_of(self, text: str) -> float | None:
        try:
            moment = datetime.fromisoformat(text)
        except ValueError:
            return None
        elapsed = moment.replace(tzinfo=UTC) - (_EPOCH_1904 if self.is_1904 else _EPOCH_1900)
        return elapsed.total_seconds() / _DAY_SECONDS
