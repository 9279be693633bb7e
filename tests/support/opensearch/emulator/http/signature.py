"""Serverless takes signed requests only: AWS Signature Version 4 for the service `aoss`, over the body too."""

import hashlib
import re
from typing import Final

from botocore.auth import SigV4Auth
from botocore.awsrequest import AWSRequest
from botocore.credentials import ReadOnlyCredentials

from tests.support.opensearch.emulator.http.messages import Request, forbidden

CREDENTIALS: Final = ReadOnlyCredentials("gate", "secret", None)
"""Of the one caller whom the collection's policy lets in."""

REGION: Final = "eu-central-1"
COLLECTION: Final = "groundwire-tests"

_SCHEME: Final = re.compile(
    r"AWS4-HMAC-SHA256 Credential=(?P<key>[^/]+)/(?P<day>\d{8})/(?P<region>[^/]+)/(?P<service>[^/]+)/aws4_request, "
    r"SignedHeaders=(?P<signed>[^,]+), Signature=(?P<signature>[0-9a-f]{64})"
)
_NAMES_COLLECTION: Final = "x-amz-aoss-collection-name"
_CONTENT: Final = "x-amz-content-sha256"
_MUST_BE_SIGNED: Final = frozenset({"host", "x-amz-date", _CONTENT, _NAMES_COLLECTION})


def judge(request: Request) -> None:
    """Raises Refusal unless the caller of CREDENTIALS sent exactly this to COLLECTION of an endpoint of several."""
    proof = _SCHEME.fullmatch(request.headers.get("authorization", ""))
    if proof is None or (proof["key"], proof["service"], proof["region"]) != (CREDENTIALS.access_key, "aoss", REGION):
        raise forbidden()
    signed = proof["signed"].split(";")
    if not set(signed) >= _MUST_BE_SIGNED or request.headers.get(_NAMES_COLLECTION) != COLLECTION:
        raise forbidden()
    if "content-length" not in request.headers and request.body:
        raise forbidden("Request Content Checksum Verification Failed")
    if request.headers[_CONTENT] != hashlib.sha256(request.body).hexdigest():
        raise forbidden("Request Content Checksum Verification Failed")
    if _signature(request, signed) != proof["signature"]:
        raise forbidden()


def _signature(request: Request, signed: list[str]) -> str:
    headers = {name: request.headers.get(name, "") for name in signed}
    sent = AWSRequest(
        method=request.method, url=f"http://{headers['host']}{request.target}", data=request.body, headers=headers
    )
    sent.context["timestamp"] = headers["x-amz-date"]
    signer = SigV4Auth(CREDENTIALS, "aoss", REGION)
    return signer.signature(signer.string_to_sign(sent, signer.canonical_request(sent)), sent)
