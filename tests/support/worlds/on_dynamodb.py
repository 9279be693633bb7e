"""The product with documents, collections and definitions in DynamoDB, for histories of persons and runs."""

from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

import pytest

from groundwire.settings.environment import Settings
from groundwire.wiring.local.services import LocalServices
from tests.support.registry.backends import dynamo_place, opened
from tests.support.worlds.exchange import exchange
from tests.support.worlds.world import World, at_home, plain_services


@contextmanager
def open_world_on_dynamodb(url: str, home: Path, patch: pytest.MonkeyPatch) -> Generator[World]:
    """Open a world with the records behind the address, also after a restart."""
    with opened(dynamo_place(url)) as stores:

        def services(chosen: Settings) -> LocalServices:
            made = plain_services(chosen)
            # What a decision reads and writes; keys and tenants have suites of their own.
            exchange(made, documents=stores.documents, collections=stores.collections, definitions=stores.definitions)
            return made

        patch.setattr("groundwire.wiring.local.services.open_home", services)
        with at_home(home, patch) as world:
            yield world
