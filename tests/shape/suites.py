"""House rule on suites: a module that several suites use is in `tests/support`, not in one suite's folder.

A suite is a folder of tests. A suite in a folder of another may use that one's modules, as it uses its fixtures.
"""

import ast
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path, PurePath
from typing import Final

from tests.shape.source import Source, parsed

SUPPORT: Final = "support"

_ROOT: Final = Path(__file__).parents[2]
_FOLDERS: Final = ("tests", "bench")
_DEPTHS: Final[Mapping[str, int]] = {"server": 3, "e2e": 2}
"""Depth of the folders of suites where a folder of `tests` groups them; any other folder of `tests` is a suite."""


@cache
def modules_of_tests() -> list[Source]:
    """Return the modules of the tests and of the benches."""
    paths = (path for folder in _FOLDERS for path in sorted((_ROOT / folder).rglob("*.py")))
    return [parsed(str(path.relative_to(_ROOT)), path.read_text(encoding="utf-8")) for path in paths]


def foreign_imports(source: Source) -> Iterator[str]:
    """Yield a finding for each module of another suite that this one imports; shared code imports no suite."""
    parts = PurePath(source.name).parts
    own = _suite(parts[1:-1]) if parts[0] == "tests" and len(parts) > 2 else ()
    for name, line in _imports_of_tests(source):
        suite = _suite(name.split(".")[1:])
        if suite[0] not in {SUPPORT, "conftest"} and own[: len(suite)] != suite:
            yield f"{source.name}:{line}: imports `{name}` of another suite: move what both use to tests/{SUPPORT}/"


def _suite(parts: Sequence[str]) -> tuple[str, ...]:
    """Return the folder of the suite that the parts of a path below `tests` lead into."""
    depth = _DEPTHS.get(parts[0], 1)
    while depth > 1 and not (_ROOT.joinpath("tests", *parts[:depth])).is_dir():
        depth -= 1
    return tuple(parts[:depth])


def _imports_of_tests(source: Source) -> Iterator[tuple[str, int]]:
    for node in source.nodes:
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module is not None and node.level == 0:
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        else:
            continue
        yield from ((name, node.lineno) for name in names if name.startswith("tests."))
