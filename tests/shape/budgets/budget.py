"""Budgets: counts that the tree holds, and what a measured count may be beside them."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

COMMAND: Final = "python -m tests.shape.budgets"
"""Command that writes the counts that fell."""
EXACT_BELOW: Final = 50
"""Smaller counts are exact. From here on 2 % are free, so that an ordinary commit need not write the file."""
_FREE_PERCENT: Final = 2

Counts = Mapping[str, Mapping[str, int]]
"""Measured counts by section and name."""


@dataclass(frozen=True, slots=True)
class Budget:
    """A count that is held.

    Attributes:
        reason: why it was raised to this count; None where it never was.
    """

    count: int
    reason: str | None = None

    @property
    def free(self) -> int:
        """Difference that a measured count may have, in either direction."""
        return 0 if self.count < EXACT_BELOW else self.count * _FREE_PERCENT // 100

    def is_exceeded(self, measured: int) -> bool:
        """Return whether the measured count is a rise."""
        return measured > self.count + self.free

    def is_undercut(self, measured: int) -> bool:
        """Return whether the measured count is a fall, which the file has to follow."""
        return measured < self.count - self.free


Budgets = Mapping[str, Mapping[str, Budget]]
"""Held counts by section and name."""


def findings(budgets: Budgets, counts: Counts) -> Iterator[str]:
    """Yield a sentence for each measured count that its budget does not allow, and for each without its counterpart."""
    for section, name in _names(budgets, counts):
        budget, measured = budgets.get(section, {}).get(name), counts.get(section, {}).get(name)
        where = f"{section}: {name}"
        if budget is None:
            yield f"{where} is {measured} and has no budget. Run `{COMMAND}` and commit the file."
        elif measured is None:
            yield f"{where} is not measured any more. Run `{COMMAND}` and commit the file."
        elif budget.is_exceeded(measured):
            yield f"{where} rose from {budget.count} to {measured}. Lower it, or raise its budget with a `reason`."
        elif budget.is_undercut(measured):
            yield f"{where} fell from {budget.count} to {measured}. Run `{COMMAND}` and commit the file."


def lowered(budgets: Budgets, counts: Counts) -> Budgets:
    """Return the budgets after falls: rises keep the held count, and a reason ends with the count that it explains."""

    def held(section: str, name: str, measured: int) -> Budget:
        budget = budgets.get(section, {}).get(name)
        return Budget(measured) if budget is None or budget.is_undercut(measured) else budget

    return _each(counts, held)


def reset(budgets: Budgets, counts: Counts, reason: str) -> Budgets:
    """Return budgets of exactly these counts; those that rise take the reason."""

    def held(section: str, name: str, measured: int) -> Budget:
        budget = budgets.get(section, {}).get(name)
        if budget is not None and budget.count == measured:
            return budget
        return Budget(measured, None if budget is None or measured < budget.count else reason)

    return _each(counts, held)


def unexplained_rises(before: Budgets, after: Budgets) -> Iterator[str]:
    """Yield the counts that are higher afterwards without a reason, or with the reason of an earlier rise."""
    for section, held in after.items():
        for name, budget in held.items():
            earlier = before.get(section, {}).get(name)
            if earlier is not None and budget.count > earlier.count and budget.reason in {None, "", earlier.reason}:
                where = f"{section}: {name}"
                yield f"{where} was raised from {earlier.count} to {budget.count}: write the `reason` beside it."


def _names(budgets: Budgets, counts: Counts) -> list[tuple[str, str]]:
    pairs = [(section, name) for table in (budgets, counts) for section, held in table.items() for name in held]
    return sorted(set(pairs))


def _each(counts: Counts, held: Callable[[str, str, int], Budget]) -> Budgets:
    return {
        section: {name: held(section, name, measured) for name, measured in named.items()}
        for section, named in counts.items()
    }
