"""Requests signed for OpenSearch Serverless.

opensearch-py's own signer for urllib3 leaves a header out of the signature that names the collection, and a per-account
endpoint refuses such a request: so the header is signed here.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final
from urllib.parse import urlsplit

from botocore.auth import SigV4Auth
from botocore.awsrequest import AWSRequest
from botocore.credentials import Credentials, ReadOnlyCredentials
from botocore.session import get_session

from groundwire.domain import errors

_SERVICE: Final = "aoss"
_COLLECTION_HEADER: Final = "x-amz-aoss-collection-name"
_CONTENT_HEADER: Final = "X-Amz-Content-SHA256"

CredentialsProvider = Callable[[], ReadOnlyCredentials]
"""The credentials of this moment: those of a function are exchanged while it runs."""


@dataclass(frozen=True, slots=True)
class Signer:
    """Gives each request the headers that prove who sends it.

    Attributes:
        collection: of a per-account endpoint, the collection that is meant; None where the address names it.
    """

    credentials: CredentialsProvider
    region: str
    collection: str | None

    def __call__(self, method: str, url: str, body: bytes | None) -> dict[str, str]:
        """The headers to send."""
        named = {} if self.collection is None else {_COLLECTION_HEADER: self.collection}
        request = AWSRequest(method=method, url=url, data=body or b"", headers=named)
        signature = SigV4Auth(self.credentials(), _SERVICE, self.region)
        request.headers[_CONTENT_HEADER] = signature.payload(request)
        signature.add_auth(request)
        return dict(request.headers.items())


def process_credentials() -> CredentialsProvider:
    """Those that botocore finds; Raises Unavailable where there are none."""
    found: Credentials | None = get_session().get_credentials()
    if found is None:
        raise errors.Unavailable("The index cannot be asked: give this process AWS credentials.", retry_after_s=30)
    return found.get_frozen_credentials


def region_of(address: str) -> str:
    """The region that an address of the service names; Raises Invalid."""
    parts = (urlsplit(address).hostname or "").split(".")
    at = parts.index("aoss") if "aoss" in parts else len(parts)
    if not 0 < at < len(parts) - 1:
        raise errors.InvalidInput(
            f"{address} is not an address of OpenSearch Serverless: copy the collection's endpoint."
        )
    # Of Classic `<id>.<region>.aoss.amazonaws.com`, of NextGen `<id>.aoss.<region>.on.aws`.
    return parts[at - 1] if parts[at + 1] == "amazonaws" else parts[at + 1]
