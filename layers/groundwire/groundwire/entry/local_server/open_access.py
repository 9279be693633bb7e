"""Calls without a key that count as calls with one: the development mode of `groundwire serve --open-as`.

Whoever can open a connection to the server has the rights of the key, so the server is bound to loopback. A page of
another origin and a proxy's client are not on this machine: their calls stay without a key.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final

from groundwire.domain.keys.identity import AUTHORIZATION_HEADER, CREDENTIAL_HEADERS
from groundwire.domain.keys.key_text import Secret
from groundwire.entry.gateway.events import GatewayRequest, merged_headers
from groundwire.protocol.transport.origins import AllowedOrigins

_PAGES_OF_THIS_MACHINE: Final = AllowedOrigins(frozenset(), allows_loopback=True)
_PROXY_HEADERS: Final = frozenset({"forwarded", "via", "x-forwarded-for", "x-forwarded-host", "x-real-ip"})


@dataclass(frozen=True, slots=True)
class OpenAccess:
    """Path on which calls without a key get this one.

    Attributes:
        path: as a request line has it, without a query.
    """

    path: str
    key: Secret

    def with_key(self, request: GatewayRequest) -> GatewayRequest:
        """Return the request with the key, if it is one of this machine's to the path and has no credential."""
        headers = merged_headers(request.headers)
        if (
            request.raw_path != self.path
            or not _is_local(headers)
            or any(name in headers for name in CREDENTIAL_HEADERS)
        ):
            return request
        bearer = AUTHORIZATION_HEADER, f"Bearer {self.key.reveal()}"
        return replace(request, headers=(*request.headers, bearer))


def _is_local(headers: Mapping[str, str]) -> bool:
    return _PAGES_OF_THIS_MACHINE.allows(headers.get("origin")) and _PROXY_HEADERS.isdisjoint(headers)
