"""All facts about what a release stored."""

from typing import Any, Final

from .fixture import Fixture
from .home import read_backup, read_home
from .items import read_items
from .messages import read_contexts, read_messages
from .rows import read_rows

_READERS: Final = {
    "home": read_home,
    "backup": read_backup,
    "items": read_items,
    "messages": read_messages,
    "contexts": read_contexts,
    "rows": read_rows,
}


def facts_of(fixture: Fixture) -> dict[str, Any]:
    """By what they are about."""
    given = {"made": fixture.made, "told_contexts": fixture.json("contexts")}
    return given | {name: read(fixture) for name, read in _READERS.items()}
