"""Where the index is, where it is not the embedded one, as the settings name it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from groundwire.domain.errors import InvalidInput
from groundwire.domain.keys.oauth import is_secure_url

INDEX_SERVICES: Final = ("opensearch", "serverless-classic", "serverless-nextgen")


@dataclass(frozen=True, slots=True)
class IndexService:
    """An OpenSearch and how it is spoken to.

    Attributes:
        service: one of `INDEX_SERVICES`; the generation of a serverless collection cannot be asked for.
        collection: named in each signed request, where the endpoint serves several; None: the address names it.
        credentials: user and password; None: nobody asks for them.
    """

    address: str
    service: str
    collection: str | None
    credentials: tuple[str, str] | None = field(repr=False)


def parse_index_service(given: Mapping[str, str]) -> IndexService | None:
    """From the settings that are not empty; None: the embedded index; Raises Invalid, which says what they must be."""
    address = given.get("INDEX")
    if address is None:
        return None
    if not is_secure_url(address):
        raise InvalidInput("GROUNDWIRE_INDEX must be the https address of an OpenSearch (http on this machine only).")
    service = given.get("INDEX_SERVICE", INDEX_SERVICES[0])
    if service not in INDEX_SERVICES:
        raise InvalidInput(f"GROUNDWIRE_INDEX_SERVICE must be one of {', '.join(INDEX_SERVICES)}, not {service!r}.")
    user, password = given.get("INDEX_USER"), given.get("INDEX_PASSWORD")
    if (user is None) != (password is None):
        raise InvalidInput("Set both GROUNDWIRE_INDEX_USER and GROUNDWIRE_INDEX_PASSWORD, or none of them.")
    login = None if user is None or password is None else (user, password)
    return IndexService(address.rstrip("/"), service, given.get("INDEX_COLLECTION"), login)
