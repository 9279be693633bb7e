"""The adapter of the embedding function where the function does not answer as it should."""

import io
import json
from collections.abc import Iterator
from typing import Any, cast

import boto3
import pytest
from botocore.response import StreamingBody
from botocore.stub import ANY, Stubber

from groundwire.adapters.aws.clients import lambda_functions
from groundwire.adapters.aws.embedders.default_embedders import DefaultEmbedders
from groundwire.adapters.aws.embedders.lambda_embedder import LambdaEmbedder, LambdaImageEmbedder
from groundwire.domain.errors import NotFound, Unavailable
from groundwire.domain.passages.embedding_request import encode_response
from groundwire.ports import Embedders, ModelId
from groundwire_egress.deadline import time_limit
from groundwire_readers.contents.parsed import THUMBNAIL_BYTES
from tests.support.models.hashed_words import OnlyHashedWords

ALIAS = "arn:aws:lambda:eu-central-1:123456789012:function:embed:live"
MODEL = ModelId("m", 1)
GOOD = encode_response("m", 1, [b"\x00\x00\x80\x3f"])


class Function:
    """A function whose every answer is laid down, over the service's own description of requests and answers."""

    def __init__(self) -> None:
        client = boto3.client(
            "lambda", region_name="eu-central-1", aws_access_key_id="local", aws_secret_access_key="local"
        )
        self.stub = Stubber(client)
        self.pauses = 0
        self.waits: list[float] = []

        def made(seconds: float) -> Any:
            self.waits.append(seconds)
            return client

        self.embedder = LambdaEmbedder(made, ALIAS, MODEL, self._pause)
        self.images = LambdaImageEmbedder(made, ALIAS, MODEL, self._pause)

    def answers(self, answer: object, error: str | None = None) -> None:
        content = json.dumps(answer).encode()
        response: dict[str, Any] = {"StatusCode": 200, "Payload": StreamingBody(io.BytesIO(content), len(content))}
        if error is not None:
            response["FunctionError"] = error
        self.stub.add_response("invoke", response, {"FunctionName": ALIAS, "Payload": ANY})

    def refuses(self, code: str, status: int) -> None:
        self.stub.add_client_error("invoke", code, http_status_code=status)

    def _pause(self, _seconds: float) -> None:
        self.pauses += 1


@pytest.fixture
def function() -> Iterator[Function]:
    made = Function()
    with made.stub:
        yield made
        made.stub.assert_no_pending_responses()


def test_what_failed_once_is_called_once_more_after_a_pause(function: Function) -> None:
    function.refuses("TooManyRequestsException", 429)
    function.answers(GOOD)

    assert function.embedder.embed(["pump"], "query") == [b"\x00\x00\x80\x3f"]
    assert function.pauses == 1


@pytest.mark.parametrize("code", ["ServiceException", "TooManyRequestsException", "SnapStartTimeoutException"])
def test_what_fails_twice_is_unavailable_with_the_reason_for_the_operator(function: Function, code: str) -> None:
    function.refuses(code, 500)
    function.refuses(code, 500)

    with pytest.raises(Unavailable, match=code):
        function.embedder.embed(["pump"], "query")


def test_what_would_be_refused_again_is_not_requested_again(function: Function) -> None:
    function.refuses("AccessDeniedException", 403)

    with pytest.raises(Unavailable, match="its role"):
        function.embedder.embed(["pump"], "query")
    assert function.pauses == 0


def test_an_error_of_the_function_is_reported_by_its_type_and_text(function: Function) -> None:
    for _ in range(2):
        function.answers({"errorType": "Invalid", "errorMessage": "129 texts", "stackTrace": ["here"]}, "Unhandled")

    with pytest.raises(Unavailable, match=r"Invalid: 129 texts") as reported:
        function.embedder.embed(["pump"], "query")
    assert "here" not in str(reported.value)


def test_an_environment_that_died_is_unavailable(function: Function) -> None:
    function.answers("signal: killed", "Unhandled")
    function.answers("signal: killed", "Unhandled")

    with pytest.raises(Unavailable, match="Unhandled"):
        function.embedder.embed(["pump"], "query")


def test_vectors_of_another_model_or_number_are_taken_from_nobody(function: Function) -> None:
    function.answers(encode_response("m", 1, [bytes(4)] * 2))

    with pytest.raises(Unavailable, match="8 bytes for 1 vectors of 4"):
        function.embedder.embed(["pump"], "query")


def test_vectors_of_another_image_model_are_taken_from_nobody(function: Function) -> None:
    function.answers(encode_response("other", 1, [bytes(4)]))

    with pytest.raises(Unavailable, match="other/1, not m/1"):
        function.images.embed_queries(["pump"])


def test_images_wait_as_long_as_an_ingestion_and_questions_as_a_search(function: Function) -> None:
    for _ in range(2):
        function.answers(GOOD)
    function.images.embed_queries(["pump"])
    function.images.embed_images([bytes(THUMBNAIL_BYTES)])

    search, ingestion = function.waits
    assert search < 12
    assert ingestion > 60


def test_a_failed_call_for_images_is_repeated_once(function: Function) -> None:
    function.refuses("TooManyRequestsException", 429)
    function.answers(GOOD)

    assert function.images.embed_images([bytes(THUMBNAIL_BYTES)]) == [b"\x00\x00\x80\x3f"]
    assert function.pauses == 1


def test_a_search_that_has_waited_long_does_not_wait_again(function: Function) -> None:
    function.refuses("ServiceException", 500)

    with time_limit(19), pytest.raises(Unavailable):
        function.embedder.embed(["pump"], "query")
    assert function.pauses == 0


def test_ingestion_waits_longer_than_a_search_and_each_has_one_client(function: Function) -> None:
    for kind in ("query", "passage", "query"):
        function.answers(GOOD)
        function.embedder.embed(["pump"], "query" if kind == "query" else "passage")

    search, ingestion = function.waits
    assert search < 12
    assert ingestion > 60


def test_warming_waits_for_no_answer(function: Function) -> None:
    payload = StreamingBody(io.BytesIO(b""), 0)
    requested = {"FunctionName": ALIAS, "InvocationType": "Event", "Payload": b'{"warm": true}'}
    function.stub.add_response("invoke", {"StatusCode": 202, "Payload": payload}, requested)

    function.embedder.warm()


def test_nothing_listens_at_all(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.setenv(name, "local")
    monkeypatch.setenv("AWS_DEFAULT_REGION", "eu-central-1")
    monkeypatch.setenv("AWS_ENDPOINT_URL_LAMBDA", "http://127.0.0.1:1")
    embedder = LambdaEmbedder(lambda_functions, ALIAS, MODEL, lambda _: None)

    with pytest.raises(Unavailable, match="EndpointConnectionError"):
        embedder.embed(["pump"], "query")
    with pytest.raises(Unavailable, match="EndpointConnectionError"):
        embedder.warm()


def test_the_model_is_known_before_any_call_and_other_models_are_looked_up(function: Function) -> None:
    alone = DefaultEmbedders(function.embedder, None)
    assert alone.default.model == MODEL
    assert alone.for_model(MODEL) is function.embedder
    with pytest.raises(Unavailable, match="vectors of other/1") as refused:
        alone.for_model(ModelId("other", 1))
    assert refused.value.remedy == "restore_embedder"

    beside = DefaultEmbedders(function.embedder, cast("Embedders", OnlyHashedWords()))
    assert beside.for_model(OnlyHashedWords().default.model).model == OnlyHashedWords().default.model
    with pytest.raises(NotFound):
        beside.for_model(ModelId("other", 1))
