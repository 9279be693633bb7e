"""Durations of the tests as a table; the arguments of the command are a report and the file to write.

Reads what `pytest --junit-xml` writes. A test's time includes the fixtures that are set up for it.
"""

import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final
from xml.etree import ElementTree as ET

_LONGEST: Final = 20
_DEPTH: Final = 3
"""Depth of the folders below `tests` whose times are added up."""


def table(cases: Iterable[tuple[str, str, float]]) -> Iterator[str]:
    """Yield the lines of two tables: the folders, and the longest tests.

    Args:
        cases: module, name and seconds of each test.
    """
    cases = list(cases)
    by_folder: dict[str, list[float]] = {}
    for module, _, seconds in cases:
        by_folder.setdefault("/".join(module.split(".")[1:-1][:_DEPTH]), []).append(seconds)
    yield from ("| folder | tests | minutes |", "|---|---|---|")
    for folder, times in sorted(by_folder.items(), key=lambda item: -sum(item[1])):
        yield f"| {folder} | {len(times):,} | {sum(times) / 60:.1f} |"
    yield f"| all | {len(cases):,} | {sum(seconds for _, _, seconds in cases) / 60:.1f} |"
    yield from ("", "| test | seconds |", "|---|---|")
    for module, name, each in sorted(cases, key=lambda case: -case[2])[:_LONGEST]:
        yield f"| {module.replace('.', '/')}.py::{name} | {each:.0f} |"


def read(report: Path) -> Iterator[tuple[str, str, float]]:
    """Yield module, name and seconds of each test of the report."""
    for case in ET.parse(report).iter("testcase"):
        yield case.get("classname", ""), case.get("name", ""), float(case.get("time", 0))


if __name__ == "__main__":
    lines = list(table(read(Path(sys.argv[1]))))
    Path(sys.argv[2]).write_text("\n".join(lines) + "\n")
    print("\n".join(lines))  # noqa: T201
