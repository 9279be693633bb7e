"""HTTP client: one request over https, or over http to this machine, without redirects."""

import ssl
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from email.message import Message
from http.client import HTTPException, HTTPMessage
from typing import IO, Final
from urllib.error import HTTPError, URLError
from urllib.parse import urlsplit
from urllib.request import HTTPRedirectHandler, HTTPSHandler, OpenerDirector, ProxyHandler, Request, build_opener

from groundwire import __version__
from groundwire.domain.errors import InvalidInput, Unavailable

TIMEOUT_SECONDS: Final = 60.0
"""Timeout of each wait for bytes; the service responds within 30 s."""
MAX_RESPONSE_BYTES: Final = 64 << 20
_LOOPBACK_HOSTS: Final = frozenset({"127.0.0.1", "::1", "localhost"})


@dataclass(frozen=True, slots=True)
class ServerResponse:
    """A response of any status; the names of `headers` are in lower case."""

    status: int
    headers: Mapping[str, str]
    body: bytes


def checked_url(url: str) -> str:
    """Return the URL without a slash at its end.

    Raises:
        InvalidInput: it is neither https nor on this machine, or has parts that the URL of a service never has.
    """
    parts = urlsplit(url)
    if parts.scheme != "https" and not (parts.scheme == "http" and parts.hostname in _LOOPBACK_HOSTS):
        raise InvalidInput(f"The address of a service must be https (http on this machine only), not {url!r}.")
    if not parts.hostname or parts.username or parts.query or parts.fragment or any(c.isspace() for c in url):
        raise InvalidInput(
            f"Give the service's address as the server printed it, such as https://docs.example.com, not {url!r}."
        )
    return url.rstrip("/")


def send_request(
    method: str, url: str, headers: Mapping[str, str], body: bytes | Iterable[bytes] | None = None
) -> ServerResponse:
    """Return the response; a redirect is returned like any other response, and not followed.

    A body in chunks needs a `content-length` among the headers.

    Raises:
        InvalidInput: `checked_url` refuses the URL.
        Unavailable: there is no response.
    """
    hostname = urlsplit(checked_url(url.partition("?")[0])).hostname
    all_headers = {"user-agent": f"groundwire/{__version__}", **headers}
    request = Request(url, body, all_headers, method=method)  # noqa: S310 - https, or this machine
    try:
        with _opener(is_local=hostname in _LOOPBACK_HOSTS).open(request, timeout=TIMEOUT_SECONDS) as response:
            return _read_response(response.status, response.headers, response)
    except HTTPError as error:
        # An `HTTPError` is a response as well, and holds the connection until it is closed.
        with error:
            return _read_response(error.code, error.headers, error)
    except (URLError, HTTPException, OSError) as error:
        reason = error.reason if isinstance(error, URLError) else error
        raise Unavailable(f"{hostname} does not answer ({reason}): check the address and the network.") from error


class _NoRedirects(HTTPRedirectHandler):
    """Handler that follows no redirect: the API key is meant for the given URL only."""

    def redirect_request(
        self, req: Request, fp: IO[bytes], code: int, msg: str, headers: HTTPMessage, newurl: str
    ) -> None:
        """Return no request, so that the redirect becomes the response."""


def _opener(*, is_local: bool) -> OpenerDirector:
    # Requests between two processes of one machine use no proxy.
    proxies = [ProxyHandler({})] if is_local else []
    return build_opener(HTTPSHandler(context=ssl.create_default_context()), _NoRedirects, *proxies)


def _read_response(status: int, headers: Message, stream: IO[bytes]) -> ServerResponse:
    body = stream.read(MAX_RESPONSE_BYTES + 1)
    if len(body) > MAX_RESPONSE_BYTES:
        raise Unavailable(
            f"The answer of the service has more than {MAX_RESPONSE_BYTES} bytes: check "
            "that the address is that of a Groundwire."
        )
    return ServerResponse(status, {name.lower(): value for name, value in headers.items()}, body)
