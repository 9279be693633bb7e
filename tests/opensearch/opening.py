"""Indexes on a real OpenSearch, through the gate of a service."""

from collections.abc import Generator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from groundwire.adapters.aws.opensearch import SERVICES, OpenSearchIndexes, connect
from groundwire.adapters.local.registry.database import Database
from groundwire.adapters.local.registry.index_generations import SqliteIndexGenerations
from groundwire.ports import ModelId
from tests.engines import gate
from tests.engines.gate import Gate

SETTINGS: Final = ("opensearch", "serverless-classic", "serverless-nextgen")


@dataclass(frozen=True, slots=True)
class Opened:
    """Indexes, and the gate that stands before their engine."""

    indexes: OpenSearchIndexes
    gate: Gate
    standings: SqliteIndexGenerations


@contextmanager
def opened(node: str, service: str, folder: Path, model: ModelId, visible_after: float = 0) -> Generator[Opened]:
    """Indexes of nobody else, gone at the end of the block.

    Args:
        node: the address of the engine. folder: for what the registry holds of the indexes.
        visible_after: seconds of the gate's clock until a write is seen by searches.
    """
    database = Database(folder / "standings")
    with closing(database), gate.opened(node, service, visible_after) as door:
        standings = SqliteIndexGenerations(database)
        with closing(indexes_at(door.url, service, standings, model)) as indexes:
            yield Opened(indexes, door, standings)


def indexes_at(url: str, service: str, standings: SqliteIndexGenerations, model: ModelId) -> OpenSearchIndexes:
    """As one more process opens them."""
    rules = SERVICES[service]
    engine = connect(
        url,
        rules,
        collection=gate.COLLECTION if rules.signed else None,
        login=None,
        credentials=lambda: gate.CREDENTIALS,
        region=gate.REGION,
    )
    return OpenSearchIndexes(engine, rules, standings, model)
