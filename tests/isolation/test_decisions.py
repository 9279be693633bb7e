"""Decisions of persons about documents, which last whatever is ingested afterwards."""

from pathlib import Path

import pytest

from tests.isolation.bucketing import run_bucket
from tests.isolation.deciding import run_decisions
from tests.support.isolation.histories import RecordedHistory
from tests.support.isolation.leaks.decisions import BUCKET_BUGS, BUGS
from tests.support.worlds.world import World

BUDGET = 60
"""Histories that a bug may need to show."""


def test_no_run_undoes_what_a_person_decided(world: World, tmp_path: Path) -> None:
    run_decisions(world, tmp_path, examples=12)


@pytest.mark.parametrize("bug", BUGS)
def test_the_machine_of_decisions_finds_a_product_in_which(
    bug: str, world: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    BUGS[bug](monkeypatch)
    with pytest.raises(AssertionError):
        run_decisions(world, tmp_path, examples=BUDGET, history=RecordedHistory(f"Deciding: {bug}"))


def test_no_order_of_bucket_events_undoes_what_a_person_decided(world: World) -> None:
    run_bucket(world, examples=40)


@pytest.mark.parametrize("bug", BUCKET_BUGS)
def test_the_machine_of_bucket_events_finds_a_product_in_which(
    bug: str, world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    BUCKET_BUGS[bug](monkeypatch)
    with pytest.raises(AssertionError):
        run_bucket(world, examples=5 * BUDGET, history=RecordedHistory(f"Bucketing: {bug}"))
