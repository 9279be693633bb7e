"""Tests without their engine are left out and listed at the end of the run; where engines are required, they fail."""

import os
from collections.abc import Mapping, Sequence
from typing import Final, NoReturn

import pytest

_LEFT_OUT: Final = "left out, as an engine cannot be had here: "


class Absent(Exception):
    """Engine that cannot be had on this machine; the text names what is missing."""


def are_required(environment: Mapping[str, str]) -> bool:
    """Return whether a machine must have every engine, as the project's own machines must."""
    return environment.get("REQUIRE_ENGINES") == "1" or environment.get("CI") == "true"


def answer(absent: Absent) -> NoReturn:
    """Fail the test that needs the engine where engines are required; skip it on other machines."""
    if are_required(os.environ):
        pytest.fail(f"{absent} (REQUIRE_ENGINES=1 or CI=true asks for every engine)", pytrace=False)
    pytest.skip(_LEFT_OUT + str(absent))


def summary(skipped: Sequence[object]) -> list[str]:
    """A line for each thing that is missing, with how many tests it cost; `skipped` are pytest's reports."""
    counts: dict[str, int] = {}
    for report in skipped:
        reason = str(getattr(report, "longrepr", ("", 0, ""))[2])
        if _LEFT_OUT in reason:
            missing = reason.partition(_LEFT_OUT)[2]
            counts[missing] = counts.get(missing, 0) + 1
    return [f"{count} tests left out: {missing}" for missing, count in sorted(counts.items())]
