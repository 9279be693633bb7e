"""Collections that a call names, with the default name, and the filter over the fields of their documents."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from groundwire.dialects.foundry.arguments import wrong_argument
from groundwire.dialects.foundry.schemas import DEFAULT_COLLECTION
from groundwire.domain.errors import InvalidInput
from groundwire.domain.keys.grants import ALL_COLLECTIONS, CollectionGrant

if TYPE_CHECKING:
    from groundwire.domain.filters.expression import Filter
    from groundwire.domain.keys.caller import Caller
    from groundwire.services.collections.readable import ReadableCollections
    from groundwire.services.collections.readable_fields import ReadableFields


class RequestedCollections:
    """Resolution of a call's names and filter under the caller's rights."""

    def __init__(self, readable: "ReadableCollections", fields: "Callable[[], ReadableFields]") -> None:
        self._readable = readable
        self._fields = fields

    def grants(self, caller: "Caller", names: Sequence[str]) -> list[CollectionGrant]:
        """Return the collections of each name.

        A name is its collection, whether or not it exists. The default name is that of all collections of the key
        unless a collection of this name exists for the caller.
        """
        # The reference's own examples name this collection, which no tenant need have.
        is_default = DEFAULT_COLLECTION in names and not self._readable.existing(caller, [DEFAULT_COLLECTION])
        return [ALL_COLLECTIONS if is_default and name == DEFAULT_COLLECTION else frozenset({name}) for name in names]

    def read_filter(self, caller: "Caller", text: str | None, grants: Sequence[CollectionGrant]) -> "Filter | None":
        """Return the filter of an expression.

        Raises:
            ToolError: the expression cannot be read; the message has the column.
        """
        if text is None:
            return None
        # Not before: a cold start without a filter does without the parser.
        from groundwire.dialects.foundry.filter.parser import parse_filter

        try:
            return parse_filter(text, self._fields()(caller, self._names(caller, grants)))
        except InvalidInput as error:
            raise wrong_argument(f"filters: {error}") from error

    def _names(self, caller: "Caller", grants: Sequence[CollectionGrant]) -> list[str]:
        if ALL_COLLECTIONS in grants:
            return [each.name for each in self._readable.all(caller)]
        return [name for grant in grants for name in grant]
