"""Which embedder and which reranker a process gets, in the cloud and on one machine; nothing is called for that."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from groundwire.adapters.aws.bedrock import BedrockEmbedder, BedrockReranker
from groundwire.adapters.aws.embedders.lambda_embedder import LambdaEmbedder
from groundwire.adapters.onnx.embedders import model_id_in
from groundwire.domain.errors import NotFound, Unavailable
from groundwire.ports import ModelId
from groundwire.settings import environment
from groundwire.wiring.cloud.backends import CloudBackends, cloud_backends
from groundwire.wiring.local.services import LocalServices, open_home
from tests.server.adapters.embedding.conftest import MODEL

ALIAS = "arn:aws:lambda:eu-central-1:123456789012:function:embed:live"
FUNCTION = {"GROUNDWIRE_EMBEDDER": f"lambda:{ALIAS}", "GROUNDWIRE_EMBEDDER_MODEL": "all-MiniLM-L6-v2-int8/384"}
TITAN = "amazon.titan-embed-text-v2:0"


def cloud(**given: str) -> CloudBackends:
    return cloud_backends(environment.read_settings(given), {})


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "home"


@pytest.fixture
def local(home: Path) -> Iterator[LocalServices]:
    made = open_home(environment.read_settings({"GROUNDWIRE_HOME": str(home), **FUNCTION}))
    yield made
    made.close()


def test_a_deployment_embeds_by_its_function_and_by_no_other_model() -> None:
    embedders = cloud(**FUNCTION).models.embedders
    assert isinstance(embedders.default, LambdaEmbedder)
    assert embedders.default.model == ModelId("all-MiniLM-L6-v2-int8", 384)
    with pytest.raises(Unavailable, match=f"vectors of {TITAN}/1024"):
        embedders.for_model(ModelId(TITAN, 1024))


def test_a_deployment_embeds_and_reranks_by_models_of_bedrock() -> None:
    services = cloud(GROUNDWIRE_EMBEDDER=f"bedrock:{TITAN}", GROUNDWIRE_RERANKER="bedrock:amazon.rerank-v1:0")
    assert isinstance(services.models.embedders.default, BedrockEmbedder)
    assert services.models.embedders.default.model == ModelId(TITAN, 1024)
    assert isinstance(services.models.reranker, BedrockReranker)
    assert cloud().models.reranker is None


def test_one_machine_begins_indexes_with_the_models_of_a_service_and_keeps_its_own_for_older_ones(
    local: LocalServices, in_process: object
) -> None:
    assert isinstance(local.models.embedder, LambdaEmbedder)
    assert local.models.model == local.models.embedder.model == model_id_in(MODEL)
    assert local.model_folder.describe()["name"] == "all-MiniLM-L6-v2-int8"
    with pytest.raises(NotFound):
        local.models.embedders.for_model(ModelId("other", 384))


def test_one_machine_takes_a_reranker_of_bedrock_that_no_folder_holds(home: Path) -> None:
    chosen = {"GROUNDWIRE_HOME": str(home), "GROUNDWIRE_RERANKER": "bedrock:cohere.rerank-v3-5:0"}
    services = open_home(environment.read_settings(chosen))
    assert isinstance(services.models.reranker, BedrockReranker)
    assert "reranker" not in services.model_folder.check()
    services.close()
