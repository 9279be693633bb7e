"""Pins of clients that fall behind are named; of several pins of a package the newest counts."""

import json
from pathlib import Path

import pytest

from tests.e2e.clients.environments import LOCKS
from tests.e2e.clients.pins import Behind, Pin, behind, newest_pins

RELEASES = {"mcp": "2.4.0", "langchain": "1.5.2", "fastmcp": "4.1.2", "@scope/sdk": "1.32.2", "beta": "1.0"}


@pytest.fixture
def locks(tmp_path: Path) -> Path:
    for folder, pins in {"mcp-1.9": "mcp==1.9.4\n", "mcp-2.3": "mcp==2.3.0\n", "more": "fastmcp==4.1.2\n"}.items():
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "requirements.in").write_text(pins)
    (tmp_path / "agents").mkdir()
    (tmp_path / "agents" / "requirements.in").write_text("langchain[all]==1.5.10\nbeta==1.1.0b2\n")
    (tmp_path / "node").mkdir()
    (tmp_path / "node" / "package.json").write_text(json.dumps({"dependencies": {"@scope/sdk": "1.30.0"}}))
    return tmp_path


def test_the_newest_pin_of_a_package_is_compared_by_its_number(locks: Path) -> None:
    found = behind(newest_pins(locks), lambda pin: RELEASES[pin.package])
    assert list(map(str, found)) == [
        "mcp 2.3.0 (mcp-2.3): newest is 2.4.0",
        "@scope/sdk 1.30.0 (node): newest is 1.32.2",
    ]


def test_a_package_for_which_nobody_answers_is_named(locks: Path) -> None:
    found = behind(newest_pins(locks), lambda _pin: None)
    assert len(found) == len(newest_pins(locks)) == 5
    assert str(Behind(Pin("mcp", "2.3.0", "mcp-2.3", is_node=False), None)) == "mcp 2.3.0 (mcp-2.3): no answer"


def test_every_lock_names_a_package_that_can_be_compared() -> None:
    assert {each.name for each in LOCKS.iterdir() if each.is_dir()} == {
        file.parent.name for name in ("requirements.in", "package.json") for file in LOCKS.glob(f"*/{name}")
    }
    assert len(newest_pins(LOCKS)) > 15
