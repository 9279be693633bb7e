"""The client of the parser function: what it sends, what it leaves behind, and what each failure becomes."""

import json
from collections.abc import Generator, Mapping
from io import BytesIO
from typing import Any
from unittest.mock import Mock

import pytest
from botocore.exceptions import ClientError, ReadTimeoutError

from groundwire.adapters.aws import clients
from groundwire.adapters.aws.parser_function import TRANSIENT_TAG, FunctionParsers
from groundwire.adapters.aws.s3.blobs import S3Blobs
from groundwire.adapters.aws.s3.bucket import Bucket
from groundwire.adapters.parse.function import limits
from groundwire.adapters.parse.function.messages import ANSWER, ParserIsolation
from groundwire.domain.errors import DocumentRefused, DomainError, InvalidInput, ParserBroken, ParserBusy
from tests.support.aws import buckets
from tests.support.aws.parser_stack import FUNCTION

TENANT = "t_0123456789abcdef"
FOLDER = f"tenants/{TENANT}/.blobs/results/"


class Scripted:
    """A function whose answers are given; it sees the bucket as it is during the invocation."""

    def __init__(self, opened: Bucket, answer: object, *, failed: bool = False, stores: bytes | None = None) -> None:
        self.answer = answer
        self.stores = stores
        self.calls: list[Mapping[str, Any]] = []
        self.keys: list[str] = []
        self._failed = failed
        self._bucket = opened

    def invoke(self, **parameters: Any) -> dict[str, Any]:
        self.calls.append(parameters)
        self.keys = [key for key, _, _ in self._bucket.versions("tenants/")]
        if self.stores is not None:
            for content in (b"an earlier version", self.stores):
                result = self.keys[0].replace(".content", ".result")
                self._bucket.client.put_object(Bucket=self._bucket.name, Key=result, Body=content)
        if isinstance(self.answer, Exception):
            raise self.answer
        body = self.answer if isinstance(self.answer, bytes) else json.dumps(self.answer).encode()
        return {"Payload": BytesIO(body), **({"FunctionError": "Unhandled"} if self._failed else {})}


@pytest.fixture
def opened() -> Generator[Bucket]:
    with buckets.bucket() as made:
        yield made


def parse(opened: Bucket, function: Scripted, isolation: ParserIsolation = ParserIsolation.TENANT) -> None:
    parsers = FunctionParsers(Mock(invoke=function.invoke), FUNCTION, isolation, opened, ("eng",))
    parsers.for_tenant(TENANT).parse(b"A secret text.", "txt")


def refused(code: str) -> ClientError:
    return ClientError({"Error": {"Code": code, "Message": "no"}}, "Invoke")


@pytest.mark.parametrize(
    ("answer", "failed", "error"),
    [
        (refused("TooManyRequestsException"), False, ParserBusy),
        (refused("ResourceNotFoundException"), False, ParserBusy),
        (refused("ServiceException"), False, ParserBusy),
        (refused("EC2ThrottledException"), False, ParserBusy),
        (refused("InvalidParameterValueException"), False, ParserBroken),
        (refused("InvalidSubnetIDException"), False, ParserBroken),
        (ReadTimeoutError(endpoint_url="https://lambda"), False, ParserBusy),
        ({"errorType": "Sandbox.Timedout"}, True, ParserBusy),
        ({"errorType": "Unavailable"}, True, ParserBusy),
        ({"errorType": "ParserBroken"}, True, ParserBroken),
        ({"errorType": "Runtime.ImportModuleError"}, True, ParserBroken),
        ({"errorType": ["Runtime.ImportModuleError"]}, True, ParserBusy),
        (b"not JSON", True, ParserBusy),
        ({"version": 2}, False, ParserBusy),
        (b"not JSON", False, ParserBusy),
        (dict(ANSWER), False, ParserBusy),
        ({"errorType": "Runtime.ExitError"}, True, ParserBusy),
    ],
)
def test_a_failed_invocation_is_repeated_later_or_states_that_the_parser_does_not_start(
    opened: Bucket, answer: object, error: type[DomainError], *, failed: bool
) -> None:
    with pytest.raises(error) as raised:
        parse(opened, Scripted(opened, answer, failed=failed))
    assert type(raised.value) is error
    assert list(opened.versions("tenants/")) == []


