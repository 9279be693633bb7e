"""Names of indexes in a call: names, patterns, `_all` and exclusions, expanded over what exists for the caller."""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Final

from groundwire.dialects.opensearch.errors import illegal_argument, index_not_found
from groundwire.dialects.opensearch.query.name_patterns import MAX_PATTERN_CHARACTERS, is_match

if TYPE_CHECKING:
    from groundwire.dialects.declaration.services import DialectServices
    from groundwire.services.call_context import CallContext

ALL: Final = "_all"
_MAX_NAMES: Final = 100


def split_names(expression: str) -> list[str]:
    """Return the names of a comma-separated list, as paths have it."""
    return [name for name in expression.split(",") if name]


class IndexNames:
    """Expansion of names for callers; a hidden collection is absent from every answer."""

    def __init__(self, services: "DialectServices") -> None:
        self._services = services

    def expand(self, call: "CallContext", names: Sequence[str] | None, *, ignores_unknown: bool = False) -> list[str]:
        """Return the collections of these names, each once.

        Args:
            call: whose rights decide what exists.
            names: names in the order in which they are expanded, patterns with `*`, `_all`, and after these `-x`, which
                takes away; None: all.
            ignores_unknown: a name without a pattern that does not exist is left out.

        Raises:
            OpenSearchError: a name without a pattern does not exist for the caller, or there are too many names.
        """
        wanted = [ALL] if names is None else list(names)
        if len(wanted) > _MAX_NAMES or any(len(name) > MAX_PATTERN_CHARACTERS for name in wanted):
            raise illegal_argument(
                f"A call can name at most {_MAX_NAMES} indices of {MAX_PATTERN_CHARACTERS} characters each."
            )
        plain = [name for name in wanted if not is_pattern(name)]
        readable = self._services.reading.readable_collections
        # Plain names are looked up alone; only a pattern needs the list of all collections.
        if len(plain) == len(wanted):
            existing: Iterable[str] = readable.existing(call.caller, plain)
        else:
            existing = sorted(each.name for each in readable.all(call.caller))
        return _expand(wanted, list(existing), ignores_unknown=ignores_unknown)


def is_pattern(name: str) -> bool:
    """Return whether a name is a pattern: it may match several indexes, or none without being an error."""
    return name == ALL or "*" in name


def _expand(wanted: Sequence[str], existing: Sequence[str], *, ignores_unknown: bool) -> list[str]:
    found: dict[str, None] = {}
    has_pattern = False
    for name in wanted:
        # The engine excludes by `-x` only after a pattern; before one it is a name.
        if has_pattern and name.startswith("-"):
            for excluded in _matching(name[1:], existing):
                found.pop(excluded, None)
        elif is_pattern(name):
            has_pattern = True
            found |= dict.fromkeys(_matching(name, existing))
        elif name in existing:
            found[name] = None
        elif not ignores_unknown:
            raise index_not_found(name)
    return list(found)


def _matching(pattern: str, existing: Sequence[str]) -> list[str]:
    if pattern == ALL:
        return list(existing)
    return [name for name in existing if is_match(pattern, name)]
