"""Preparation of a server before it accepts requests."""

from typing import TYPE_CHECKING

from groundwire.entry.cli.console import warn

if TYPE_CHECKING:
    from groundwire.wiring.local.services import LocalServices


def warm(services: "LocalServices") -> None:
    """Load the model and the indexes; print a warning for each index that cannot be used, and serve the others."""
    for message in services.upkeep.warm():
        warn(message)
