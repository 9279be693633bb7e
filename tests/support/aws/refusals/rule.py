"""Rules: one refusal of AWS each, with the source that states it and a check that finds it."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, Generic, TypeVar

Subject = TypeVar("Subject")


class Reading(StrEnum):
    """Reading of the rules whose sources disagree: AWS refuses, or AWS accepts."""

    REFUSED = "refused"
    ACCEPTED = "accepted"


@dataclass(frozen=True, slots=True)
class Source:
    """Public text that states a rule.

    Attributes:
        title: page, service model or report.
        looked_up: day on which somebody compared the rule with it, as YYYY-MM-DD.
    """

    title: str
    looked_up: str


@dataclass(frozen=True, slots=True)
class Rule(Generic[Subject]):
    """One refusal of AWS.

    Attributes:
        id: name of the rule; stable, since findings and tests name it.
        refuses: what AWS refuses, in a sentence.
        figure: number or words that the source gives.
        source: where they are.
        check: yields one sentence for each place of the subject that AWS refuses.
        doubt: why the rule is disputed; empty where it is certain.
    """

    id: str
    refuses: str
    figure: str
    source: Source
    check: Callable[[Subject], Iterable[str]]
    doubt: str = ""

    @property
    def certainty(self) -> str:
        """Certainty of the rule, as the page of the rules names it."""
        return "disputed" if self.doubt else "certain"


@dataclass(frozen=True, slots=True)
class Finding:
    """A place that AWS refuses by a rule."""

    rule: str
    place: str

    def __str__(self) -> str:
        return f"{self.rule}: {self.place}"


class RefusedByAwsError(AssertionError):
    """Error where something that goes to an emulator breaks rules of AWS."""


def findings(rules: Iterable[Rule[Subject]], subject: Subject, reading: Reading) -> Iterator[Finding]:
    """Yield what AWS refuses of the subject; in the reading `accepted` no disputed rule counts."""
    for rule in rules:
        if reading is Reading.REFUSED or not rule.doubt:
            yield from (Finding(rule.id, place) for place in rule.check(subject))


def require_accepted(rules: Iterable[Rule[Subject]], subject: Subject) -> None:
    """Stop what AWS may refuse; disputed rules count, so that the project passes in both readings.

    Raises:
        RefusedByAwsError: with every finding.
    """
    found = [str(finding) for finding in findings(rules, subject, Reading.REFUSED)]
    if found:
        raise RefusedByAwsError("AWS refuses this, other than the emulator:\n" + "\n".join(found))


def above(limit: int, sizes: Iterable[tuple[str, int]], unit: str) -> Iterator[str]:
    """Yield a sentence for each place whose size exceeds the limit."""
    return (f"{place}: {size:,} {unit}, at most {limit:,}" for place, size in sizes if size > limit)


LOOKED_UP: Final = "2026-11-28"
"""Day of the last comparison of all rules with their sources."""
