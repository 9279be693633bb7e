"""The product with its index on a real OpenSearch, for the callers and owners of the isolation tests."""

from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Final, Literal

import pytest

from groundwire.adapters.local.registry.index_generations import SqliteIndexGenerations
from groundwire.domain.access.policy import NO_READERS, Policy, single_policy
from groundwire.domain.documents.source_file import NO_CONTRIBUTOR, Contributor
from groundwire.ports import DocumentVersion
from groundwire.ports.indexes import IndexKind
from groundwire.services.ingest.request import IngestResult
from groundwire.settings.environment import Settings
from groundwire.wiring.local.services import LocalServices
from tests.support.models.hashed_words import HashedWords
from tests.support.opensearch.emulator import GENERATIONS, OpenSearchEmulator, opened
from tests.support.opensearch.indexes import indexes_at
from tests.support.worlds.exchange import exchange
from tests.support.worlds.homes import fresh_home
from tests.support.worlds.world import World, at_home, plain_services

AFTER_ITS_TIME: Final = ("serverless-classic", "serverless-nextgen")
"""Services that show writes with a delay."""


@contextmanager
def open_world_at(emulated: OpenSearchEmulator, home: Path, patch: pytest.MonkeyPatch) -> Generator[World]:
    """As `open_world`, with the indexes behind the emulator."""

    def services(chosen: Settings) -> LocalServices:
        made = plain_services(chosen)
        for name, kind in {"indexes": IndexKind.PASSAGES, "image_indexes": IndexKind.IMAGES}.items():
            generations = SqliteIndexGenerations(made.stores.database, kind)
            indexes = indexes_at(emulated.url, emulated.name, generations, HashedWords.model, kind)
            exchange(made, **{name: indexes})
        return made

    patch.setattr("groundwire.wiring.local.services.open_home", services)
    with at_home(home, patch) as world:
        yield world


@contextmanager
def open_lagging_world(node: str, service: str, patch: pytest.MonkeyPatch) -> Generator["Lagging"]:
    """The same on a service that shows writes when its own time has passed."""
    delay = GENERATIONS[service].visible_after
    with fresh_home() as home, opened(node, service, delay) as emulated, open_world_at(emulated, home, patch):
        yield Lagging(emulated)


class Lagging(World):
    """Files that come in are seen at once; what is changed otherwise is not seen before the next file.

    Attributes:
        emulator: of the service, whose clock moves only here and in tests.
    """

    def __init__(self, emulated: OpenSearchEmulator) -> None:
        self.emulated = emulated

    def tenant(self, name: str) -> str:
        """A new tenant's id; its indexes are old enough to be searched."""
        made = super().tenant(name)
        for indexes in (self.services.stores.indexes, self.services.stores.image_indexes):
            # Nothing is in it, but it is there.
            indexes.for_tenant(made).put(DocumentVersion("none", 1), single_policy(NO_READERS), [])
        self.emulated.advance(GENERATIONS[self.emulated.name].visible_in)
        return made

    def ingest(
        self,
        tenant: str,
        text: str | bytes,
        policy: Policy,
        *,
        path: str,
        doc_id: str | None = None,
        collection: str = "default",
        restores: bool | Literal["its document"] = True,
        contributor: Contributor = NO_CONTRIBUTOR,
    ) -> IngestResult:
        """What came of one file."""
        outcome = super().ingest(
            tenant,
            text,
            policy,
            path=path,
            doc_id=doc_id,
            collection=collection,
            restores=restores,
            contributor=contributor,
        )
        self.emulated.become_visible()
        return outcome
