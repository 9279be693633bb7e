"""Search requests of the service suites."""

from collections.abc import Sequence

from groundwire.domain.filters.expression import Filter
from groundwire.domain.keys.caller import Caller
from groundwire.domain.keys.grants import ALL_COLLECTIONS
from groundwire.domain.search.request import ALL_DOCUMENTS, SearchRequest


def requested(
    caller: Caller, phrases: Sequence[str], top_n: int, where: Filter | None = None
) -> tuple[Caller, SearchRequest]:
    """The arguments of a search that narrows by nothing but `where`; `top_n` has no bound, as in a measurement."""
    request = SearchRequest.for_caller(
        caller,
        phrases,
        collections=ALL_COLLECTIONS,
        documents=ALL_DOCUMENTS,
        where=where,
        top_n=top_n,
        max_top_n=top_n,
    )
    return caller, request
