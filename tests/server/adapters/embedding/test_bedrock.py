"""Models of Bedrock, over botocore's own description of the service; bodies as the models' pages describe them."""

import io
import json
import math
import struct
from collections.abc import Iterator, Mapping, Sequence
from threading import Barrier
from typing import Any

import boto3
import pytest
from botocore.response import StreamingBody
from botocore.stub import ANY, Stubber
from hypothesis import given, settings
from hypothesis import strategies as st

from groundwire.adapters.aws.bedrock import BedrockEmbedder, BedrockReranker
from groundwire.domain.errors import InvalidInput, Unavailable
from groundwire.ports import ModelId
from tests.support.plugins.draws import examples

TITAN = "amazon.titan-embed-text-v2:0"
V3 = "cohere.embed-multilingual-v3"
V4 = "cohere.embed-v4:0"
COHERE_RERANK = "cohere.rerank-v3-5:0"
AMAZON_RERANK = "amazon.rerank-v1:0"


class Bedrock:
    """Service with prepared answers, which keeps its requests."""

    def __init__(self) -> None:
        self.client = boto3.client(
            "bedrock-runtime", region_name="eu-central-1", aws_access_key_id="local", aws_secret_access_key="local"
        )
        self.stub = Stubber(self.client)
        self.requested: list[dict[str, Any]] = []
        self.pauses = 0
        self.client.meta.events.register("provide-client-params.bedrock-runtime.InvokeModel", self._keep)

    def make(self, _seconds: float) -> Any:
        return self.client

    def pause(self, _seconds: float) -> None:
        self.pauses += 1

    def answers(self, model_id: str, answer: object) -> None:
        content = json.dumps(answer).encode()
        body = StreamingBody(io.BytesIO(content), len(content))
        expected = {"modelId": model_id, "body": ANY, "contentType": "application/json", "accept": "application/json"}
        self.stub.add_response("invoke_model", {"body": body, "contentType": "application/json"}, expected)

    def refuses(self, code: str, status: int) -> None:
        self.stub.add_client_error("invoke_model", code, http_status_code=status)

    def _keep(self, params: Mapping[str, Any], **_: object) -> None:
        self.requested.append(json.loads(params["body"]))


@pytest.fixture
def bedrock() -> Iterator[Bedrock]:
    made = Bedrock()
    with made.stub:
        yield made
        made.stub.assert_no_pending_responses()


def embedder(bedrock: Bedrock, model_id: str, model: ModelId | None = None) -> BedrockEmbedder:
    return BedrockEmbedder(bedrock.make, model_id, model, bedrock.pause)


def values(dimension: int, first: float = 3.0, second: float = 4.0) -> list[float]:
    return [first, second, *([0.0] * (dimension - 2))]


def numbers(vector: bytes) -> tuple[float, ...]:
    return struct.unpack(f"<{len(vector) // 4}f", vector)


def test_titan_is_called_text_by_text_and_gives_unit_vectors(bedrock: Bedrock) -> None:
    bedrock.answers(TITAN, {"embedding": values(256), "inputTextTokenCount": 2})

    (vector,) = embedder(bedrock, TITAN, ModelId("titan", 256)).embed(["pump"], "query")

    assert bedrock.requested == [{"inputText": "pump", "dimensions": 256, "normalize": True}]
    assert numbers(vector)[:3] == pytest.approx((0.6, 0.8, 0.0))


def test_several_texts_for_titan_are_sent_at_once_and_come_back_in_order() -> None:
    class Echo:
        """Client that answers with the length of the text as soon as it has received all texts."""

        def __init__(self, texts: int) -> None:
            self.all_requested = Barrier(texts)

        def invoke_model(self, *, body: bytes, **_: object) -> object:
            self.all_requested.wait(timeout=30)
            angle = float(len(json.loads(body)["inputText"]))
            content = json.dumps({"embedding": values(256, math.cos(angle), math.sin(angle))}).encode()
            return {"body": io.BytesIO(content)}

    texts = ["a" * (1 + number) for number in range(5)]
    echo: Any = Echo(len(texts))
    found = BedrockEmbedder(lambda _seconds: echo, TITAN, ModelId("t", 256), lambda _: None).embed(texts, "query")

    assert [numbers(vector)[0] for vector in found] == pytest.approx([math.cos(len(text)) for text in texts])


