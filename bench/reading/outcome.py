"""Outcomes of a run: what each reader made of each file, and sums over the files that readers have in common."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from bench.reading.measures import Measures, total
from bench.reading.references import Reference


@dataclass(frozen=True, slots=True)
class Outcome:
    """Reading of a file by a reader: measured, or the reason why there is none."""

    measures: Measures | None
    seconds: float
    failure: str = ""


@dataclass(frozen=True, slots=True)
class FileOutcomes:
    """All readings of a file, by the reader's name."""

    reference: Reference
    by_reader: Mapping[str, Outcome]


@dataclass(frozen=True, slots=True)
class Sum:
    """Sum of one reader over files."""

    files: int
    reader: str
    measures: Measures
    seconds: float


def sums(outcomes: Sequence[FileOutcomes]) -> Iterator[Sum]:
    """Yield sums that can be compared: for each set of files that a reader read, all readers that read those."""
    readers = list(dict.fromkeys(name for each in outcomes for name in each.by_reader))
    read = {name: [at for at, each in enumerate(outcomes) if each.by_reader[name].measures] for name in readers}
    for files in dict.fromkeys(map(tuple, read.values())):
        for name in readers if files else ():
            if set(files) <= set(read[name]):
                yield _sum(name, [outcomes[at].by_reader[name] for at in files])


def _sum(name: str, outcomes: Sequence[Outcome]) -> Sum:
    measured = [outcome.measures for outcome in outcomes if outcome.measures]
    return Sum(len(outcomes), name, total(measured), sum(outcome.seconds for outcome in outcomes))
