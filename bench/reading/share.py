"""A part of something that is counted, so that files can be added up."""

from dataclasses import dataclass
from math import nan


@dataclass(frozen=True, slots=True)
class Share:
    """So many of so many; of nothing where a file has none of it."""

    count: int = 0
    of: int = 0

    def __add__(self, other: "Share") -> "Share":
        return Share(self.count + other.count, self.of + other.of)

    @property
    def value(self) -> float:
        """The part of one; NaN of nothing."""
        return self.count / self.of if self.of else nan
