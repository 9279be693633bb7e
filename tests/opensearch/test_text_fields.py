"""The field of a language is put into an index before the first bulk that holds the language."""

from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import replace
from threading import Barrier

import pytest

from groundwire.adapters.aws.opensearch import SERVICES
from groundwire.adapters.aws.opensearch.backing_indexes import backing_index_name
from groundwire.adapters.aws.opensearch.schema.mapping import index_body, text_fields_body
from groundwire.domain import errors
from groundwire.ports import GenerationState, Index, IndexGeneration, ModelId
from tests.support.documents.index_documents import MODEL, TENANT, matching, put_segments, segment
from tests.support.opensearch.indexes import Opened, indexes_at
from tests.support.opensearch.signed_calls import call

FIRST = backing_index_name(TENANT, 1)
SERVERLESS = ("serverless-classic", "serverless-nextgen")


def put_text(index: Index, language: str, doc_id: str = "d") -> None:
    put_segments(index, [replace(segment(doc_id, 0, f"zebra {language}"), language=language)])


def writes(there: Opened) -> list[str]:
    """Changes of mappings and bulks, in order."""
    return [each for each in there.emulated.calls if each.startswith("PUT") or each.endswith("_bulk")]


def text_fields(there: Opened) -> set[str]:
    mappings = call(there.emulated.url, "GET", f"/{FIRST}/_mapping")[1][FIRST]["mappings"]
    return {name for name in mappings["properties"] if name.startswith("text_")}


def test_each_language_gets_its_field_once_and_before_its_first_text(anew: Opened) -> None:
    index = anew.indexes.for_tenant(TENANT)
    for number, language in enumerate(["en", "en", "de", "en"]):
        put_text(index, language, f"d{number}")
    changed, bulk = f"PUT /{FIRST}/_mapping", "POST /_bulk"
    assert writes(anew) == [f"PUT /{FIRST}", changed, bulk, bulk, changed, bulk, bulk]
    assert text_fields(anew) == {"text_en", "text_de"}
    anew.emulated.become_visible()
    assert matching(index, "zebra") == {"zebra en", "zebra de"}


def test_another_process_sees_which_fields_there_are(anew: Opened) -> None:
    put_text(anew.indexes.for_tenant(TENANT), "en")
    with closing(indexes_at(anew.emulated.url, anew.emulated.name, anew.index_generations, MODEL)) as elsewhere:
        before = len(writes(anew))
        put_text(elsewhere.for_tenant(TENANT), "en", "e")
        assert writes(anew)[before:] == ["POST /_bulk"]


def test_the_next_generation_gets_fields_of_its_own(anew: Opened) -> None:
    put_text(anew.indexes.for_tenant(TENANT), "en")
    before = len(writes(anew))
    put_text(anew.indexes.start_generation(TENANT, ModelId("other", MODEL.dimension)), "en")
    second = backing_index_name(TENANT, 2)
    assert writes(anew)[before:] == [f"PUT /{second}", f"PUT /{second}/_mapping", "POST /_bulk"]


def test_several_processes_may_put_the_same_field_at_once(anew: Opened) -> None:
    put_text(anew.indexes.for_tenant(TENANT), "en")
    together = Barrier(4)

    def bring_in(number: int) -> None:
        with closing(indexes_at(anew.emulated.url, anew.emulated.name, anew.index_generations, MODEL)) as process:
            index = process.for_tenant(TENANT)
            index.count_rows()
            together.wait(timeout=60)
            put_text(index, "de", f"e{number}")

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(bring_in, range(4)))
    anew.emulated.become_visible()
    assert anew.indexes.for_tenant(TENANT).count_rows() == 5


@pytest.mark.parametrize("service", SERVERLESS)
def test_an_index_that_was_made_anew_behind_the_process_gets_the_field_when_the_write_is_repeated(
    anew: Opened,
) -> None:
    index = anew.indexes.for_tenant(TENANT)
    put_text(index, "en")
    # A changed index is not kept by the emulator for the next who makes one.
    assert call(anew.emulated.url, "PUT", f"/{FIRST}/_settings", {"index.knn.algo_param.ef_search": 50})[0] == 200
    assert call(anew.emulated.url, "DELETE", f"/{FIRST}")[0] == 200
    assert call(anew.emulated.url, "PUT", f"/{FIRST}", index_body(SERVICES[anew.emulated.name], MODEL))[0] == 200
    with pytest.raises(errors.Unavailable):
        put_text(index, "en")
    put_text(index, "en")
    anew.emulated.become_visible()
    assert matching(index, "zebra") == {"zebra en"}


def test_an_index_of_the_release_before_is_written_and_searched_as_it_is(anew: Opened) -> None:
    body = index_body(SERVICES[anew.emulated.name], MODEL)
    if anew.emulated.name == "serverless-nextgen":
        body["mappings"]["properties"]["vector"]["mode"] = "in_memory"
    assert body["mappings"]["_meta"]["schema"] == 1
    assert call(anew.emulated.url, "PUT", f"/{FIRST}", body)[0] == 200
    # As the template made it when the first English text came.
    assert call(anew.emulated.url, "PUT", f"/{FIRST}/_mapping", text_fields_body({"text_en"}))[0] == 200
    generation = IndexGeneration(1, MODEL)
    anew.index_generations.write(TENANT, GenerationState(live=generation, building=None, highest_number=1), None)
    index = anew.indexes.for_tenant(TENANT)
    before = len(writes(anew))
    for language in ("en", "de"):
        put_text(index, language, language)
    assert writes(anew)[before:] == ["POST /_bulk", f"PUT /{FIRST}/_mapping", "POST /_bulk"]
    anew.emulated.become_visible()
    assert matching(index, "zebra") == {"zebra en", "zebra de"}


@pytest.mark.parametrize("service", ["opensearch"])
def test_the_release_before_gets_the_same_field_from_a_new_index_without_putting_it(anew: Opened) -> None:
    assert call(anew.emulated.url, "PUT", f"/{FIRST}", index_body(SERVICES["opensearch"], MODEL), None)[0] == 200
    lines: list[object] = [{"index": {"_index": FIRST}}, {"text_fr": "l'heure"}]
    assert call(anew.emulated.url, "POST", "/_bulk?refresh=true", lines, None)[1]["errors"] is False
    before = call(anew.emulated.url, "GET", f"/{FIRST}/_mapping")[1]
    assert call(anew.emulated.url, "PUT", f"/{FIRST}/_mapping", text_fields_body({"text_fr"}))[0] == 200
    assert call(anew.emulated.url, "GET", f"/{FIRST}/_mapping")[1] == before
