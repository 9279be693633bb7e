"""Tools, resources and prompts for the clients of each supported system: a folder each, and a line in this table.

A dialect of another package is registered as an entry point of the group `groundwire.dialects`, as these are.
See `dialects.declaration.dialect` for what a declaration says, and docs/dialects.md for how to add one.
"""

from collections.abc import Iterable
from functools import cache
from typing import Final

from groundwire.dialects.azure import AZURE
from groundwire.dialects.declaration.dialect import Dialect
from groundwire.dialects.default import DEFAULT
from groundwire.dialects.foundry import FOUNDRY
from groundwire.dialects.mindset import MINDSET
from groundwire.dialects.openai import OPENAI
from groundwire.dialects.opensearch import OPENSEARCH
from groundwire.dialects.vertex import VERTEX
from groundwire.domain.errors import InvalidInput

DIALECTS: Final = (DEFAULT, MINDSET, OPENAI, FOUNDRY, VERTEX, AZURE, OPENSEARCH)
"""The dialects of the server itself."""
ENTRY_POINTS: Final = "groundwire.dialects"
"""Group of the entry points: the name of a dialect, and the place of its declaration."""


def known_dialects(names: Iterable[str] | None) -> tuple[Dialect, ...]:
    """Return the server's own dialects, and those of other packages that have one of these names.

    Entry points are read only for a name that is not the server's: to read them imports 45 modules, for which each cold
    start would wait. A package can therefore replace no dialect of the server.

    Args:
        names: of the dialects that are switched on; None: those that are on by default, which are the server's.

    Raises:
        InvalidInput: an entry point is no dialect of its name, or has a toolset of the server's.
    """
    others = frozenset(names or ()) - {dialect.name for dialect in DIALECTS}
    return (*DIALECTS, *_registered(others)) if others else DIALECTS


@cache
def _registered(names: frozenset[str]) -> tuple[Dialect, ...]:
    from importlib.metadata import entry_points

    taken = {dialect.toolset for dialect in DIALECTS} - {None}
    found: dict[str, Dialect] = {}
    for point in entry_points(group=ENTRY_POINTS):
        if point.name not in names:
            continue
        dialect: object = point.load()
        if not isinstance(dialect, Dialect) or dialect.name != point.name or point.name in found:
            raise InvalidInput(f"The entry point {point.name} = {point.value} is not the one dialect of this name.")
        if dialect.toolset in taken:
            raise InvalidInput(f"The dialect {point.name} has the toolset {dialect.toolset} of another one.")
        found[point.name] = dialect
        taken |= {dialect.toolset} - {None}
    return tuple(found.values())
