"""The services that the emulator can be.

Facts: AWS's developer guide of OpenSearch Serverless, "Supported operations and plugins" and "Working with vector
search collections". On one fact AWS's pages disagree: whether NextGen takes a document's id from the writer. So the
emulator can be NextGen by either reading, and the second one in both forms of a refusal.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Final


@dataclass(frozen=True, slots=True)
class Generation:
    """What sets one service apart.

    Attributes:
        service: what the setting calls it.
        serverless: only the calls that Serverless lists, and only signed ones.
        custom_ids: a document may be given an id, or updated by one.
        refuses_bulks: a bulk with an id that it does not take is refused as a whole, and not line by line.
        names_engine: the mapping of a vector says which engine it is for.
        scripts: Painless within a query.
        shows_vectors: `_source` holds vectors without being asked for them.
        visible_after: seconds between refreshes.
        settles_in: seconds until a new index is searched.
    """

    service: str
    serverless: bool
    custom_ids: bool
    refuses_bulks: bool
    names_engine: bool
    scripts: bool
    shows_vectors: bool
    visible_after: int
    visible_in: int


_NEXTGEN: Final = Generation(
    service="serverless-nextgen",
    serverless=True,
    custom_ids=True,
    refuses_bulks=False,
    names_engine=False,
    scripts=True,
    shows_vectors=False,
    visible_after=10,
    visible_in=0,
)

NEXTGEN_WITHOUT_IDS: Final = "serverless-nextgen-without-ids"
"""NextGen by the reading that the service gives the ids."""

NEXTGEN_WITHOUT_IDS_IN_BULKS: Final = "serverless-nextgen-without-ids-in-bulks"
"""The same, where one id has all of a bulk refused."""

GENERATIONS: Final[Mapping[str, Generation]] = MappingProxyType(
    {
        "opensearch": Generation(
            service="opensearch",
            serverless=False,
            custom_ids=True,
            refuses_bulks=False,
            names_engine=True,
            scripts=True,
            shows_vectors=True,
            visible_after=1,
            visible_in=0,
        ),
        "serverless-classic": Generation(
            service="serverless-classic",
            serverless=True,
            custom_ids=False,
            refuses_bulks=False,
            names_engine=True,
            scripts=False,
            shows_vectors=True,
            visible_after=60,
            visible_in=10,
        ),
        "serverless-nextgen": _NEXTGEN,
        NEXTGEN_WITHOUT_IDS: replace(_NEXTGEN, custom_ids=False),
        NEXTGEN_WITHOUT_IDS_IN_BULKS: replace(_NEXTGEN, custom_ids=False, refuses_bulks=True),
    }
)
"""By the name of the setting, or of a reading of it."""
