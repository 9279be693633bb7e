"""A field that an index lacks is put into it before the first bulk that holds the field."""

from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from threading import Barrier

import pytest

from groundwire.adapters.opensearch import SERVICES
from groundwire.adapters.opensearch.backing_indexes import backing_index_name
from groundwire.adapters.opensearch.schema.mapping import index_body
from groundwire.domain import errors
from groundwire.ports import GenerationState, Index, IndexGeneration, ModelId
from groundwire.ports.indexes import IndexKind
from tests.support.documents.index_documents import MODEL, TENANT, matching, put_segments, segment
from tests.support.opensearch.earlier_release import ADDED, body_before, text_fields_body
from tests.support.opensearch.indexes import Opened, indexes_at
from tests.support.opensearch.signed_calls import call

FIRST = backing_index_name(TENANT, 1, IndexKind.PASSAGES)
CHANGED, BULK = f"PUT /{FIRST}/_mapping", "POST /_bulk"
SERVERLESS = ("serverless-classic", "serverless-nextgen")


def put_text(index: Index, doc_id: str = "d") -> None:
    put_segments(index, [segment(doc_id, 0, f"zebra {doc_id}")])


def writes(there: Opened) -> list[str]:
    """Changes of mappings and bulks, in order."""
    return [each for each in there.emulated.calls if each.startswith("PUT") or each.endswith("_bulk")]


def fields(there: Opened) -> set[str]:
    return set(call(there.emulated.url, "GET", f"/{FIRST}/_mapping")[1][FIRST]["mappings"]["properties"])


def make_before(there: Opened) -> Index:
    """The tenant's index, made by the release before."""
    body = body_before(there.emulated.name, MODEL)
    if there.emulated.name == "serverless-nextgen":
        body["mappings"]["properties"]["vector"]["mode"] = "in_memory"
    assert body["mappings"]["_meta"]["schema"] == 1
    assert call(there.emulated.url, "PUT", f"/{FIRST}", body)[0] == 200
    generation = IndexGeneration(1, MODEL)
    there.index_generations.write(TENANT, GenerationState(live=generation, building=None, highest_number=1), None)
    return there.indexes.for_tenant(TENANT)


def test_a_new_index_has_every_field_from_the_start(anew: Opened) -> None:
    index = anew.indexes.for_tenant(TENANT)
    for doc_id in ("d", "e"):
        put_text(index, doc_id)
    assert [each for each in writes(anew) if each.startswith("PUT")] == [f"PUT /{FIRST}"]
    anew.emulated.become_visible()
    assert matching(index, "zebra") == {"zebra d", "zebra e"}


def test_an_index_of_the_release_before_gets_the_fields_once_and_before_the_first_row(anew: Opened) -> None:
    index = make_before(anew)
    before = len(writes(anew))
    for doc_id in ("d", "e"):
        put_text(index, doc_id)
    assert writes(anew)[before:] == [CHANGED, BULK, BULK]
    assert fields(anew) >= ADDED
    anew.emulated.become_visible()
    assert matching(index, "zebra") == {"zebra d", "zebra e"}


def test_another_process_sees_which_fields_there_are(anew: Opened) -> None:
    put_text(make_before(anew))
    with closing(indexes_at(anew.emulated.url, anew.emulated.name, anew.index_generations, MODEL)) as other_place:
        before = len(writes(anew))
        put_text(other_place.for_tenant(TENANT), "e")
        assert writes(anew)[before:] == [BULK]


def test_the_next_generation_has_the_fields_from_the_start(anew: Opened) -> None:
    put_text(make_before(anew))
    before = len(writes(anew))
    put_text(anew.indexes.start_generation(TENANT, ModelId("other", MODEL.dimension)))
    assert writes(anew)[before:] == [f"PUT /{backing_index_name(TENANT, 2, IndexKind.PASSAGES)}", BULK]


def test_several_processes_may_put_the_same_fields_at_once(anew: Opened) -> None:
    make_before(anew)
    combined = Barrier(4)

    def ingest_file(number: int) -> None:
        with closing(indexes_at(anew.emulated.url, anew.emulated.name, anew.index_generations, MODEL)) as process:
            index = process.for_tenant(TENANT)
            combined.wait(timeout=60)
            put_text(index, f"e{number}")

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(ingest_file, range(4)))
    anew.emulated.become_visible()
    assert anew.indexes.for_tenant(TENANT).count_rows() == 4


@pytest.mark.parametrize("service", SERVERLESS)
def test_an_index_that_was_made_again_behind_the_process_gets_the_fields_when_the_write_is_repeated(
    anew: Opened,
) -> None:
    index = make_before(anew)
    put_text(index)
    # A changed index is not kept by the emulator for the next who makes one.
    assert call(anew.emulated.url, "PUT", f"/{FIRST}/_settings", {"index.knn.algo_param.ef_search": 50})[0] == 200
    assert call(anew.emulated.url, "DELETE", f"/{FIRST}")[0] == 200
    assert call(anew.emulated.url, "PUT", f"/{FIRST}", body_before(anew.emulated.name, MODEL))[0] == 200
    with pytest.raises(errors.Unavailable):
        put_text(index)
    put_text(index)
    anew.emulated.become_visible()
    assert matching(index, "zebra") == {"zebra d"}


@pytest.mark.parametrize("service", ["opensearch"])
def test_the_release_before_gets_the_same_field_from_a_new_index_without_putting_it(anew: Opened) -> None:
    assert call(anew.emulated.url, "PUT", f"/{FIRST}", index_body(SERVICES["opensearch"], MODEL), None)[0] == 200
    lines: list[object] = [{"index": {"_index": FIRST}}, {"text_fr": "l'heure"}]
    assert call(anew.emulated.url, "POST", "/_bulk?refresh=true", lines, None)[1]["errors"] is False
    before = call(anew.emulated.url, "GET", f"/{FIRST}/_mapping")[1]
    assert call(anew.emulated.url, "PUT", f"/{FIRST}/_mapping", text_fields_body({"text_fr"}))[0] == 200
    assert call(anew.emulated.url, "GET", f"/{FIRST}/_mapping")[1] == before
