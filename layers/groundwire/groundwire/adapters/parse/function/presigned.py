"""Client of presigned addresses of a bucket: one GET, one PUT, no redirects, to S3's hosts only."""

import re
from collections.abc import Mapping
from functools import cached_property
from http.client import HTTPConnection, HTTPException, HTTPResponse, HTTPSConnection
from ssl import SSLContext, create_default_context
from typing import Final
from urllib.parse import SplitResult, urlsplit

from groundwire.domain.errors import InvalidInput, Unavailable

_S3_HOST: Final = re.compile(r"(?:[a-z0-9.-]+\.)?s3(?:[.-][a-z0-9-]+)*\.amazonaws\.com(?:\.cn)?")
_TIMEOUT_SECONDS: Final = 20
"""Longest wait for one step of a transfer."""
_OK: Final = 200


class PresignedObjects:
    """Objects of a bucket by presigned addresses.

    Args:
        own_endpoint: address of an S3 service that the deployment names itself, such as an emulator's; None: AWS's
            hosts by https alone.
    """

    def __init__(self, own_endpoint: str | None) -> None:
        self._own_endpoint = None if own_endpoint is None else urlsplit(own_endpoint)

    @cached_property
    def _tls(self) -> SSLContext:
        # Made once: it reads the machine's certificates, which takes a tenth of the time of a document.
        return create_default_context()

    def read(self, url: str, limit: int) -> bytes:
        """Return the object's content.

        Raises:
            InvalidInput: the address is not S3's, or the object is larger than `limit` bytes.
            Unavailable: the bucket does not answer, or refuses the address.
        """
        return self._exchange("GET", url, None, {}, limit)

    def write(self, url: str, headers: Mapping[str, str], content: bytes) -> None:
        """Store the content with the headers that the signature covers.

        Raises:
            InvalidInput: the address is not S3's.
            Unavailable: the bucket does not answer, or refuses the address.
        """
        self._exchange("PUT", url, content, headers, 0)

    def _exchange(self, method: str, url: str, body: bytes | None, headers: Mapping[str, str], limit: int) -> bytes:
        address = urlsplit(url)
        connection = self._connection(address)
        try:
            # As it was signed: a path that is encoded once more has another signature.
            connection.request(method, f"{address.path}?{address.query}", body, dict(headers))
            return _content(connection.getresponse(), limit)
        except (OSError, HTTPException) as error:
            raise Unavailable(f"The bucket does not answer ({type(error).__name__}).") from error
        finally:
            connection.close()

    def _connection(self, address: SplitResult) -> HTTPConnection:
        own = self._own_endpoint
        if own is not None and (address.scheme, address.netloc) == (own.scheme, own.netloc):
            if own.scheme != "https":
                return HTTPConnection(address.netloc, timeout=_TIMEOUT_SECONDS)
            return HTTPSConnection(address.netloc, timeout=_TIMEOUT_SECONDS, context=self._tls)
        if address.scheme != "https" or _S3_HOST.fullmatch(address.netloc) is None:
            raise InvalidInput("The parser function reads and writes by https addresses of S3 only.")
        return HTTPSConnection(address.netloc, timeout=_TIMEOUT_SECONDS, context=self._tls)


def _content(response: HTTPResponse, limit: int) -> bytes:
    if response.status != _OK:
        raise Unavailable(f"The bucket refuses a presigned address (status {response.status}).")
    if (response.length or 0) > limit:
        raise InvalidInput("The object is larger than a document may be.")
    # A response in chunks does not state its length.
    content = response.read(limit + 1)
    if len(content) > limit:
        raise InvalidInput("The object is larger than a document may be.")
    return content
