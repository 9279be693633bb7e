"""The client of the parser function: what it sends, what it leaves behind, and what each failure becomes."""

import json
from collections.abc import Generator, Mapping
from io import BytesIO
from typing import Any
from unittest.mock import Mock

import pytest
from botocore.exceptions import (
    ClientError,
    ConnectionClosedError,
    ConnectTimeoutError,
    EndpointConnectionError,
    ReadTimeoutError,
)
from botocore.session import get_session
from hypothesis import given
from hypothesis.strategies import SearchStrategy, binary, booleans, dictionaries, integers, lists, none, recursive, text

from groundwire.adapters.aws import clients
from groundwire.adapters.aws.parser_function import TRANSIENT_TAG, FunctionParser, FunctionParsers, ParserInvoker
from groundwire.adapters.aws.s3.blobs import S3Blobs
from groundwire.adapters.aws.s3.bucket import Bucket
from groundwire.adapters.parse.function import limits
from groundwire.adapters.parse.function.messages import ANSWER, ParserIsolation
from groundwire.adapters.parse.function.outcomes import REFUSALS, Outcome, outcome_of_answer
from groundwire.adapters.parse.function.results import encode_refusal
from groundwire.domain.errors import DocumentRefused, DomainError, InvalidInput, ParserBroken, ParserBusy, ParsingFailed
from groundwire_readers.parser import LAYER_VERSION
from tests.support.aws import buckets
from tests.support.aws.parser_stack import FUNCTION

TENANT = "t_0123456789abcdef"
FOLDER = f"tenants/{TENANT}/.blobs/results/"


class Scripted:
    """A function whose answers are given; it sees the bucket as it is during the invocation.

    Attributes:
        stores_from: the invocation, from 1, that stores a refusal of its document; None: none does.
    """

    def __init__(self, opened: Bucket, answer: object, *, failed: bool = False, stores: bytes | None = None) -> None:
        self.answer = answer
        self.stores = stores
        self.stores_from: int | None = None
        self.calls: list[Mapping[str, Any]] = []
        self.keys: list[str] = []
        self._failed = failed
        self._bucket = opened

    def invoke(self, **parameters: Any) -> dict[str, Any]:
        self.calls.append(parameters)
        self.keys = [key for key, _, _ in self._bucket.versions("tenants/")]
        if len(self.calls) == self.stores_from:
            nonce = json.loads(parameters["Payload"])["nonce"]
            self.stores = encode_refusal(nonce, LAYER_VERSION, DocumentRefused("it is empty"))
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


def json_values() -> SearchStrategy[object]:
    leaves = none() | booleans() | integers() | text()
    return recursive(leaves, lambda inner: lists(inner) | dictionaries(text(), inner), max_leaves=5)


def refused(code: str) -> ClientError:
    return ClientError({"Error": {"Code": code, "Message": "no"}}, "Invoke")


@pytest.mark.parametrize(
    ("answer", "failed", "error", "attempts"),
    [
        # Before the code ran.
        (refused("TooManyRequestsException"), False, ParserBusy, 1),
        (refused("ResourceNotFoundException"), False, ParserBusy, 1),
        (refused("ResourceNotReadyException"), False, ParserBusy, 1),
        (refused("ServiceException"), False, ParserBusy, 1),
        (refused("EC2ThrottledException"), False, ParserBusy, 1),
        (refused("InvalidParameterValueException"), False, ParserBroken, 1),
        (refused("InvalidSubnetIDException"), False, ParserBroken, 1),
        (EndpointConnectionError(endpoint_url="https://lambda"), False, ParserBusy, 1),
        (ConnectTimeoutError(endpoint_url="https://lambda"), False, ParserBusy, 1),
        # By the function itself, before it reads the document.
        ({"errorType": "Unavailable"}, True, ParserBusy, 1),
        ({"errorType": "ParserBroken"}, True, ParserBroken, 1),
        ({"errorType": "InvalidInput"}, True, ParserBroken, 1),
        ({"errorType": "Runtime.ImportModuleError"}, True, ParserBroken, 1),
        ({"version": 1}, False, ParserBusy, 1),
        ({**ANSWER, "parser": "another"}, False, ParserBusy, 1),
        # While it has the document.
        ({"errorType": "Sandbox.Timedout"}, True, ParsingFailed, 1),
        ({"errorMessage": "2026-01-01 1-2 Task timed out after 240.00 seconds"}, True, ParsingFailed, 1),
        (ReadTimeoutError(endpoint_url="https://lambda"), False, ParsingFailed, 1),
        (ConnectionClosedError(endpoint_url="https://lambda"), False, ParsingFailed, 2),
        ({"errorType": "Runtime.ExitError"}, True, ParsingFailed, 2),
        ({"errorType": "Runtime.OutOfMemory"}, True, ParsingFailed, 2),
        ({"errorType": "MemoryError"}, True, ParsingFailed, 2),
        ({"errorType": ["Runtime.ImportModuleError"]}, True, ParsingFailed, 2),
        ({"errorType": "Runtime.ExitError", **ANSWER}, True, ParsingFailed, 2),
        (b"not JSON", True, ParsingFailed, 2),
        (b"not JSON", False, ParsingFailed, 2),
        (b"[" * 100_000, False, ParsingFailed, 2),
        ([], False, ParsingFailed, 2),
        (dict(ANSWER), False, ParsingFailed, 2),
    ],
)
def test_an_invocation_without_a_result_waits_if_the_code_did_not_run_and_fails_its_document_if_it_did(
    opened: Bucket, answer: object, error: type[DomainError], attempts: int, *, failed: bool
) -> None:
    function = Scripted(opened, answer, failed=failed)
    with pytest.raises(error) as raised:
        parse(opened, function)
    assert type(raised.value) is error
    assert len(function.calls) == attempts
    assert list(opened.versions("tenants/")) == []


