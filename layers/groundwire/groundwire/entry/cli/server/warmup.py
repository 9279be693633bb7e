"""Preparation of a server before it accepts requests."""

from groundwire import wiring
from groundwire.entry.cli.console import warn


def warm(services: wiring.LocalServices) -> None:
    """Load the model and the indexes; print a warning for each index that cannot be used, and serve the others."""
    for message in services.warm():
        warn(message)
