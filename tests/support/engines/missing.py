"""Tests whose engine is missing are left out, as the run says at its end; where engines are required, they fail."""

import os
from collections.abc import Mapping, Sequence
from typing import Final, NoReturn

import pytest

_LEFT_OUT: Final = "left out, as an engine cannot be had here: "


class Absent(Exception):
    """An engine cannot be had on this machine; the text says what is missing."""


def are_required(environment: Mapping[str, str]) -> bool:
    """Whether a machine without an engine is a fault: on the project's own machines it is."""
    return environment.get("REQUIRE_ENGINES") == "1" or environment.get("CI") == "true"


def answer(absent: Absent) -> NoReturn:
    """The test that asked for the engine fails where engines are required, and is left out elsewhere."""
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
