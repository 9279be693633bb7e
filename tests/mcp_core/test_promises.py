"""Promises and tests meet one to one."""

from importlib import import_module
from pathlib import Path
from typing import Any

from tests.mcp_core.promises import KEPT, NOT_OFFERED

MODULES = [import_module(f"tests.mcp_core.{path.stem}") for path in Path(__file__).parent.glob("test_*.py")]


def test_every_promise_has_a_test() -> None:
    shown = {each for module in MODULES for test in vars(module).values() for each in promises_of(test)}
    assert shown == KEPT.keys()


def test_every_row_of_the_transport_and_of_json_rpc_is_either_kept_or_not_offered() -> None:
    rows = {f"H{n}" for n in range(1, 24)} | {f"J{n}" for n in range(1, 9)} | {f"F{n}" for n in range(1, 21)}
    assert rows == {row for row in (*KEPT, *NOT_OFFERED) if not row.startswith("D")}
    assert not KEPT.keys() & NOT_OFFERED.keys()


def promises_of(test: Any) -> tuple[str, ...]:
    return getattr(test, "promises", ())
