"""Figures of conversations over several test sets.

`groundwire eval DIR --conversations FILE --json` measures the conversations of one test set. This reads what several
such runs printed, and prints recall@8 of each class over all of them.
"""

import argparse
import json
from collections.abc import Sequence
from pathlib import Path
from statistics import fmean
from typing import Any

from bench.machine import this_machine
from bench.report import Figures, Report

ALL = "all"


def recall_by_class(runs: Sequence[dict[str, Any]]) -> Figures:
    """A row per class and one of all, with their numbers of conversations; a column per plan that all of them have."""
    found: list[dict[str, Any]] = [each for run in runs for each in run["per_conversation"]]
    plans = [name for name in found[0]["plans"] if all(name in each["plans"] for each in found)]
    rows: list[tuple[str, *tuple[float, ...]]] = []
    for kind in [*dict.fromkeys(each["class"] for each in found), ALL]:
        group = [each["plans"] for each in found if kind in {ALL, each["class"]}]
        rows.append((f"{kind} ({len(group)})", *(fmean(each[name]["recall_at_8"] for each in group) for name in plans)))
    return Figures("recall@8", ("", *plans), rows, digits=3)


def run(files: Sequence[Path]) -> Report:
    """The whole bench."""
    runs = [json.loads(file.read_text(encoding="utf-8")) for file in files]
    setting = {run["name"]: run["conversations"] for run in runs}
    return Report("Conversations over several test sets", this_machine(), setting, [], [recall_by_class(runs)], [])


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("files", type=Path, nargs="+", metavar="JSON_FILE")
    arguments.add_argument("--json", action="store_true")
    chosen = arguments.parse_args()
    run(chosen.files).show(as_json=chosen.json)


if __name__ == "__main__":
    main()