@pytest.mark.parametrize(
    ("model_id", "reported"),
    [(V3, {"truncate": "END"}), (V4, {"truncate": "RIGHT", "output_dimension": 1536}), (f"eu.{V4}", {})],
)
def test_cohere_gets_all_texts_and_their_kind_in_one_call(
    bedrock: Bedrock, model_id: str, reported: Mapping[str, object]
) -> None:
    made = embedder(bedrock, model_id)
    for _ in range(2):
        rows = [values(made.model.dimension), values(made.model.dimension, 0.0, 2.0)]
        bedrock.answers(model_id, {"embeddings": {"float": rows}, "response_type": "embeddings_by_type"})

    first, second = made.embed(["pump", "valve"], "query")
    made.embed(["pump", "valve"], "passage")

    question, passage = bedrock.requested
    assert (question["input_type"], passage["input_type"]) == ("search_query", "search_document")
    assert question["texts"] == ["pump", "valve"]
    assert question["embedding_types"] == ["float"]
    assert question.items() >= reported.items()
    assert ("output_dimension" in question) is (V4 in model_id)
    assert (numbers(first)[0], numbers(second)[1]) == pytest.approx((0.6, 1.0))


def test_texts_beyond_a_call_or_a_models_length_are_split_and_cut() -> None:
    requested: list[list[str]] = []

    class Cohere:
        """Gives as many vectors as there are texts; whichever call comes first."""

        def invoke_model(self, *, body: bytes, **_: object) -> object:
            requested.append(json.loads(body)["texts"])
            content = json.dumps({"embeddings": {"float": [values(1024)] * len(requested[-1])}}).encode()
            return {"body": io.BytesIO(content)}

    client: Any = Cohere()
    found = BedrockEmbedder(lambda _seconds: client, V3, None).embed(["x" * 3_000] * 100, "passage")

    assert len(found) == 100
    assert sorted(map(len, requested)) == [4, 96]
    assert {len(text) for texts in requested for text in texts} == {2_048}


@pytest.mark.parametrize("text", ["", "\ud800", "😀"])
def test_any_text_can_be_embedded(bedrock: Bedrock, text: str) -> None:
    bedrock.answers(TITAN, {"embedding": values(1024)})
    embedder(bedrock, TITAN).embed([text], "query")
    assert bedrock.requested[0]["inputText"]


def test_no_text_asks_nothing(bedrock: Bedrock) -> None:
    assert embedder(bedrock, TITAN).embed([], "query") == []
    assert BedrockReranker(bedrock.make, COHERE_RERANK, bedrock.pause).score("pump", []) == []


@pytest.mark.parametrize(
    ("model_id", "model"),
    [
        ("amazon.titan-embed-text-v1", None),
        ("anthropic.claude-3", None),
        ("cohere.embed-v4:0;x", None),
        (TITAN, ModelId("t", 384)),
        (V3, ModelId("t", 256)),
    ],
)
def test_a_model_that_cannot_be_called_is_refused_before_any_call(
    bedrock: Bedrock, model_id: str, model: ModelId | None
) -> None:
    with pytest.raises(InvalidInput, match=r"gives vectors|is not a supported"):
        embedder(bedrock, model_id, model)
    with pytest.raises(InvalidInput, match="is not a supported"):
        BedrockReranker(bedrock.make, model_id)


def test_a_model_may_be_named_by_its_arn_or_a_profile_over_regions(bedrock: Bedrock) -> None:
    for name in (
        f"arn:aws:bedrock:eu-central-1::foundation-model/{TITAN}",
        f"arn:aws:bedrock:eu-central-1:123456789012:inference-profile/eu.{V4}",
        f"global.{V4}",
    ):
        assert embedder(bedrock, name).model.name == name


