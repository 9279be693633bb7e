"""The audit lines of a key's calls have the days left from 30 days before its end, over MCP and over REST."""

import json
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from groundwire.domain.keys.api_key import days_before_expiry
from groundwire.services.keys.admin import KeyWithSecret
from tests.support.registry.key_specs import agents_key
from tests.support.worlds.homes import fresh_home
from tests.support.worlds.world import World, caller, open_world

DAY_S = 86_400.0


@pytest.fixture
def world(monkeypatch: pytest.MonkeyPatch) -> Iterator[World]:
    monkeypatch.setenv("POWERTOOLS_METRICS_DISABLED", "true")
    with fresh_home() as home, open_world(home, monkeypatch) as opened:
        yield opened


def key_for(world: World, days: int) -> KeyWithSecret:
    return world.services.administration.key_admin.create(
        replace(agents_key(world.tenant(f"days-{days}")), expires_in_days=days)
    )


def last_line(world: World) -> dict[str, Any]:
    return dict(json.loads((world.services.settings.home / "audit.jsonl").read_text().splitlines()[-1]))


@pytest.mark.parametrize(("days", "left"), [(1, 0), (12, 11), (30, 29)])
def test_a_call_of_a_key_in_its_last_thirty_days_is_on_record_with_the_days_left(
    world: World, days: int, left: int
) -> None:
    headers = caller(key_for(world, days), "ann")
    assert world.search(headers, "pump").status == 200
    assert last_line(world)["key_expires_in_days"] == left
    assert world.request("GET", "/v1/status", headers, b"").status == 200
    assert last_line(world)["key_expires_in_days"] == left


def test_a_call_of_a_key_with_more_time_is_on_record_without(world: World) -> None:
    assert world.search(caller(key_for(world, 32), "ann"), "pump").status == 200
    assert "key_expires_in_days" not in last_line(world)


@pytest.mark.parametrize(
    ("seconds", "days"),
    [(31 * DAY_S, None), (30 * DAY_S + 1, None), (30 * DAY_S, 30), (DAY_S, 1), (DAY_S - 1, 0), (1, 0), (0, None)],
)
def test_whole_days_are_counted_until_the_end_and_none_after_it(seconds: float, days: int | None) -> None:
    assert days_before_expiry(1_800_000_000.0 + seconds, 1_800_000_000.0) == days


@pytest.mark.parametrize("expires_at", [None, 1_700_000_000.0, 10**15 * DAY_S])
def test_a_key_that_has_ended_or_never_does_has_no_days_left(expires_at: float | None) -> None:
    assert days_before_expiry(expires_at, 1_800_000_000.0) is None
