"""Connection settings of the service that holds the indexes, in place of the embedded index."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from types import MappingProxyType
from typing import Final


class IndexEngine(Enum):
    """Engines besides the embedded one; a value is the engine's name in a sentence."""

    OPENSEARCH = "an OpenSearch"


INDEX_SERVICES: Final[Mapping[str, IndexEngine]] = MappingProxyType(
    {
        "opensearch": IndexEngine.OPENSEARCH,
        "serverless-classic": IndexEngine.OPENSEARCH,
        "serverless-nextgen": IndexEngine.OPENSEARCH,
    }
)
"""Engine of each value of GROUNDWIRE_INDEX_SERVICE."""


@dataclass(frozen=True, slots=True)
class IndexService:
    """Service that holds the indexes, and its connection settings.

    Attributes:
        service: one of `INDEX_SERVICES`; a serverless collection does not report whether it is Classic or NextGen.
        collection: name for each signed request, where the endpoint serves several; None: the address names it.
        credentials: user and password; None: no password authentication.
    """

    address: str
    service: str
    collection: str | None
    credentials: tuple[str, str] | None = field(repr=False)

    @property
    def engine(self) -> IndexEngine:
        """Engine of the service."""
        return INDEX_SERVICES[self.service]
