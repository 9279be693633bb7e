"""Names of problems in audit lines: they do not change when a class is renamed."""

from collections.abc import Mapping
from typing import Final

from groundwire.domain import errors
from groundwire.domain.errors import Problem

NAMES: Final[Mapping[type[Problem], str]] = {
    errors.Problem: "Problem",
    errors.Invalid: "Invalid",
    errors.Denied: "Denied",
    errors.NotFound: "NotFound",
    errors.Conflict: "Conflict",
    errors.TooMuch: "TooMuch",
    errors.Unavailable: "Unavailable",
    errors.Superseded: "Superseded",
    errors.Occupied: "Occupied",
    errors.DocumentRefused: "DocumentRefused",
}


def named(problem: Problem) -> str:
    """Return name and text of the problem; a class that is not in the table has the name of its nearest base class."""
    kind = next(NAMES[each] for each in type(problem).__mro__ if each in NAMES)
    return f"{kind}: {problem}"
