"""Connection settings of the service that holds the indexes, in place of the embedded index."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from types import MappingProxyType
from typing import Final

from groundwire.domain.errors import InvalidInput
from groundwire_egress.secure_urls import is_secure_url


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
_DEFAULT_SERVICE: Final = "opensearch"


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


def parse_index_service(given: Mapping[str, str]) -> IndexService | None:
    """Parse the settings that are not empty; None means the embedded index.

    Raises:
        InvalidInput: a value is not valid; the message says what it must be.
    """
    address = given.get("INDEX")
    if address is None:
        return None
    if not is_secure_url(address):
        raise InvalidInput("GROUNDWIRE_INDEX must be the https address of an OpenSearch (http on this machine only).")
    service = given.get("INDEX_SERVICE", _DEFAULT_SERVICE)
    if service not in INDEX_SERVICES:
        raise InvalidInput(f"GROUNDWIRE_INDEX_SERVICE must be one of {', '.join(INDEX_SERVICES)}, not {service!r}.")
    user, password = given.get("INDEX_USER"), given.get("INDEX_PASSWORD")
    if (user is None) != (password is None):
        raise InvalidInput("Set both GROUNDWIRE_INDEX_USER and GROUNDWIRE_INDEX_PASSWORD, or none of them.")
    login = None if user is None or password is None else (user, password)
    return IndexService(address.rstrip("/"), service, given.get("INDEX_COLLECTION"), login)
