"""House rule on suites: a module that several suites use is in `tests/support`, not in one suite's folder."""

import ast
from collections.abc import Iterator
from pathlib import Path, PurePath
from typing import Final

from tests.shape.source import Source, parsed

SUPPORT: Final = "support"

_ROOT: Final = Path(__file__).parents[2]
_FOLDERS: Final = ("tests", "bench")


def modules_of_tests() -> list[Source]:
    """Return the modules of the tests and of the benches."""
    paths = (path for folder in _FOLDERS for path in sorted((_ROOT / folder).rglob("*.py")))
    return [parsed(str(path.relative_to(_ROOT)), path.read_text(encoding="utf-8")) for path in paths]


def foreign_imports(source: Source) -> Iterator[str]:
    """Yield a finding for each module of another suite that this one imports; shared code imports no suite."""
    own = _suite(source)
    for name, line in _imports_of_tests(source):
        suite = name.split(".")[1]
        if suite not in {own, SUPPORT, "conftest"}:
            yield f"{source.name}:{line}: imports `{name}` of another suite: move what both use to tests/{SUPPORT}/"


def _suite(source: Source) -> str | None:
    parts = PurePath(source.name).parts
    return parts[1] if parts[0] == "tests" and len(parts) > 2 else None


def _imports_of_tests(source: Source) -> Iterator[tuple[str, int]]:
    for node in ast.walk(source.tree):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module is not None and node.level == 0:
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        else:
            continue
        yield from ((name, node.lineno) for name in names if name.startswith("tests."))
