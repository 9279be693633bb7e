"""Report of a run: Markdown for people, exact data for programs."""

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, fields
from math import isnan
from typing import Final

from bench.machine import Machine
from bench.reading.measures import Measures
from bench.reading.outcome import FileOutcomes, Outcome, Sum, sums

_COLUMNS: Final = {
    "recall": "recall",
    "precision": "precision",
    "order": "order",
    "rows": "rows whole",
    "lines": "rows on a line",
    "out_of_order": "rows out of order",
    "split_numbers": "split numbers",
    "split_words": "split words",
    "headings": "headings",
    "real_headings": "real headings",
    "title": "title",
    "pages": "page",
    "sections": "section",
}
_COUNTED: Final = ("out_of_order", "split_numbers", "split_words")
"""Errors, which are counted; all else is a share."""


@dataclass(frozen=True, slots=True)
class ReadingReport:
    """Everything one run found.

    Attributes:
        absent: readers that could not be installed, with the reason.
        unmeasured: names of files that have no reference.
    """

    machine: Machine
    outcomes: Sequence[FileOutcomes]
    absent: Sequence[tuple[str, str]]
    unmeasured: Sequence[str]

    def markdown(self) -> str:
        """Return the tables and notes."""
        head = ("file", "reference", "reader", *_COLUMNS.values(), "s")
        rows = [*self._files(), *map(_sum_row, sums(self.outcomes))]
        table = [head, ("---",) * len(head), *rows]
        return "\n".join(["# Reading", "", str(self.machine), "", *map(_line, table), "", *self._notes(), ""])

    def json(self) -> str:
        """Return all counts."""
        document = {
            "bench": "reading",
            "machine": asdict(self.machine),
            "files": [_file_json(each) for each in self.outcomes],
            "sums": [asdict(each) for each in sums(self.outcomes)],
            "absent": dict(self.absent),
            "unmeasured": list(self.unmeasured),
        }
        return json.dumps(document, indent=2)

    def _files(self) -> Iterator[Sequence[str]]:
        for each in self.outcomes:
            for reader, outcome in each.by_reader.items():
                yield (each.reference.file.name, each.reference.kind, reader, *_figures(outcome))
        for reader, reason in self.absent:
            yield ("all", "", reader, f"could not run: {_cell(reason)}", *("" for _ in _COLUMNS))

    def _notes(self) -> Iterable[str]:
        yield "Shares of words, rows, headings, files and passages; what is split or out of order is counted."
        if self.unmeasured:
            yield f"Without a reference, so not measured: {', '.join(self.unmeasured)}."


def _figures(outcome: Outcome) -> Sequence[str]:
    if outcome.measures is None:
        return (f"could not run: {_cell(outcome.failure)}", *("" for _ in _COLUMNS))
    return (*_shares(outcome.measures), f"{outcome.seconds:.2f}")


def _sum_row(found: Sum) -> Sequence[str]:
    name = f"**sum of {found.files} file{'s' if found.files != 1 else ''}**"
    return (name, "", found.reader, *_shares(found.measures), f"{found.seconds:.2f}")


def _shares(measures: Measures) -> Iterator[str]:
    for name in _COLUMNS:
        share = getattr(measures, name)
        if isnan(share.value):
            yield "–"
        else:
            yield str(share.count) if name in _COUNTED else f"{share.value:.3f}".removeprefix("0")


def _line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _cell(text: str) -> str:
    return " ".join(text.replace("|", "/").split())


def _file_json(each: FileOutcomes) -> dict[str, object]:
    readers = {name: _outcome_json(outcome) for name, outcome in each.by_reader.items()}
    return {"file": each.reference.file.name, "reference": each.reference.kind, "readers": readers}


def _outcome_json(outcome: Outcome) -> dict[str, object]:
    if outcome.measures is None:
        return {"failure": outcome.failure}
    shares = {field.name: asdict(getattr(outcome.measures, field.name)) for field in fields(Measures)}
    return {"seconds": outcome.seconds, **shares}
