"""Fetch of small JSON documents of the identity provider: no redirects, bounded time and size."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from groundwire.adapters.egress_errors import as_unavailable
from groundwire.domain.errors import Unavailable
from groundwire.domain.keys.forms.oauth import IdentityProvider
from groundwire.domain.text.json_values import require_mapping
from groundwire_egress import AllowedHosts, EgressClient, EgressError, EgressLimits, EgressRequest
from groundwire_egress.destinations import Destination, parse_destination

MAX_BYTES: Final = 256 * 1024
MAX_ANSWER_BYTES: Final = MAX_BYTES + 64 * 1024
"""Size of an answer with its header."""
FETCH_SECONDS: Final = 3.0
"""Time for one document; two documents and an admission fit into the authorizer's eight seconds."""
RETRY_SECONDS: Final = 10
_LIMITS: Final = EgressLimits(FETCH_SECONDS, MAX_ANSWER_BYTES, redirects=0)
_OK: Final = 200


@dataclass(frozen=True, slots=True)
class JsonDocument:
    """A JSON object, with the Cache-Control header in lower case (empty without one)."""

    members: Mapping[str, object]
    cache_control: str


class ProviderDocuments:
    """Documents of one provider, by a client that may call its hosts.

    Attributes:
        send: sends a request to the provider.

    Args:
        allowed: hosts that the operator allows; those of the settings that name the provider are added.
        ca_file: as of `EgressClient`.
    """

    def __init__(self, provider: IdentityProvider, allowed: AllowedHosts, ca_file: str | None) -> None:
        named = [provider_destination(url) for url in (provider.issuer, provider.jwks_url) if url is not None]
        entries = allowed.entries | {(each.host, each.port) for each in named}
        self.send: Final = EgressClient(AllowedHosts(entries), ca_file).send

    def fetch(self, url: str) -> JsonDocument:
        """Return the document at `url`.

        Raises:
            Unavailable: the document cannot be fetched now.
        """
        try:
            with self.send(EgressRequest("GET", url, {"accept": "application/json"}, None, _LIMITS)) as answer:
                if answer.status != _OK:
                    raise _unavailable(f"it answered {answer.status}")
                body = answer.read()
                cache_control = answer.headers.get("cache-control", "").lower()
        except EgressError as error:
            raise _unavailable(str(error).rstrip(".")) from error
        if len(body) > MAX_BYTES:
            raise _unavailable(f"its answer has more than {MAX_BYTES} bytes")
        return JsonDocument(_members(body), cache_control)


def provider_destination(url: str) -> Destination:
    """Return the host and port of a provider's URL.

    Raises:
        Unavailable: the URL must not be called.
    """
    try:
        return parse_destination(url)
    except EgressError as error:
        raise as_unavailable(error) from error


class ProviderUnavailable(Unavailable):
    """Error when a document of the identity provider cannot be fetched."""


def _members(body: bytes) -> Mapping[str, object]:
    try:
        value: object = json.loads(body)
    except (ValueError, RecursionError):
        raise _unavailable("its answer is no JSON") from None
    return require_mapping(value, _unavailable("its answer is no JSON object"))


def _unavailable(reason: str) -> ProviderUnavailable:
    return ProviderUnavailable(f"The identity provider's keys cannot be fetched: {reason}.", RETRY_SECONDS)
