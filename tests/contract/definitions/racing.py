"""Entry points of processes that change one definition concurrently; they import this module by name."""

from groundwire.domain import errors
from groundwire.ports.definitions import DefinitionKind, Precondition, Presence, StoredDefinition
from tests.support.registry.backends import Place, opened
from tests.support.registry.records import NOW


def create(place: Place, number: int) -> bool:
    return _put(place, number, Presence.ABSENT)


def replace_first(place: Place, number: int) -> bool:
    return _put(place, number, "first")


def _put(place: Place, number: int, expected: Precondition) -> bool:
    """Whether this process was the one whose content was written."""
    with opened(place) as stores:
        try:
            stores.definitions.put(
                "t-acme",
                StoredDefinition(DefinitionKind.AGENT, "plan", b"{}", f"tag {number}", NOW, NOW),
                expected,
            )
        except errors.PreconditionFailed:
            return False
    return True
