"""The first document creates an index, also after the index was dropped; an emptied index is never used again."""

from pathlib import Path

from groundwire.adapters.opensearch.backing_indexes import backing_index_name
from groundwire.adapters.opensearch.schema.mapping import TEXT_FIELD_PREFIX
from groundwire.ports.indexes import IndexKind
from tests.support.documents.index_documents import ANYONE, MODEL, TENANT, put, readable
from tests.support.opensearch.emulator.node import spares
from tests.support.opensearch.indexes import Opened, opened
from tests.support.opensearch.signed_calls import call


def text_fields(anew: Opened) -> list[str]:
    index = backing_index_name(TENANT, 1, IndexKind.PASSAGES)
    mapping = call(anew.emulated.url, "GET", f"/{index}/_mapping")[1][index]["mappings"]
    return [field for field in mapping["properties"] if field.startswith(TEXT_FIELD_PREFIX)]


def test_the_first_document_makes_it_without_a_field_of_an_earlier_release(anew: Opened) -> None:
    index = anew.indexes.for_tenant(TENANT)
    put(index, "d", ["text"])
    assert readable(index, ANYONE) == {"d"}
    assert text_fields(anew) == []


def test_a_dropped_one_is_made_again_by_the_next_document(anew: Opened, opensearch_url: str, tmp_path: Path) -> None:
    put(anew.indexes.for_tenant(TENANT), "d", ["text"])
    assert anew.indexes.drop(TENANT) == 1
    with spares.kept(opensearch_url), opened(opensearch_url, anew.emulated.name, tmp_path / "other", MODEL) as other:
        put(other.indexes.for_tenant(TENANT), "e", ["text"])
        assert readable(other.indexes.for_tenant(TENANT), ANYONE) == {"e"}
        assert text_fields(other) == []
