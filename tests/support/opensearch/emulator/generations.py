"""The services that the emulator can be.

Facts: AWS's developer guide of OpenSearch Serverless, "Supported operations and plugins" and "Working with vector
search collections".
"""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final


@dataclass(frozen=True, slots=True)
class Generation:
    """What sets one service apart.

    Attributes:
        serverless: only the calls that Serverless lists, and only signed ones.
        custom_ids: a document may be given an id, or updated by one.
        names_engine: the mapping of a vector says which engine it is for.
        scripts: Painless within a query.
        shows_vectors: `_source` holds vectors without being asked for them.
        visible_after: seconds between refreshes.
        settles_in: seconds until a new index is searched.
    """

    serverless: bool
    custom_ids: bool
    names_engine: bool
    scripts: bool
    shows_vectors: bool
    visible_after: int
    visible_in: int


GENERATIONS: Final[Mapping[str, Generation]] = MappingProxyType(
    {
        "opensearch": Generation(
            serverless=False,
            custom_ids=True,
            names_engine=True,
            scripts=True,
            shows_vectors=True,
            visible_after=1,
            visible_in=0,
        ),
        "serverless-classic": Generation(
            serverless=True,
            custom_ids=False,
            names_engine=True,
            scripts=False,
            shows_vectors=True,
            visible_after=60,
            visible_in=10,
        ),
        "serverless-nextgen": Generation(
            serverless=True,
            custom_ids=True,
            names_engine=False,
            scripts=True,
            shows_vectors=False,
            visible_after=10,
            visible_in=0,
        ),
    }
)
"""By the name of the setting."""
