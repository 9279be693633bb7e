"""The image's content, made by its own Dockerfile in an empty folder, works as the function and as the model do.

Heavy: two installations and a build of the model.
"""

import sys

import boto3
import pytest
from botocore.config import Config

from groundwire.adapters.aws.embedders.lambda_embedder import LambdaEmbedder
from groundwire.adapters.onnx.inference.embedder import OnnxEmbedder
from groundwire.domain.errors import Unavailable
from groundwire.domain.limits import MAX_EMBEDDING_TEXTS
from groundwire.domain.passages.embedding_request import decode_response
from groundwire.ports import ModelId
from tests.server.adapters.embedding.conftest import DOCKERFILE, Running
from tests.support.entry.dockerfile import Stage, instructions

TEXTS = ["How long is the notice period?", "The pump weighs 12 kg.", "", "Überstunden 😀", "x " * 2_000, "\x00\x7f"]


def caller(running: Running, model: ModelId) -> LambdaEmbedder:
    """The adapter that the other functions use, with the emulator for the service."""
    client = boto3.client(
        "lambda",
        endpoint_url=running.address,
        region_name="eu-central-1",
        aws_access_key_id="local",
        aws_secret_access_key="local",
        config=Config(read_timeout=60, retries={"total_max_attempts": 1}),
    )
    return LambdaEmbedder(lambda _seconds: client, "function", model, lambda _seconds: None)


@pytest.mark.parametrize("kind", ["query", "passage"])
def test_vectors_of_the_function_are_those_of_this_process_bit_for_bit(
    running: Running, in_process: OnnxEmbedder, kind: str
) -> None:
    expected = in_process.embed(TEXTS, "query" if kind == "query" else "passage")

    answer = running.function.invoke({"texts": TEXTS, "kind": kind})

    assert decode_response(answer, in_process.model.name, in_process.model.dimension, len(TEXTS)) == expected


def test_the_adapter_gets_the_same_over_the_services_own_wire(running: Running, in_process: OnnxEmbedder) -> None:
    adapter = caller(running, in_process.model)
    assert adapter.embed(TEXTS, "query") == in_process.embed(TEXTS, "query")
    assert adapter.embed(["half a pair \ud800"], "query") == in_process.embed(["half a pair ?"], "query")


def test_more_texts_than_a_call_takes_come_back_in_their_order(running: Running, in_process: OnnxEmbedder) -> None:
    texts = [f"pump {number}" for number in range(MAX_EMBEDDING_TEXTS + 3)]

    vectors = caller(running, in_process.model).embed(texts, "passage")

    first, rest = texts[:MAX_EMBEDDING_TEXTS], texts[MAX_EMBEDDING_TEXTS:]
    assert vectors == in_process.embed(first, "passage") + in_process.embed(rest, "passage")


def test_a_caller_that_expects_another_model_takes_nothing_from_this_one(running: Running) -> None:
    with pytest.raises(Unavailable, match="all-MiniLM-L6-v2-int8/384, not other/384"):
        caller(running, ModelId("other", 384)).embed(["pump"], "query")


def test_a_call_that_is_too_large_fails_with_the_limit(running: Running, in_process: OnnxEmbedder) -> None:
    failed = running.function.invoke({"texts": ["pump"] * (MAX_EMBEDDING_TEXTS + 1), "kind": "query"})

    assert isinstance(failed, dict)
    assert failed["errorType"] == "InvalidInput"
    assert str(MAX_EMBEDDING_TEXTS) in failed["errorMessage"]


def test_the_image_holds_the_model_and_nothing_that_only_its_build_needs(image: Stage) -> None:
    held = {path.name for path in image.folder.iterdir()}

    assert {"app.py", "groundwire", "model", "numpy", "onnxruntime"} <= held
    assert not {"onnx", "ml_dtypes", "pip", "boto3", "xberg"} & held
    size = sum(path.stat().st_size for path in image.folder.rglob("*") if path.is_file())
    sys.stdout.write(f"embedding function, beside its base image: {size / 1e6:.0f} MB\n")
    assert size < 250_000_000


def test_the_image_starts_from_lambdas_own_base_and_its_architecture_can_be_chosen(image: Stage) -> None:
    assert image.base == "public.ecr.aws/lambda/python:3.13-x86_64"
    assert ("ARG", "ARCHITECTURE=x86_64") in list(instructions(DOCKERFILE))