@pytest.mark.parametrize(
    "answer",
    [
        [],
        {},
        {"embedding": None},
        {"embedding": [0.5]},
        {"embedding": ["a"] * 1024},
        {"embedding": [0.0] * 1024},
        {"embedding": [1e300] * 1024},
    ],
)
def test_an_answer_that_is_no_vector_of_the_models_size_is_none(bedrock: Bedrock, answer: object) -> None:
    bedrock.answers(TITAN, answer)
    with pytest.raises(Unavailable, match="does not have the documented form"):
        embedder(bedrock, TITAN).embed(["pump"], "query")


def test_an_answer_with_fewer_vectors_than_texts_is_none(bedrock: Bedrock) -> None:
    bedrock.answers(V3, {"embeddings": {"float": [values(1024)]}})
    with pytest.raises(Unavailable, match="does not have the documented form"):
        embedder(bedrock, V3).embed(["pump", "valve"], "query")


def test_a_busy_model_is_called_once_more_and_a_forbidden_one_is_not(bedrock: Bedrock) -> None:
    bedrock.refuses("ThrottlingException", 429)
    bedrock.answers(TITAN, {"embedding": values(1024)})
    assert embedder(bedrock, TITAN).embed(["pump"], "query")
    assert bedrock.pauses == 1

    for code in ("AccessDeniedException", "ResourceNotFoundException", "ValidationException"):
        bedrock.refuses(code, 403)
        with pytest.raises(Unavailable, match=f"Bedrock refuses .*{code}"):
            embedder(bedrock, TITAN).embed(["pump"], "query")
    assert bedrock.pauses == 1

    for _ in range(2):
        bedrock.refuses("ModelTimeoutException", 408)
    with pytest.raises(Unavailable, match="ModelTimeoutException"):
        embedder(bedrock, TITAN).embed(["pump"], "query")


@pytest.mark.parametrize(("model_id", "versions"), [(COHERE_RERANK, {"api_version": 2}), (AMAZON_RERANK, {})])
def test_a_reranker_gets_every_passage_and_its_scores_come_in_their_order(
    bedrock: Bedrock, model_id: str, versions: Mapping[str, object]
) -> None:
    ranked = [{"index": 2, "relevance_score": 0.9}, {"index": 0, "relevance_score": 0.5}]
    bedrock.answers(model_id, {"results": [*ranked, {"index": 1, "relevance_score": 0.1}]})

    reranker = BedrockReranker(bedrock.make, model_id, bedrock.pause)

    assert reranker.score("pump", ["a", "b", "c"]) == [0.5, 0.1, 0.9]
    assert bedrock.requested == [{"query": "pump", "documents": ["a", "b", "c"], "top_n": 3, **versions}]
    assert reranker.name == model_id


@pytest.mark.parametrize("answer", [{}, {"results": None}, {"results": [{"index": 0}]}, {"results": []}])
def test_a_reranker_that_leaves_a_passage_out_is_unavailable(bedrock: Bedrock, answer: object) -> None:
    bedrock.answers(COHERE_RERANK, answer)
    with pytest.raises(Unavailable):
        BedrockReranker(bedrock.make, COHERE_RERANK, bedrock.pause).score("pump", ["a"])


def has_length(made: Sequence[float]) -> bool:
    return any(abs(value) > 1e-3 for value in made)


@given(st.lists(st.floats(-1e3, 1e3, width=32), min_size=256, max_size=256).filter(has_length))
@settings(deadline=None, max_examples=examples(50))
def test_whatever_the_length_that_comes_the_vector_has_length_one(made: Sequence[float]) -> None:
    content = json.dumps({"embedding": made}).encode()

    class Once:
        def invoke_model(self, **_: object) -> object:
            return {"body": io.BytesIO(content)}

    def client(_seconds: float) -> Any:
        return Once()

    (vector,) = BedrockEmbedder(client, TITAN, ModelId("t", 256)).embed(["pump"], "query")
    assert math.hypot(*numbers(vector)) == pytest.approx(1, abs=1e-5)
