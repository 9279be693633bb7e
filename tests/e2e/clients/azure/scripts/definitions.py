"""The same walk through definitions of any kind: created, read, listed, changed under conditions, deleted."""

# pyright: reportMissingImports=false
# The library is in the client's own environment.
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from azure.core import MatchConditions

from tests.e2e.clients.azure.scripts.client_run import outcome


@dataclass(frozen=True)
class Kind:
    """Operations of a client on one kind of definition.

    Attributes:
        make: returns a definition of a name and a description. put: creates or replaces, with a condition.
        delete: takes a definition or its name, and a condition.
    """

    make: Callable[[str, str], Any]
    create: Callable[[Any], Any]
    put: Callable[..., Any]
    get: Callable[[str], Any]
    list_all: Callable[[], Any]
    delete: Callable[..., None]


def kind_of(client: Any, what: str, make: Callable[[str, str], Any]) -> Kind:
    """The operations whose names end with `what`."""
    return Kind(
        make,
        getattr(client, f"create_{what}"),
        getattr(client, f"create_or_update_{what}"),
        getattr(client, f"get_{what}"),
        getattr(client, f"list_{what}s"),
        getattr(client, f"delete_{what}"),
    )


def walk(kind: Kind, name: str, reader: Kind) -> dict[str, str]:
    """Return the result of each step; `reader` are the operations of a key that may not write."""
    came: dict[str, str] = {}
    unchanged, absent = MatchConditions.IfNotModified, MatchConditions.IfMissing
    created = kind.create(kind.make(name, "First."))
    read = kind.get(name)
    came["create"] = "" if created.e_tag and created.e_tag == read.e_tag else f"{created.e_tag} is not {read.e_tag}"
    came["read"] = "" if (read.name, read.description) == (name, "First.") else f"{read.name}: {read.description}"
    came["list"] = "" if name in [each.name for each in kind.list_all()] else "not listed"
    came["create again"] = outcome(lambda: kind.create(kind.make(name, "Again.")))
    came["put where absent"] = outcome(lambda: kind.put(kind.make(name, "Absent."), match_condition=absent))
    stale = kind.get(name)
    read.description = "Second."
    changed = kind.put(read, match_condition=unchanged)
    came["change"] = "" if changed.description == "Second." and changed.e_tag != stale.e_tag else str(changed)
    came["change stale"] = outcome(lambda: kind.put(stale, match_condition=unchanged))
    came["delete stale"] = outcome(lambda: kind.delete(stale, match_condition=unchanged))
    came["change without rights"] = outcome(lambda: reader.put(kind.make(name, "Other.")))
    came["delete without rights"] = outcome(lambda: reader.delete(name))
    seen = reader.get(name)
    came["read without rights"] = "" if seen.description == "Second." else str(seen)
    came["delete"] = outcome(lambda: kind.delete(changed, match_condition=unchanged))
    came["read deleted"] = outcome(lambda: kind.get(name))
    came["delete deleted"] = outcome(lambda: kind.delete(name))
    return came
