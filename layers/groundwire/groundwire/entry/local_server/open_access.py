"""Calls without a key that count as calls with one: the development mode of `groundwire serve --open-as`.

Whoever can open a connection to the server has the rights of the key, so the server is bound to loopback. A page of
another origin and the client of a proxy that names itself are elsewhere: their calls stay without a key. A proxy that
adds no header cannot be told from a program of this machine.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final

from groundwire.domain.access.call_headers import AUTHORIZATION_HEADER, CREDENTIAL_HEADERS
from groundwire.domain.keys.forms.key_text import Secret
from groundwire.entry.gateway.events import GatewayRequest, merged_headers
from groundwire.entry.http.event_paths import plain_path

_PROXY_HEADERS: Final = frozenset(
    {"forwarded", "via", "x-real-ip", "x-client-ip", "true-client-ip", "cf-connecting-ip", "cdn-loop"}
)
_PROXY_PREFIXES: Final = ("x-forwarded-", "x-original-", "x-envoy-")


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
            plain_path(request.raw_path) != self.path
            or not _is_local(headers)
            or any(name in headers for name in CREDENTIAL_HEADERS)
        ):
            return request
        bearer = AUTHORIZATION_HEADER, f"Bearer {self.key.reveal()}"
        return replace(request, headers=(*request.headers, bearer))


def _is_local(headers: Mapping[str, str]) -> bool:
    # The server checks the host name before.
    is_own_page = headers.get("origin") in {None, f"http://{headers.get('host')}"}
    return is_own_page and not any(name in _PROXY_HEADERS or name.startswith(_PROXY_PREFIXES) for name in headers)
