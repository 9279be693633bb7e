"""Requests and responses of calls out of the server."""

from collections.abc import Callable, Iterator, Mapping
from types import TracebackType
from typing import TYPE_CHECKING, NamedTuple, Protocol

if TYPE_CHECKING:
    from typing import Self


class EgressError(Exception):
    """Error of a call that got no response within its limits; a repeat may succeed. The text is safe to show."""


class EgressRefused(EgressError):
    """Error for a destination that must not be called; nothing was sent to it.

    Attributes:
        is_allowable: an entry of the operator for this host would allow the call.
    """

    def __init__(self, message: str, *, is_allowable: bool = False) -> None:
        super().__init__(message)
        self.is_allowable = is_allowable


class EgressLimits(NamedTuple):
    """Limits of one call.

    Attributes:
        seconds: for the whole call: name resolution, connection, redirects and all of the response.
        response_bytes: of the response, its header and framing included.
        redirects: how many are followed; one more ends the call.
        connect_seconds: for the way to one host: name resolution, connection and TLS; None: `seconds` alone counts.
    """

    seconds: float
    response_bytes: int
    redirects: int
    connect_seconds: float | None = None


class EgressRequest(NamedTuple):
    """Request to another server.

    Attributes:
        url: absolute.
        headers: sent to the origin of `url` alone: after a redirect to another origin, none of them is sent.
        body: None for none; it never goes to another origin either.
        limits: within a session, they count beside those of the session.
        is_repeatable: a session may send it again where a kept connection broke before the response.
    """

    method: str
    url: str
    headers: Mapping[str, str]
    body: bytes | None
    limits: EgressLimits
    is_repeatable: bool = False


class EgressResponse:
    """Response of any status without a redirect; it must be closed, best by `with`.

    Iteration returns the body in chunks as they arrive, once. The time limit of the call holds for it too.

    Attributes:
        headers: names in lower case; values of equal names are joined by a comma.
    """

    def __init__(
        self, status: int, headers: Mapping[str, str], chunks: Iterator[bytes], close: Callable[[], None]
    ) -> None:
        self.status = status
        self.headers = headers
        self._chunks = chunks
        self._close = close

    def __iter__(self) -> Iterator[bytes]:
        """Return the chunks of the body.

        Raises:
            EgressError: time or size is over its limit, or the connection broke.
        """
        return self._chunks

    def read(self) -> bytes:
        """Return the rest of the body.

        Raises:
            EgressError: time or size is over its limit, or the connection broke.
        """
        return b"".join(self._chunks)

    def close(self) -> None:
        """Close the connection; a second call does nothing."""
        self._close()

    def __enter__(self) -> "Self":
        """Return the response."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        """Close the connection."""
        self.close()


class SendRequest(Protocol):
    """The call signature of `EgressClient.send`."""

    def __call__(self, request: EgressRequest, /) -> EgressResponse:
        """Return the response.

        Raises:
            EgressRefused: the destination must not be called.
            EgressError: there is no response within the limits.
        """
        ...
