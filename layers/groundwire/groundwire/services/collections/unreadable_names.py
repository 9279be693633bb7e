"""Names of a call's collections in which its caller can read nothing, for an answer without passages."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from groundwire.domain.access.similar_tags import nearest_tag
from groundwire.domain.keys.grants import ALL_COLLECTIONS, CollectionGrant
from groundwire.domain.limits import MAX_NAME_CHARACTERS

if TYPE_CHECKING:
    from groundwire.domain.keys.caller import Caller
    from groundwire.services.collections.readable import ReadableCollections

_MOST_NAMED: Final = 3

UnreadableNamesFunction = Callable[["Caller", CollectionGrant], str | None]
"""Function such as `UnreadableNames`."""


class UnreadableNames:
    """Notice about misspelled names, which is the same for hidden, empty and unknown collections."""

    def __init__(self, readable: "Callable[[], ReadableCollections]") -> None:
        self._readable = readable

    def __call__(self, caller: "Caller", named: CollectionGrant) -> str | None:
        """Return a sentence about the names without a document for the caller; None where each has one.

        Args:
            caller: its rights alone decide which collections exist.
            named: as the call has them, also those beyond the key.
        """
        if named == ALL_COLLECTIONS:
            return None
        readable = self._readable()
        names = sorted(named)
        if not (missing := sorted(named - readable.existing(caller, names))):
            return None
        # Both lookups are made for any name, so that their time does not differ for a hidden collection.
        existing = [each.name for each in readable.all(caller)]
        meant = sorted({near for name in missing if (near := nearest_tag(name, existing)) is not None})
        question = f" Did you mean {_listed(meant)}?" if meant else ""
        return f"No document that this user may read is in: {_listed(missing)}.{question}"


def _listed(names: list[str]) -> str:
    more = "" if len(names) <= _MOST_NAMED else f" and {len(names) - _MOST_NAMED} more"
    return ", ".join(repr(name[:MAX_NAME_CHARACTERS]) for name in names[:_MOST_NAMED]) + more
