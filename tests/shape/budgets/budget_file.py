"""The file with the budgets, and the list of the modules that each function imports."""

import json
import tomllib
from collections import defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

from tests.shape.budgets.budget import COMMAND, EXACT_BELOW, Budget, Budgets

PATH: Final = Path(__file__).parents[1] / "budgets.toml"
MODULES: Final = PATH.with_name("imported_modules.txt")
_PINNED: Final = {"python": "3.11", "machine": "Linux x86_64"}
_HEADER: Final = f"""\
# Counts that need no clock, which tests/shape/test_budgets.py measures again. A count may not rise unseen.
#
# Rule: a count below {EXACT_BELOW} is exact. A larger one may differ by 2 % in either direction, so that an ordinary
# commit need not touch this file.
# A count that fell further is lowered in the same commit:  {COMMAND}
# The command lowers counts alone. To raise one, edit it and give the reason beside it, which the tests require:
#   calls = {{ count = 1700, reason = "a search checks the blocks of users" }}
#
# cold_start.*  modules and lines of the product that are imported until the first answer, and other modules; the
#               function runs in an account without data, with the variables of the template
# calls.*       calls of the product's functions, resumed generators included, and the files that they are in
# requests.*    calls of ports in a home; of DynamoDB, S3 and SQS in a stack
# bytes.*       bytes of the index that a hybrid search of 10,000 passages reads, five phrases
# layers.*      own code in the layer, sources alone, compressed; number of packages that are installed beside it
# lines.*       lines of sources
"""


def read_budgets(text: str) -> Budgets:
    """Return the budgets of the text of such a file; ValueError where it is none."""
    document = tomllib.loads(text)
    return {section: dict(held) for section, held in _sections(document) if section != "pinned"}


def pinned(text: str) -> tuple[str, str]:
    """Return the minor version of Python, and the system and processor, for which the counts hold."""
    held = tomllib.loads(text)["pinned"]
    return held["python"], held["machine"]


def written(budgets: Budgets) -> str:
    """Return the text of the file."""
    lines = [_HEADER, "[pinned]", *(f"{name} = {json.dumps(value)}" for name, value in _PINNED.items())]
    for section, held in sorted(budgets.items()):
        lines += ["", f"[{section}]", *(f"{name} = {_value(budget)}" for name, budget in held.items())]
    return "\n".join(lines) + "\n"


def read_modules(text: str) -> dict[str, set[str]]:
    """Return the names of the product's modules by the function that imports them."""
    modules: defaultdict[str, set[str]] = defaultdict(set)
    for line in text.splitlines():
        module, *functions = line.split()
        for function in functions:
            modules[function].add(module)
    return modules


def written_modules(modules: Mapping[str, frozenset[str]]) -> str:
    """Return a line for each module: its name, and the functions that import it before their first answer."""
    names = sorted({name for imported in modules.values() for name in imported})
    lines = [" ".join([name, *(each for each in sorted(modules) if name in modules[each])]) for name in names]
    return "\n".join(lines) + "\n"


def _sections(document: Mapping[str, object], prefix: str = "") -> Iterator[tuple[str, Mapping[str, Budget]]]:
    for name, table in document.items():
        if not isinstance(table, dict):
            raise ValueError(f"{prefix}{name} is in no section.")  # noqa: TRY004 (a fault of the file)
        values: dict[str, object] = table
        if any(isinstance(value, dict) and "count" not in value for value in values.values()):
            yield from _sections(values, f"{prefix}{name}.")
        elif prefix or name != "pinned":
            yield f"{prefix}{name}", {key: _budget(value) for key, value in values.items()}


def _budget(value: object) -> Budget:
    match value:
        case int(count):
            return Budget(count)
        case {"count": int(count), "reason": str(reason)}:
            return Budget(count, reason)
        case _:
            raise ValueError(f"{value} is neither a count nor a count with its reason.")


def _value(budget: Budget) -> str:
    if budget.reason is None:
        return str(budget.count)
    return f"{{ count = {budget.count}, reason = {json.dumps(budget.reason, ensure_ascii=False)} }}"
