"""Signatures of requests for OpenSearch Serverless.

opensearch-py's own signer for urllib3 does not sign the header that names the collection. A per-account endpoint
refuses such a request, so this module signs the header.
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
"""Source of the current credentials: those of a function are rotated while it runs."""


@dataclass(frozen=True, slots=True)
class Signer:
    """Function object that adds the authentication headers of a request.

    Attributes:
        collection: the collection on a per-account endpoint; None where the address names it.
    """

    credentials: CredentialsProvider
    region: str
    collection: str | None

    def __call__(self, method: str, url: str, body: bytes | None) -> dict[str, str]:
        """Return the headers to send."""
        named = {} if self.collection is None else {_COLLECTION_HEADER: self.collection}
        request = AWSRequest(method=method, url=url, data=body or b"", headers=named)
        signature = SigV4Auth(self.credentials(), _SERVICE, self.region)
        # The service requires this header, which botocore adds for S3 alone.
        request.headers[_CONTENT_HEADER] = signature.payload(request)
        signature.add_auth(request)
        return dict(request.headers.items())


def process_credentials() -> CredentialsProvider:
    """Return botocore's credentials.

    Raises:
        Unavailable: there are none.
    """
    found: Credentials | None = get_session().get_credentials()
    if found is None:
        raise errors.Unavailable("The index cannot be called: give this process AWS credentials.", retry_after_s=30)
    return found.get_frozen_credentials


def region_of(address: str) -> str:
    """Return the region in an address of the service.

    Raises:
        InvalidInput: the address names no region.
    """
    parts = (urlsplit(address).hostname or "").split(".")
    at = parts.index("aoss") if "aoss" in parts else len(parts)
    if not 0 < at < len(parts) - 1:
        raise errors.InvalidInput(
            f"{address} is not an address of OpenSearch Serverless: copy the collection's endpoint."
        )
    # Classic has `<id>.<region>.aoss.amazonaws.com`, NextGen `<id>.aoss.<region>.on.aws`.
    return parts[at - 1] if parts[at + 1] == "amazonaws" else parts[at + 1]
