"""The wire form: limits are kept by who sends and checked by who takes, and vectors come back as they were."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from groundwire.domain.errors import InvalidInput
from groundwire.domain.limits import (
    MAX_EMBEDDING_CHARACTERS,
    MAX_EMBEDDING_RESPONSE_BYTES,
    MAX_EMBEDDING_TEXTS,
    MAX_EMBEDDING_THUMBNAILS,
)
from groundwire.domain.passages.embedding_request import (
    ThumbnailRequest,
    batch_image_queries,
    batch_requests,
    batch_thumbnails,
    decode_response,
    encode_response,
    parse_image_request,
    parse_request,
)
from groundwire_readers.contents.parsed import THUMBNAIL_BYTES
from tests.support.plugins.draws import examples

LAMBDA_BYTES = 6_291_456

VECTORS = st.integers(1, 8).flatmap(
    lambda dimension: st.tuples(
        st.just(dimension), st.lists(st.binary(min_size=4 * dimension, max_size=4 * dimension), max_size=5)
    )
)
LENGTHS = st.lists(st.sampled_from([0, 1, 1_000, MAX_EMBEDDING_CHARACTERS - 1, MAX_EMBEDDING_CHARACTERS * 2]))


@given(VECTORS)
@settings(deadline=None, max_examples=examples(100))
def test_vectors_are_unchanged_by_transport_bit_for_bit(made: tuple[int, list[bytes]]) -> None:
    dimension, vectors = made
    sent = json.loads(json.dumps(encode_response("m", dimension, vectors)))
    assert decode_response(sent, "m", dimension, len(vectors)) == vectors


@given(LENGTHS)
@settings(deadline=None, max_examples=examples(50))
def test_the_sender_keeps_the_limits_of_the_receiver_and_sends_every_text(lengths: list[int]) -> None:
    texts = ["x" * length for length in lengths]
    sent = list(batch_requests(texts, "query"))
    assert [text for call in sent for text in call.texts] == [text[:MAX_EMBEDDING_CHARACTERS] for text in texts]
    for call in sent:
        assert call.texts
        assert parse_request(json.loads(json.dumps(call.to_event()))) == call


@given(LENGTHS)
@settings(deadline=None, max_examples=examples(20))
def test_questions_for_images_keep_the_same_limits(lengths: list[int]) -> None:
    texts = ["x" * length for length in lengths]
    sent = list(batch_image_queries(texts))
    assert [call.texts for call in sent] == [call.texts for call in batch_requests(texts, "query")]
    assert [parse_image_request(json.loads(json.dumps(call.to_event()))) for call in sent] == sent


@pytest.mark.parametrize("count", [0, 1, MAX_EMBEDDING_THUMBNAILS, 2 * MAX_EMBEDDING_THUMBNAILS + 1])
def test_thumbnails_are_unchanged_by_transport_in_calls_that_lambda_carries(count: int) -> None:
    thumbnails = [bytes([number]) * THUMBNAIL_BYTES for number in range(count)]
    sent = [json.dumps(call.to_event()) for call in batch_thumbnails(thumbnails)]
    received = [parse_image_request(json.loads(event)) for event in sent]
    assert all(isinstance(call, ThumbnailRequest) for call in received)
    assert [each for call in received if isinstance(call, ThumbnailRequest) for each in call.thumbnails] == thumbnails
    assert all(len(event) < LAMBDA_BYTES for event in sent)
    assert len(sent) == -(-count // MAX_EMBEDDING_THUMBNAILS)


@pytest.mark.parametrize("size", [0, THUMBNAIL_BYTES - 1, THUMBNAIL_BYTES + 1])
def test_a_thumbnail_of_another_size_is_not_sent(size: int) -> None:
    with pytest.raises(InvalidInput, match=str(THUMBNAIL_BYTES)):
        list(batch_thumbnails([bytes(THUMBNAIL_BYTES), bytes(size)]))


def test_more_texts_than_a_call_takes_are_several_calls() -> None:
    sent = list(batch_requests(["x"] * (2 * MAX_EMBEDDING_TEXTS + 1), "query"))
    assert [len(call.texts) for call in sent] == [MAX_EMBEDDING_TEXTS, MAX_EMBEDDING_TEXTS, 1]


def test_the_largest_call_and_the_largest_answer_are_what_lambda_carries() -> None:
    # What JSON makes most of: a control character is six bytes.
    largest = batch_requests(
        ["\x01" * (MAX_EMBEDDING_CHARACTERS // MAX_EMBEDDING_TEXTS)] * MAX_EMBEDDING_TEXTS, "passage"
    )
    assert len(json.dumps(next(largest).to_event(), ensure_ascii=False).encode()) < LAMBDA_BYTES
    dimension = MAX_EMBEDDING_RESPONSE_BYTES * 3 // 4 // 4 // MAX_EMBEDDING_TEXTS
    answer = encode_response("m", dimension, [bytes(4 * dimension)] * MAX_EMBEDDING_TEXTS)
    assert len(json.dumps(answer)) < LAMBDA_BYTES
    with pytest.raises(InvalidInput, match="request at most"):
        encode_response("m", dimension + 1, [bytes(4 * (dimension + 1))] * MAX_EMBEDDING_TEXTS)


@pytest.mark.parametrize(
    ("event", "named"),
    [
        ({}, "kind"),
        ({"texts": ["a"], "kind": "other"}, "kind"),
        ({"texts": "a", "kind": "query"}, "texts"),
        ({"texts": ["a", 1], "kind": "query"}, "texts"),
        ({"texts": ["a"] * (MAX_EMBEDDING_TEXTS + 1), "kind": "query"}, str(MAX_EMBEDDING_TEXTS)),
        ({"texts": ["a" * (MAX_EMBEDDING_CHARACTERS + 1)], "kind": "query"}, str(MAX_EMBEDDING_CHARACTERS)),
    ],
)
def test_an_event_that_is_no_call_is_refused_with_what_is_wrong(event: dict[str, object], named: str) -> None:
    with pytest.raises(InvalidInput, match=named):
        parse_request(event)


@pytest.mark.parametrize(
    ("event", "named"),
    [
        ({"image_queries": "a"}, "image_queries"),
        ({"image_queries": None}, "image_queries"),
        ({"image_queries": ["a"] * (MAX_EMBEDDING_TEXTS + 1)}, str(MAX_EMBEDDING_TEXTS)),
        ({"thumbnails": None}, "base64"),
        ({"thumbnails": ["AAAA"]}, "base64"),
        ({"thumbnails": "AAAA AA=="}, "base64"),
        ({"thumbnails": "\u00e4"}, "base64"),
        ({"thumbnails": "AAAA"}, f"{THUMBNAIL_BYTES} bytes: thumbnails has 3"),
        ({"thumbnails": "AAAA" * (THUMBNAIL_BYTES // 3) * (MAX_EMBEDDING_THUMBNAILS + 1)}, "at most 16"),
    ],
)
def test_an_event_for_the_image_model_that_is_no_call_is_refused_with_what_is_wrong(
    event: dict[str, object], named: str
) -> None:
    with pytest.raises(InvalidInput, match=named):
        parse_image_request(event)


def test_a_call_for_texts_is_not_for_the_image_model() -> None:
    assert parse_image_request({"texts": ["a"], "kind": "query"}) is None


@pytest.mark.parametrize(
    "answer",
    [
        None,
        [],
        {},
        {"model": "m", "dimension": 2, "vectors": "AAAAAAAAAAA="},
        {"model": "m", "dimension": 1, "vectors": "AAAAAAAAAAA="},
        {"model": "other", "dimension": 1, "vectors": "AAAAAA=="},
        {"model": "m", "dimension": 1, "vectors": "AAAA AA=="},
        {"model": "m", "dimension": 1, "vectors": [0.5]},
        {"model": "m", "dimension": 1},
    ],
)
def test_an_answer_that_is_not_of_this_model_for_these_texts_gives_no_vector(answer: object) -> None:
    assert decode_response({"model": "m", "dimension": 1, "vectors": "AAAAAA=="}, "m", 1, 1) == [bytes(4)]
    with pytest.raises(ValueError, match="it"):
        decode_response(answer, "m", 1, 1)
