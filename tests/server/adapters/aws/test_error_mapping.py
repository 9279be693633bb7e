"""Refusals of DynamoDB become errors that state what to do; mistakes of our own code are not hidden."""

import json
from collections.abc import Generator
from http.server import BaseHTTPRequestHandler, HTTPServer
from threading import Thread
from typing import TYPE_CHECKING, Any

import boto3
import pytest
from botocore.config import Config
from botocore.exceptions import ClientError, ParamValidationError
from botocore.session import get_session

from groundwire.adapters.aws import clients
from groundwire.adapters.aws.dynamodb.client.errors import ConditionFailed, translated_errors
from groundwire.domain import errors

if TYPE_CHECKING:
    from types_boto3_dynamodb import DynamoDBClient

KEY: Any = {"id": {"S": "one"}}


class Refusing(HTTPServer):
    """Server that gives every request the same answer, which a test sets."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.answer: tuple[int, dict[str, Any]] = (500, {})

    def refuse(self, status: int, code: str, **more: object) -> None:
        self.answer = (status, {"__type": f"com.amazonaws.dynamodb.v20120810#{code}", "message": "no", **more})


class _Handler(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        server = self.server
        assert isinstance(server, Refusing)
        status, stated = server.answer
        body = json.dumps(stated).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/x-amz-json-1.0")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None: ...  # noqa: A002


@pytest.fixture(scope="module")
def refusing() -> Generator[Refusing]:
    with Refusing() as server:
        thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield server
        server.shutdown()
        thread.join()


@pytest.fixture(scope="module")
def client(refusing: Refusing) -> "DynamoDBClient":
    # Each refusal is asked for once: how often it is repeated is the library's own business.
    return boto3.Session().client(
        "dynamodb",
        endpoint_url=f"http://127.0.0.1:{refusing.server_port}",
        region_name="eu-central-1",
        aws_access_key_id="local",
        aws_secret_access_key="local",
        config=clients.CONFIG.merge(Config(retries={"mode": "standard", "total_max_attempts": 1})),
    )


@pytest.mark.parametrize(
    ("status", "code", "reported", "retry_after_s"),
    [
        (400, "ProvisionedThroughputExceededException", "The table t gets too many requests", 1),
        (400, "ThrottlingException", "The table t gets too many requests", 1),
        (400, "AccessDeniedException", "check the role of the function", 30),
        (400, "ExpiredTokenException", "check the role of the function", 30),
        (400, "ResourceNotFoundException", "deploy the stack again", 30),
        (500, "InternalServerError", "The table t does not answer", 5),
        (503, "ServiceUnavailable", "The table t does not answer", 5),
    ],
)
def test_a_refusal_states_what_to_do_and_when_to_retry(
    refusing: Refusing, client: "DynamoDBClient", status: int, code: str, reported: str, retry_after_s: int
) -> None:
    refusing.refuse(status, code)
    with pytest.raises(errors.Unavailable, match=reported) as raised, translated_errors("t"):
        client.get_item(TableName="ttt", Key=KEY)
    assert code in str(raised.value)
    assert raised.value.retry_after_s == retry_after_s


def test_a_failed_condition_is_no_error_and_returns_the_stored_item(
    refusing: Refusing, client: "DynamoDBClient"
) -> None:
    refusing.refuse(400, "ConditionalCheckFailedException", Item=KEY)
    with pytest.raises(ConditionFailed) as raised, translated_errors("t"):
        client.put_item(TableName="ttt", Item=KEY)
    assert raised.value.items == (KEY,)


def test_a_transaction_fails_by_a_condition_of_its_writes_each_with_what_is_there(
    refusing: Refusing, client: "DynamoDBClient"
) -> None:
    reasons = [{"Code": "None"}, {"Code": "ConditionalCheckFailed", "Item": KEY}]
    refusing.refuse(400, "TransactionCanceledException", CancellationReasons=reasons)
    with pytest.raises(ConditionFailed) as raised, translated_errors("t"):
        client.transact_write_items(TransactItems=[{"Put": {"TableName": "ttt", "Item": KEY}}])
    assert raised.value.items == (None, KEY)


def test_a_transaction_in_the_way_of_another_may_come_again_soon(refusing: Refusing, client: "DynamoDBClient") -> None:
    refusing.refuse(400, "TransactionCanceledException", CancellationReasons=[{"Code": "TransactionConflict"}])
    with pytest.raises(errors.Unavailable) as raised, translated_errors("t"):
        client.transact_write_items(TransactItems=[{"Put": {"TableName": "ttt", "Item": KEY}}])
    assert raised.value.retry_after_s == 1


def test_an_error_for_an_invalid_request_is_not_translated(refusing: Refusing, client: "DynamoDBClient") -> None:
    refusing.refuse(400, "ValidationException")
    with pytest.raises(ClientError, match="ValidationException"), translated_errors("t"):
        client.get_item(TableName="ttt", Key=KEY)
    unknown: Any = {"Nonsense": 1}
    with pytest.raises(ParamValidationError), translated_errors("t"):
        client.get_item(TableName="ttt", Key=KEY, **unknown)


def test_missing_credentials_are_reported(monkeypatch: pytest.MonkeyPatch, refusing: Refusing) -> None:
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_PROFILE"):
        monkeypatch.delenv(name, raising=False)
    # What a test before this one found out about credentials.
    monkeypatch.setattr(clients, "_session", get_session)
    monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")
    monkeypatch.setenv("AWS_SHARED_CREDENTIALS_FILE", "/nowhere")
    monkeypatch.setenv("AWS_CONFIG_FILE", "/nowhere")
    monkeypatch.setenv("AWS_DEFAULT_REGION", "eu-central-1")
    monkeypatch.setenv("AWS_ENDPOINT_URL_DYNAMODB", f"http://127.0.0.1:{refusing.server_port}")
    with pytest.raises(errors.Unavailable, match="give this process AWS credentials"), translated_errors("t"):
        clients.dynamodb().get_item(TableName="ttt", Key=KEY)


def test_the_client_is_patient_for_seconds_and_finds_region_and_address_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AWS_DEFAULT_REGION", "eu-west-1")
    monkeypatch.setenv("AWS_ENDPOINT_URL_DYNAMODB", "http://127.0.0.1:1")
    meta: Any = clients.dynamodb().meta
    assert (meta.region_name, meta.endpoint_url) == ("eu-west-1", "http://127.0.0.1:1")
    assert (meta.config.connect_timeout, meta.config.read_timeout) == (1, 3)
    assert (meta.config.retries["mode"], meta.config.retries["total_max_attempts"]) == ("standard", 3)
