"""Indexes on a real OpenSearch, through the emulator of a service."""

from collections.abc import Generator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from groundwire.adapters.local.registry.database import Database
from groundwire.adapters.local.registry.index_generations import SqliteIndexGenerations
from groundwire.adapters.opensearch import SERVICES, OpenSearchIndexes, connect
from groundwire.ports import ModelId
from groundwire.ports.indexes import IndexKind
from tests.support.opensearch import emulator
from tests.support.opensearch.emulator import OpenSearchEmulator

SETTINGS: Final = tuple(SERVICES)
READINGS: Final = (*SETTINGS, emulator.NEXTGEN_WITHOUT_IDS)
"""Behaviours of the service that a client may find behind these settings."""


@dataclass(frozen=True, slots=True)
class Opened:
    """Indexes, and the emulator between them and their engine."""

    indexes: OpenSearchIndexes
    emulated: OpenSearchEmulator
    index_generations: SqliteIndexGenerations


@contextmanager
def opened(node: str, service: str, folder: Path, model: ModelId, visible_after: float = 0) -> Generator[Opened]:
    """Yield indexes for one test, which are removed at the end of the block.

    Args:
        node: the address of the engine. folder: for what the registry holds of the indexes.
        service: as in the emulator's GENERATIONS.
        visible_after: seconds of the emulator's clock until a write is seen by searches.
    """
    database = Database(folder / "standings")
    with closing(database), emulator.opened(node, service, visible_after) as door:
        index_generations = SqliteIndexGenerations(database, IndexKind.PASSAGES)
        with closing(indexes_at(door.url, door.name, index_generations, model)) as indexes:
            yield Opened(indexes, door, index_generations)


def indexes_at(
    url: str,
    service: str,
    index_generations: SqliteIndexGenerations,
    model: ModelId,
    kind: IndexKind = IndexKind.PASSAGES,
) -> OpenSearchIndexes:
    """Open the indexes as one more process does."""
    rules = SERVICES[service]
    engine = connect(
        url,
        rules,
        collection=emulator.COLLECTION if rules.signed else None,
        login=None,
        credentials=lambda: emulator.CREDENTIALS,
        region=emulator.REGION,
    )
    return OpenSearchIndexes(engine, rules, kind, index_generations, model)
