"""Decisions of persons last where the records are in DynamoDB, and where the index is an OpenSearch."""

from pathlib import Path

import pytest

from tests.isolation.bucketing import run_bucket
from tests.isolation.deciding import run_decisions
from tests.support.opensearch.emulator import opened
from tests.support.worlds.homes import fresh_home
from tests.support.worlds.on_dynamodb import open_world_on_dynamodb
from tests.support.worlds.on_opensearch import open_world_at

HISTORIES = 4
"""Histories in an engine of its own, whose requests cost more than those of SQLite."""
MANAGED = "opensearch"
"""Service that shows a write at once, as the promise is about each step."""


def test_no_run_undoes_what_a_person_decided_where_the_records_are_in_dynamodb(
    dynamodb_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with fresh_home() as home, open_world_on_dynamodb(dynamodb_url, home, monkeypatch) as world:
        run_decisions(world, tmp_path, examples=HISTORIES)


def test_no_run_undoes_what_a_person_decided_where_the_index_is_an_opensearch(
    opensearch_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with (
        fresh_home() as home,
        opened(opensearch_url, MANAGED) as emulated,
        open_world_at(emulated, home, monkeypatch) as world,
    ):
        run_decisions(world, tmp_path, examples=HISTORIES)


def test_no_order_of_bucket_events_undoes_what_a_person_decided_where_the_index_is_an_opensearch(
    opensearch_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with (
        fresh_home() as home,
        opened(opensearch_url, MANAGED) as emulated,
        open_world_at(emulated, home, monkeypatch) as world,
    ):
        run_bucket(world, examples=HISTORIES)
