"""Decisions of persons about documents, which last whatever is ingested afterwards."""

from pathlib import Path

import pytest

from tests.isolation.deciding import run_decisions
from tests.support.isolation.histories import RecordedHistory
from tests.support.isolation.leaks.decisions import BUGS
from tests.support.worlds.homes import fresh_home
from tests.support.worlds.on_dynamodb import open_world_on_dynamodb
from tests.support.worlds.world import World

BUDGET = 60
"""Histories that a bug may need to show."""
DYNAMODB_HISTORIES = 4
"""Histories in DynamoDB Local, whose transactions cost more than those of SQLite."""


def test_no_run_undoes_what_a_person_decided(world: World, tmp_path: Path) -> None:
    run_decisions(world, tmp_path, examples=12)


def test_no_run_undoes_what_a_person_decided_where_the_records_are_in_dynamodb(
    dynamodb_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with fresh_home() as home, open_world_on_dynamodb(dynamodb_url, home, monkeypatch) as world:
        run_decisions(world, tmp_path, examples=DYNAMODB_HISTORIES)


@pytest.mark.parametrize("bug", BUGS)
def test_the_machine_of_decisions_finds_a_product_in_which(
    bug: str, world: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    BUGS[bug](monkeypatch)
    with pytest.raises(AssertionError):
        run_decisions(world, tmp_path, examples=BUDGET, history=RecordedHistory(f"Deciding: {bug}"))
