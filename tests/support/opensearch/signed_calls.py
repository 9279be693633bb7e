"""Calls to an emulator, signed as a deployed caller's."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from http.client import HTTPConnection
from typing import Any
from urllib.parse import urlsplit

from botocore.auth import SigV4Auth
from botocore.awsrequest import AWSRequest
from botocore.credentials import ReadOnlyCredentials

from tests.support.opensearch import emulator


@dataclass(frozen=True, slots=True)
class Signing:
    """How a call is signed; each part can be wrong."""

    credentials: ReadOnlyCredentials = emulator.CREDENTIALS
    service: str = "aoss"
    region: str = emulator.REGION
    headers: Mapping[str, str] = field(default_factory=lambda: {"x-amz-aoss-collection-name": emulator.COLLECTION})
    unsigned: Mapping[str, str] = field(default_factory=dict[str, str])
    body: bytes | None = None

    def sign(self, method: str, url: str, body: bytes) -> dict[str, str]:
        """The headers of the call."""
        signed = body if self.body is None else self.body
        request = AWSRequest(method=method, url=url, data=signed, headers=dict(self.headers))
        request.headers["x-amz-content-sha256"] = hashlib.sha256(signed).hexdigest()
        SigV4Auth(self.credentials, self.service, self.region).add_auth(request)
        return {**dict(request.headers.items()), **self.unsigned}


SIGNED = Signing()


def call(url: str, method: str, target: str, body: object = None, signing: Signing | None = SIGNED) -> tuple[int, Any]:
    """Status and payload of the answer; a list is sent as lines.

    Raises:
        HTTPException, OSError: the connection ended before the answer did.
    """
    content = _encoded(body)
    headers = {"content-type": "application/x-ndjson" if isinstance(body, list) else "application/json"}
    headers |= {} if signing is None else signing.sign(method, url + target, content)
    connection = HTTPConnection(urlsplit(url).netloc, timeout=60)
    try:
        connection.request(method, target, content, headers)
        response = connection.getresponse()
        text = response.read()
        return response.status, json.loads(text) if text else None
    finally:
        connection.close()


def _encoded(body: object) -> bytes:
    if body is None:
        return b""
    if isinstance(body, list):
        return b"".join(json.dumps(line).encode() + b"\n" for line in body)
    return json.dumps(body).encode()
