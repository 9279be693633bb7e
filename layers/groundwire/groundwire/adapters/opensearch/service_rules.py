"""Capabilities of the services that speak OpenSearch: an ordinary cluster, and both generations of Serverless.

Source: AWS's developer guide of OpenSearch Serverless, "Working with vector search collections" and "Supported
operations". No call tells which service answers, so it is a setting.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final


@dataclass(frozen=True, slots=True)
class ServiceRules:
    """Rules of one service.

    Attributes:
        custom_ids: the writer may choose a document's id, so that writing it again changes nothing.
        may_refuse_ids: sources disagree on `custom_ids`, so each index learns it from the service's first answer.
        vector_field: members of a vector's mapping besides its dimension.
        visible_after_seconds: time until a write is visible; 0 where the write waits for it.
        refreshes: a write can wait until it is visible.
        signed: requests need an AWS signature for the service `aoss`.
        sleeps: the service sleeps while no request comes, and costs nothing then.
        settings: settings of an index besides its analysis.
    """

    name: str
    custom_ids: bool
    may_refuse_ids: bool
    vector_field: Mapping[str, Any]
    visible_after_seconds: int
    refreshes: bool
    signed: bool
    sleeps: bool
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
                may_refuse_ids=False,
                vector_field={"method": _hnsw(engine="lucene")},
                visible_after_seconds=0,
                refreshes=True,
                signed=False,
                sleeps=False,
                # One tenant's rows are few: more shards would only add work to each search.
                settings={"number_of_shards": 1},
            ),
            ServiceRules(
                name="serverless-classic",
                custom_ids=False,
                may_refuse_ids=False,
                vector_field={"method": _hnsw(engine="faiss")},
                visible_after_seconds=60,
                refreshes=False,
                signed=True,
                sleeps=False,
                settings={},
            ),
            ServiceRules(
                name="serverless-nextgen",
                # "Working with vector search collections" permits them. "Collection types" of AWS's Migration Assistant
                # says that the service assigns the ids of this type.
                custom_ids=True,
                may_refuse_ids=True,
                # The default of this service is one bit per number. The mapping sets the level and no `mode`.
                vector_field={"compression_level": "1x", "space_type": "innerproduct"},
                visible_after_seconds=10,
                refreshes=False,
                signed=True,
                sleeps=True,
                settings={},
            ),
        )
    }
)
"""Rules by the service's name in `GROUNDWIRE_INDEX_SERVICE`."""