def test_each_error_of_the_model_waits_if_it_may_pass_and_fails_the_document_if_only_the_operator_mends_it() -> None:
    model = get_session().get_service_model("lambda").operation_model("Invoke")
    errors = {shape.name for shape in model.error_shapes}
    assert errors >= REFUSALS.keys()
    # A network that is not ready, and features that the function does not use.
    assert errors - REFUSALS.keys() == {
        *("TooManyRequestsException", "ServiceException", "ServiceQuotaExceededException", "ResourceNotFoundException"),
        *("ResourceNotReadyException", "ResourceConflictException", "CodeArtifactUserPendingException"),
        *("EC2ThrottledException", "EC2UnexpectedException", "ENILimitReachedException", "ENINotReadyException"),
        *("SubnetIPAddressLimitReachedException", "KMSInvalidStateException", "RecursiveInvocationException"),
        *("SnapStartException", "SnapStartNotReadyException", "SnapStartTimeoutException"),
        *("SnapStartRegenerationFailureException", "DurableExecutionAlreadyStartedException"),
        *("EFSIOException", "EFSMountConnectivityException", "EFSMountFailureException", "EFSMountTimeoutException"),
        *("S3FilesMountConnectivityException", "S3FilesMountFailureException", "S3FilesMountTimeoutException"),
    }


@given(answer=binary(max_size=200) | json_values().map(lambda value: json.dumps(value).encode()), failed=booleans())
def test_every_answer_has_an_outcome(answer: bytes, *, failed: bool) -> None:
    assert outcome_of_answer(answer, failed=failed) in Outcome


def test_a_fresh_environment_reads_the_document_after_the_first_has_ended(opened: Bucket) -> None:
    function = Scripted(opened, {"errorType": "Runtime.ExitError"}, failed=True)
    function.stores_from = 2
    with pytest.raises(DocumentRefused, match=r"^it is empty$"):
        parse(opened, function)
    assert len(function.calls) == 2


def test_a_function_that_ends_after_its_time_does_not_get_the_document_again(opened: Bucket) -> None:
    function = Scripted(opened, {"errorType": "Runtime.ExitError"}, failed=True)
    times = iter([0.0, limits.FRESH_ATTEMPT_SECONDS + 1.0])
    invoker = ParserInvoker(Mock(invoke=function.invoke), FUNCTION, {})
    with pytest.raises(ParsingFailed, match="the parser ended while it read the file"):
        FunctionParser(invoker, opened, TENANT, lambda: next(times)).parse(b"A secret text.", "txt")
    assert len(function.calls) == 1


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


@pytest.mark.parametrize("answer", [{"errorType": "Runtime.ExitError"}, b"not JSON"])
def test_a_page_is_drawn_in_one_attempt_since_somebody_waits_and_leaves_nothing(opened: Bucket, answer: object) -> None:
    function = Scripted(opened, answer, failed=True)
    parsers = FunctionParsers(Mock(invoke=function.invoke), FUNCTION, ParserIsolation.TENANT, opened, ())
    with pytest.raises(ParsingFailed):
        parsers.for_tenant(TENANT).draw_page(b"%PDF-", 7)
    [call] = function.calls
    event = json.loads(call["Payload"])
    assert (event["page"], event["type"], call["TenantId"]) == (7, "pdf", TENANT)
    assert [key for key, _, _ in opened.versions("tenants/")] == []
