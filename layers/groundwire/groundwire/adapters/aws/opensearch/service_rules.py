"""What the services that speak OpenSearch allow, as data: an ordinary cluster and both generations of Serverless.

Facts: AWS's developer guide of OpenSearch Serverless, "Working with vector search collections" and "Supported
operations". No call tells which of them answers, so it is a setting.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final


@dataclass(frozen=True, slots=True)
class ServiceRules:
    """How one service is used.

    Attributes:
        custom_ids: a document may be given its id, so that writing it again changes nothing.
        vector_field: what the mapping of a vector says beside its dimension.
        visible_after_seconds: how long a write may stay unseen; 0 where it waits for its own visibility.
        refreshes: a write can wait until it is seen.
        signed: requests carry AWS's signature for the service `aoss`.
        settings: of an index, beside those of its analysis.
    """

    name: str
    custom_ids: bool
    vector_field: Mapping[str, Any]
    visible_after_seconds: int
    refreshes: bool
    signed: bool
    settings: Mapping[str, Any]


def _hnsw(**engine: str) -> dict[str, Any]:
    return {"name": "hnsw", "space_type": "innerproduct", **engine}


SERVICES: Final[Mapping[str, ServiceRules]] = MappingProxyType(
    {
        rules.name: rules
        for rules in (
            ServiceRules(
                name="opensearch",
                custom_ids=True,
                vector_field={"method": _hnsw(engine="lucene")},
                visible_after_seconds=0,
                refreshes=True,
                signed=False,
                # Several shards would each score words by their own statistics.
                settings={"number_of_shards": 1},
            ),
            ServiceRules(
                name="serverless-classic",
                custom_ids=False,
                vector_field={"method": _hnsw(engine="faiss")},
                visible_after_seconds=60,
                refreshes=False,
                signed=True,
                settings={},
            ),
            ServiceRules(
                name="serverless-nextgen",
                custom_ids=True,
                # The default of this service is one bit per number. The mapping sets the level and no `mode`.
                vector_field={"compression_level": "1x", "space_type": "innerproduct"},
                visible_after_seconds=10,
                refreshes=False,
                signed=True,
                settings={},
            ),
        )
    }
)
"""By the name that `GROUNDWIRE_INDEX_SERVICE` has for it."""
