"""Answers with stored token sums are those of rows without them, which an earlier release wrote."""

import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from groundwire.dialects.declaration.replay import PassagePlace, ReplayedQuestion
from groundwire.dialects.replay import DialectReplay
from groundwire.domain.access.policy import Policy, Principal
from groundwire.domain.keys.caller import Caller
from groundwire.entry.cli.search.command import local_caller
from tests.support.worlds.homes import fresh_home
from tests.support.worlds.world import World, open_world

PUBLIC = Policy(public=True, users=frozenset(), any_tags=frozenset(), all_tags=frozenset())
COLLECTION = "handbook"
QUESTION = "How heavy is the pump?"
TIMES = re.compile(r'"(took|elapsedMs)":\d+|"queryTime":"[^"]*"')
"""Members that tell the time of a call."""


@pytest.fixture
def home() -> Iterator[Path]:
    with fresh_home() as folder:
        yield folder


@pytest.fixture
def world(home: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[World]:
    with open_world(home, monkeypatch) as opened:
        # The boundary of each answer is another one.
        monkeypatch.setattr("secrets.randbelow", int)
        for name in ("expiry_at_least", "expiry_at_most"):
            monkeypatch.setattr(f"groundwire.services.documents.links.source_links.{name}", _same_expiry)
        yield opened


@pytest.fixture
def tenant(world: World) -> str:
    acme = world.tenant("acme")
    for number in range(12):
        parts = (
            f'Pump {number}: "C:\\\\tools\\\\{part}" weighs {number * part} kg; größer, 日本.' for part in range(24)
        )
        world.ingest(
            acme,
            f"# Pump {number}\n\n" + "\n\n".join(parts),
            PUBLIC,
            path=f"/files/pump{number}.md",
            doc_id=f"pump-{number}",
            collection=COLLECTION,
        )
    return acme


def _same_expiry(_now: float, _seconds: int) -> int:
    return 2_000_000_000


def _place(_caller: Caller, passage_id: str) -> PassagePlace:
    return PassagePlace(passage_id, 0)


def answers(world: World, tenant: str) -> dict[tuple[str, int], str]:
    """The answer of each dialect, for two numbers of passages."""
    agents, found = world.services.agents, dict[tuple[str, int], str]()
    caller = local_caller(Principal(tenant, None, frozenset()), frozenset({COLLECTION}), 8, 0)
    replay = DialectReplay(agents.dialects, agents.mcp_server, agents.dialect_services, _place)
    for dialect in agents.dialects:
        for top_n in (8, 20) if dialect.replay is not None else ():
            response = replay.prepare(dialect, caller, ReplayedQuestion(QUESTION, COLLECTION, top_n))()
            assert replay.passages(dialect, caller, response)
            found[dialect.name, top_n] = TIMES.sub("", response.body.decode())
    return found


@pytest.mark.parametrize("max_tokens", [700, 1_900, 20_000])
def test_answers_of_every_dialect_are_the_same_with_and_without_stored_sums(
    world: World, home: Path, tenant: str, max_tokens: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("groundwire.dialects.replay.MAX_ANSWER_TOKENS", max_tokens)
    with_sums = answers(world, tenant)
    [file] = home.glob("tenants/*/index.db")
    with closing(sqlite3.connect(file)) as connection:
        rows = connection.execute("SELECT count(*) FROM segments").fetchone()
        assert connection.execute("DELETE FROM token_sums").rowcount == rows[0] > 20
        connection.commit()

    assert answers(world, tenant) == with_sums
