"""Settings and mapping of a new index, by service."""

import json
from typing import Any

import pytest

from groundwire.adapters.opensearch import SERVICES
from groundwire.adapters.opensearch.schema.analysis import LANGUAGES
from groundwire.adapters.opensearch.schema.mapping import check_mapping, index_body
from groundwire.domain import errors
from groundwire.ports import ModelId
from groundwire.settings.index_service import INDEX_SERVICES, IndexEngine

MODEL = ModelId("minilm", 384)
HNSW = {"name": "hnsw", "space_type": "innerproduct"}


def mapping(service: str) -> dict[str, Any]:
    return index_body(SERVICES[service], MODEL)["mappings"]


def test_every_service_that_a_setting_may_name_has_its_rules() -> None:
    named = [service for service, engine in INDEX_SERVICES.items() if engine is IndexEngine.OPENSEARCH]
    assert list(SERVICES) == named


@pytest.mark.parametrize(
    ("service", "field"),
    [
        ("opensearch", {"method": {**HNSW, "engine": "lucene"}}),
        ("serverless-classic", {"method": {**HNSW, "engine": "faiss"}}),
        ("serverless-nextgen", {"compression_level": "1x", "space_type": "innerproduct"}),
    ],
)
def test_the_vector_field_is_what_the_service_takes(service: str, field: dict[str, Any]) -> None:
    assert mapping(service)["properties"]["vector"] == {"type": "knn_vector", "dimension": 384, **field}


def test_the_mapping_for_the_newer_generation_names_no_engine() -> None:
    assert "engine" not in json.dumps(mapping("serverless-nextgen"))


def test_every_filter_that_an_analyzer_names_is_defined_or_built_in() -> None:
    analysis = index_body(SERVICES["opensearch"], MODEL)["settings"]["analysis"]
    built_in = {"cjk_width", "cjk_bigram", "lowercase"}
    for analyzer in analysis["analyzer"].values():
        assert set(analyzer["filter"]) <= built_in | analysis["filter"].keys()
    assert analysis["analyzer"].keys() == set(LANGUAGES)


def test_an_index_of_this_groundwire_is_taken() -> None:
    check_mapping("gw-t-1", mapping("opensearch"), MODEL)


@pytest.mark.parametrize("meta", [{}, {"schema": 0}, {"schema": 2, "model": "minilm", "dimension": 384}])
def test_an_index_of_another_version_is_refused_with_what_to_do(meta: dict[str, Any]) -> None:
    with pytest.raises(errors.Conflict, match="gw-t-1 was made by another version") as refused:
        check_mapping("gw-t-1", {"_meta": meta}, MODEL)
    assert refused.value.remedy == "rebuild_index"


def test_an_index_of_another_model_is_refused_with_both_names() -> None:
    with pytest.raises(errors.Conflict, match=r"minilm \(384 dimensions\), not of bge \(8 dimensions\)"):
        check_mapping("gw-t-1", mapping("opensearch"), ModelId("bge", 8))
