"""All measured counts, in processes whose environment is fixed: no import and no order of the tests can change them."""

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from tempfile import TemporaryDirectory
from typing import Final

from tests.shape.budgets import sizes
from tests.shape.budgets.budget import Counts
from tests.shape.budgets.cold_starts import cold_starts
from tests.support.aws.template.variants import ROOT

_PROGRAMS: Final = ("warm_work", "new_object", "search_bytes")
_TIMEOUT_S: Final = 300


@dataclass(frozen=True, slots=True)
class Measured:
    """Counts of this checkout.

    Attributes:
        modules: names of the product's modules by the function that imports them before its first answer.
    """

    counts: Counts
    modules: Mapping[str, frozenset[str]]


def measure() -> Measured:
    """Measure this checkout; RuntimeError where a function or a program fails."""
    starts = cold_starts()
    counts: dict[str, Mapping[str, int]] = {
        f"cold_start.{name}": {
            "own_modules": len(start.own),
            "own_lines": start.own_lines,
            "other_modules": start.others,
        }
        for name, start in starts.items()
    }
    for program in _PROGRAMS:
        counts |= _run(program)
    counts["layers.GroundwireLayer"] = {
        "own_kilobytes": sizes.layer_kilobytes(),
        "packages": sizes.packages_in_layer("groundwire"),
    }
    counts["layers.ParsersLayer"] = {"packages": sizes.packages_in_layer("parsers")}
    counts["lines.packages"] = sizes.lines_of_packages()
    counts["lines.server"] = sizes.lines_of_the_server()
    return Measured(counts, {name: start.own for name, start in starts.items()})


def _run(program: str) -> dict[str, dict[str, int]]:
    command = [sys.executable, "-B", "-m", f"tests.shape.budgets.programs.{program}"]
    with TemporaryDirectory(prefix="groundwire-budgets-") as folder:
        environment = {"HOME": folder, "TMPDIR": folder, "LC_ALL": "C.UTF-8", "PATH": os.defpath}
        done = subprocess.run(
            command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=_TIMEOUT_S, check=False
        )
    if done.returncode != 0:
        raise RuntimeError(f"{program} failed:\n{done.stderr}")
    counted: dict[str, dict[str, int]] = json.loads(done.stdout.splitlines()[-1])
    return counted
