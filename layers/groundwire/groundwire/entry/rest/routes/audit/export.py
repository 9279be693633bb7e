"""Rows of the audit log as CSV, and as one JSON object a line."""

import csv
import io
import json
import re
from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Final

from groundwire.domain.text.json_values import is_list, is_mapping
from groundwire.entry.rest.routes.audit.rows import AuditRow


class ExportType(StrEnum):
    """Media type of an export."""

    CSV = "text/csv"
    JSON_LINES = "application/jsonl"


_FORMULA: Final = re.compile(r"(^|[;|\t\r\n])(\s*)([=+\-@\uff0b\uff0d\uff1d\uff20])")
"""Beginning of what a spreadsheet takes for a formula, of the half or full width. Source: OWASP, CSV injection.

In countries with a decimal comma, a spreadsheet splits lines at semicolons, also within quotes. So a text may have
several cells.
"""

Rows = Sequence[Mapping[str, object]]


def accepted_type(accept: str) -> ExportType | None:
    """Return the first media type of an `Accept` header that is one of an export; None: JSON."""
    for each in accept.split(","):
        name = each.partition(";")[0].strip().lower()
        # Of types that it does not know, such as `*/*`, JSON is the answer.
        if name in set(ExportType):
            return ExportType(name)
    return None


def export(rows: Rows, form: ExportType) -> str:
    """Return the rows as text; CSV has a header line in every part."""
    if form is ExportType.JSON_LINES:
        return "".join(f"{json.dumps(row, ensure_ascii=False)}\n" for row in rows)
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow(AuditRow.model_fields)
    writer.writerows([_cell(row[name]) for name in AuditRow.model_fields] for row in rows)
    return text.getvalue()


def _cell(value: object) -> object:
    if is_list(value):
        return _cell(" ".join(map(str, value)))
    # A caller chooses the name of its user, and an administrator opens the file.
    if is_mapping(value):
        return _FORMULA.sub(_escaped, json.dumps(value, ensure_ascii=False))
    return _FORMULA.sub(r"\1\2'\3", value) if isinstance(value, str) else value


def _escaped(formula: re.Match[str]) -> str:
    """Return the beginning of a formula in JSON, with the escape that means the same character there."""
    return f"{formula[1]}{formula[2]}\\u{ord(formula[3]):04x}"
