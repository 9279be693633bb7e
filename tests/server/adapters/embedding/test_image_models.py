"""Which image embedder a process gets, and what the embedding function's image does with an image model.

Heavy: an installation and a build of the model of texts, since an image model is one more in the same container image.
"""

import os
import shutil
import sys
from pathlib import Path

import boto3
import pytest
from botocore.config import Config

from groundwire.adapters.aws.embedders.lambda_embedder import LambdaImageEmbedder
from groundwire.adapters.onnx.images.embedder import OnnxImageEmbedder, load_image_embedder
from groundwire.domain.errors import InvalidInput, NotFound
from groundwire.ports import ImageEmbedder, ModelId
from groundwire.settings import environment
from groundwire.wiring.cloud.image_models import check_image_model
from groundwire.wiring.external_backends import build_image_embedder
from tests.server.adapters.embedding.conftest import DOCKERFILE, ROOT
from tests.support.engines import lambda_runtime
from tests.support.engines.missing import Absent, answer
from tests.support.entry.dockerfile import carried_out
from tests.support.models.image_models import ImageRepo, filled

FUNCTION = {"GROUNDWIRE_EMBEDDER": "lambda:arn:x", "GROUNDWIRE_EMBEDDER_MODEL": "a/384"}
NAMED = {**FUNCTION, "GROUNDWIRE_EMBEDDER_IMAGE_MODEL": "openai/clip@0123/512"}
IMAGE_MODEL_FOLDER = Path("functions", "embedding", "image-model")


def built(**given: str) -> ImageEmbedder | None:
    return build_image_embedder(environment.read_settings(given))


def test_without_a_setting_there_is_no_image_embedder() -> None:
    assert built() is None
    assert built(**FUNCTION) is None
    assert built(GROUNDWIRE_EMBEDDER="bedrock:amazon.titan-embed-text-v2:0", GROUNDWIRE_EMBEDDER_IMAGE_MODEL="") is None


def test_a_folder_is_loaded_and_a_function_is_not_called(tmp_path: Path) -> None:
    assert isinstance(built(GROUNDWIRE_IMAGE_MODEL=str(ImageRepo().write(tmp_path))), OnnxImageEmbedder)
    remote = built(**NAMED)
    assert isinstance(remote, LambdaImageEmbedder)
    assert remote.model == ModelId("openai/clip@0123", 512)


def test_a_model_of_this_process_and_one_of_the_function_are_too_many(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="not both"):
        built(**NAMED, GROUNDWIRE_IMAGE_MODEL=str(tmp_path))
    with pytest.raises(NotFound, match="GROUNDWIRE_IMAGE_MODEL"):
        built(GROUNDWIRE_IMAGE_MODEL=str(tmp_path / "missing"))


def test_the_build_takes_the_model_that_is_named_and_no_other(tmp_path: Path) -> None:
    folder = ImageRepo().write(tmp_path / "image-model")
    model = load_image_embedder(folder, 1).model
    check_image_model(str(folder), f"{model.name}/{model.dimension}")
    assert (folder / "tokenizer.json").is_file()
    for other in (f"{model.name}/{model.dimension + 1}", "other@0123/5"):
        with pytest.raises(InvalidInput, match=f"holds {model.name}/5, but ImageModel is {other}"):
            check_image_model(str(folder), other)


def test_the_build_without_a_named_model_leaves_an_empty_folder(tmp_path: Path) -> None:
    folder = ImageRepo().write(tmp_path / "image-model")
    check_image_model(str(folder), "")
    assert list(folder.iterdir()) == []


def test_an_image_that_was_built_with_an_image_model_embeds_as_this_process_does(tmp_path: Path) -> None:
    context = tmp_path / "checkout"
    for copied in (
        "functions/embedding",
        *(path.relative_to(ROOT) for path in ROOT.glob("*/*/groundwire*/")),
    ):
        shutil.copytree(ROOT / copied, context / copied)
    shutil.copy(ROOT / ".dockerignore", context)
    local = load_image_embedder(ImageRepo().write(context / IMAGE_MODEL_FOLDER), 1)
    named = f"{local.model.name}/{local.model.dimension}"
    dockerfile = context / DOCKERFILE.relative_to(ROOT)
    stage = carried_out(dockerfile, context, tmp_path / "image", os.environ, IMAGE_MODEL=named)

    variables = {**stage.variables, "GROUNDWIRE_IMAGE_MODEL": str(stage.folder / "image-model")}
    try:
        with lambda_runtime.running(
            stage.folder, variables=variables, handler=stage.command[0], timeout_s=60
        ) as function:
            assert function.invoke({"warm": True}) == {"warm": True}
            client = boto3.client(
                "lambda",
                endpoint_url=f"http://127.0.0.1:{function.port}",
                region_name="eu-central-1",
                aws_access_key_id="local",
                aws_secret_access_key="local",
                config=Config(read_timeout=60, retries={"total_max_attempts": 1}),
            )
            remote = LambdaImageEmbedder(lambda _seconds: client, "function", local.model, lambda _seconds: None)
            thumbnails = [filled((9 * number, 0, 200)) for number in range(20)]
            assert remote.embed_queries(["red", "a blue house"]) == local.embed_queries(["red", "a blue house"])
            assert remote.embed_images(thumbnails) == local.embed_images(thumbnails)
    except Absent as absent:
        answer(absent)
    held = {path.name for path in stage.folder.iterdir()}
    assert "tokenizers" in held
    assert not {"huggingface_hub", "onnx", "httpx"} & held
    size = sum(path.stat().st_size for path in (stage.folder / "tokenizers").rglob("*") if path.is_file())
    sys.stdout.write(f"the tokenizers of an image model: {size / 1e6:.0f} MB\n")
