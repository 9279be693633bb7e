"""What a server does before it says that it answers."""

from groundwire import wiring
from groundwire.entry.cli.console import warn


def warm(services: wiring.LocalServices) -> None:
    """The model and the indexes are loaded; an index that cannot be used is told, and the others are served."""
    for problem in services.warm():
        warn(problem)
