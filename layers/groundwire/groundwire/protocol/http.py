"""HTTP as the protocol sees it: one request, one buffered response, no framework."""

from collections.abc import Mapping
from typing import NamedTuple


class HttpRequest(NamedTuple):
    """One request.

    Attributes:
        headers: by lower-case name; duplicates joined by commas.
    """

    method: str
    headers: Mapping[str, str]
    body: bytes


class HttpResponse(NamedTuple):
    """One response.

    Attributes:
        headers: by lower-case name.
    """

    status: int
    headers: Mapping[str, str]
    body: bytes