def test_the_function_is_invoked_once_for_the_tenant_with_two_addresses_that_end_before_the_bucket_refuses_them(
    opened: Bucket,
) -> None:
    function = Scripted(opened, refused("TooManyRequestsException"))
    with pytest.raises(ParserBusy):
        parse(opened, function)
    (call,) = function.calls
    assert (call["FunctionName"], call["TenantId"]) == (FUNCTION, TENANT)
    event = json.loads(call["Payload"])
    assert b"A secret text" not in call["Payload"]
    assert f"X-Amz-Expires={limits.CLIENT_SECONDS}&" in event["content"]
    assert "versionId=" in event["content"]
    assert f"X-Amz-Expires={limits.CLIENT_SECONDS}&" in event["result"]
    assert "x-amz-tagging" in event["result"]
    assert event["result_headers"] == {"x-amz-tagging": TRANSIENT_TAG}
    (key,) = function.keys
    assert key.startswith(FOLDER)
    assert key.split("/")[-1].split(".")[0] not in event["nonce"]


def test_without_environments_of_each_tenant_no_tenant_is_named(opened: Bucket) -> None:
    function = Scripted(opened, refused("TooManyRequestsException"))
    with pytest.raises(ParserBusy):
        parse(opened, function, ParserIsolation.ENVIRONMENT)
    assert "TenantId" not in function.calls[0]


@pytest.mark.parametrize("answer", [dict(ANSWER), {"errorType": "Runtime.ExitError"}])
@pytest.mark.parametrize("failed", [False, True])
def test_every_version_of_content_and_result_is_deleted_at_once(
    opened: Bucket, answer: dict[str, object], *, failed: bool
) -> None:
    function = Scripted(opened, answer, failed=failed or "errorType" in answer, stores=b"nonsense")
    with pytest.raises(DocumentRefused, match="nonsense"):
        parse(opened, function)
    assert list(opened.versions("tenants/")) == []


def test_a_result_that_is_too_large_is_not_read(opened: Bucket, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("groundwire.adapters.aws.parser_function.RESULT_BYTES", 7)
    with pytest.raises(DocumentRefused, match="nonsense"):
        parse(opened, Scripted(opened, dict(ANSWER), stores=b"12345678"))


def test_two_documents_share_neither_keys_nor_nonces(opened: Bucket) -> None:
    function = Scripted(opened, refused("TooManyRequestsException"))
    seen: set[str] = set()
    for _ in range(2):
        with pytest.raises(ParserBusy):
            parse(opened, function)
        seen |= {function.keys[0], json.loads(function.calls[-1]["Payload"])["nonce"]}
    assert len(seen) == 4


def test_no_name_leads_out_of_a_tenants_folder(opened: Bucket) -> None:
    parsers = FunctionParsers(Mock(), FUNCTION, ParserIsolation.TENANT, opened, ())
    with pytest.raises(InvalidInput):
        parsers.for_tenant("../t_other")


def test_the_erasure_of_a_tenant_includes_what_is_on_its_way(opened: Bucket) -> None:
    for name in ("a.content", "a.result"):
        opened.client.put_object(Bucket=opened.name, Key=f"{FOLDER}{name}", Body=b"x")
    S3Blobs(opened).drop(TENANT)
    assert list(opened.versions("tenants/")) == []


def test_the_client_of_the_function_waits_longer_than_it_runs_and_never_repeats(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("AWS_DEFAULT_REGION", "eu-central-1")
    client = clients.lambda_functions(limits.CLIENT_SECONDS)
    assert client.meta.config.read_timeout == limits.CLIENT_SECONDS  # pyright: ignore[reportAttributeAccessIssue]
    assert client.meta.config.retries == {"mode": "standard", "total_max_attempts": 1}  # pyright: ignore[reportAttributeAccessIssue]
