"""The description of the search tool, with what the knowledge base holds in the words of its owner."""

from typing import TYPE_CHECKING

from groundwire.domain.access.scopes import Scope, missing_scope
from groundwire.domain.errors import DomainError
from groundwire.domain.limits import MAX_LISTED_DESCRIPTIONS
from groundwire.services.call_context import CallContext

if TYPE_CHECKING:
    from collections.abc import Callable

    from groundwire.services.collections.readable import DescribedCollectionsFunction


class SearchDescription:
    """Description of a search tool for a caller.

    The text is the constant one unless an owner described a collection in which the caller can read something. No
    content of a document enters it.
    """

    def __init__(self, constant: str, find: "Callable[[], DescribedCollectionsFunction]") -> None:
        """Take the constant text, and a function that opens the stores."""
        self._constant = constant
        self._find = find

    def __call__(self, call: CallContext) -> str:
        """Return the text; the constant one as well while index or registry do not answer."""
        # A key that may not search must not learn the names of collections.
        if missing_scope(call.caller.scopes, Scope.SEARCH) is not None:
            return self._constant
        try:
            described = self._find()(call.caller)
        # A list of tools without descriptions of collections is better than none.
        except DomainError:
            return self._constant
        if not described:
            return self._constant
        from groundwire.dialects.default.list_collections import collection_line

        lines = [collection_line(each) for each in described[:MAX_LISTED_DESCRIPTIONS]]
        if len(described) > MAX_LISTED_DESCRIPTIONS:
            lines.append("- for others, call list_collections")
        return "\n".join([f"{self._constant} It contains, in its owner's words:", *lines])
