"""The contract of image embedders: the model of this process, and the same one behind the embedding function."""

import io
import json
from typing import Any

import boto3
import numpy as np
import pytest
from botocore.response import StreamingBody

from groundwire.adapters.aws.embedders.lambda_embedder import LambdaImageEmbedder
from groundwire.adapters.onnx.images.embedder import OnnxImageEmbedder, load_image_embedder
from groundwire.domain.errors import InvalidInput
from groundwire.domain.limits import MAX_EMBEDDING_TEXTS, MAX_EMBEDDING_THUMBNAILS
from groundwire.entry.functions.embedding import EmbeddingHandler
from groundwire.ports import Embedder, ImageEmbedder, Vector
from groundwire_readers.contents.parsed import THUMBNAIL_BYTES
from tests.support.models.image_models import ImageRepo, filled

RED, BLUE, BLACK = filled((255, 0, 0)), filled((0, 0, 255)), bytes(THUMBNAIL_BYTES)


@pytest.fixture(scope="module")
def in_process(tmp_path_factory: pytest.TempPathFactory) -> OnnxImageEmbedder:
    return load_image_embedder(ImageRepo().write(tmp_path_factory.mktemp("image-model")), 1)


def behind_function(images: ImageEmbedder) -> ImageEmbedder:
    """The adapter of the function, whose handler runs here: requests and responses pass through JSON."""

    def no_texts() -> Embedder:
        raise AssertionError("only images are embedded here")

    handler = EmbeddingHandler(no_texts, lambda: images)
    client: Any = boto3.client("lambda", region_name="eu-central-1", aws_access_key_id="x", aws_secret_access_key="x")

    def invoke(params: dict[str, Any], **_: Any) -> tuple[Any, dict[str, Any]]:
        payload = params["body"]
        assert len(payload) < 6_291_456
        content = json.dumps(handler(json.loads(payload), None)).encode()
        response = {"StatusCode": 200, "Payload": StreamingBody(io.BytesIO(content), len(content))}
        return type("Response", (), {"status_code": 200})(), response

    client.meta.events.register("before-call.lambda.Invoke", invoke)
    return LambdaImageEmbedder(lambda _seconds: client, "function", images.model, lambda _seconds: None)


@pytest.fixture(params=["onnx", "lambda"])
def embedder(request: pytest.FixtureRequest, in_process: OnnxImageEmbedder) -> ImageEmbedder:
    return in_process if request.param == "onnx" else behind_function(in_process)


def likeness(one: Vector, other: Vector) -> float:
    return float(np.dot(np.frombuffer(one, "<f4"), np.frombuffer(other, "<f4")))


def test_a_red_picture_is_nearer_to_the_text_red_than_a_blue_one(embedder: ImageEmbedder) -> None:
    (text,) = embedder.embed_queries(["a red house"])
    red, blue = embedder.embed_images([RED, BLUE])
    assert likeness(text, red) > likeness(text, blue)


def test_vectors_are_of_the_models_dimension_and_of_unit_length(embedder: ImageEmbedder) -> None:
    vectors = [*embedder.embed_queries(["red", "", "house"]), *embedder.embed_images([RED, BLACK])]
    assert [len(vector) for vector in vectors] == [4 * embedder.model.dimension] * 5
    assert [round(likeness(vector, vector), 5) for vector in vectors] == [1.0] * 5


def test_nothing_to_embed_gives_nothing(embedder: ImageEmbedder) -> None:
    assert (embedder.embed_queries([]), embedder.embed_images([])) == ([], [])


def test_each_input_has_its_vector_at_its_place_however_many_they_are(embedder: ImageEmbedder) -> None:
    texts = ["red " * (number % 5) + "blue" for number in range(MAX_EMBEDDING_TEXTS + 2)]
    assert embedder.embed_queries(texts) == [embedder.embed_queries([text])[0] for text in texts]
    images = [filled((7 * number, 0, 0)) for number in range(MAX_EMBEDDING_THUMBNAILS + 2)]
    assert embedder.embed_images(images) == [embedder.embed_images([image])[0] for image in images]


def test_half_a_surrogate_pair_is_a_question_mark(embedder: ImageEmbedder) -> None:
    assert embedder.embed_queries(["red \ud800"]) == embedder.embed_queries(["red ?"])


@pytest.mark.parametrize("size", [0, 1, THUMBNAIL_BYTES - 1, THUMBNAIL_BYTES + 1])
def test_a_thumbnail_of_another_size_is_refused(embedder: ImageEmbedder, size: int) -> None:
    with pytest.raises(InvalidInput, match=str(THUMBNAIL_BYTES)):
        embedder.embed_images([RED, bytes(size)])


def test_the_function_gives_the_vectors_of_this_process_bit_for_bit(in_process: OnnxImageEmbedder) -> None:
    remote = behind_function(in_process)
    assert remote.model == in_process.model
    assert remote.embed_queries(["red", "blue red"]) == in_process.embed_queries(["red", "blue red"])
    assert remote.embed_images([RED, BLUE]) == in_process.embed_images([RED, BLUE])
