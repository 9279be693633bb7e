"""Title and headings are searched as fields of their own weight; what an enricher added is searched and not shown."""

from dataclasses import replace

from groundwire.ports import DocumentVersion, Index
from tests.contract.index.adapters import EVERY_SERVICE
from tests.support.documents.index_documents import found, matching, put_segments, segment


def test_a_word_of_the_title_weighs_more_than_one_of_the_text(index: Index) -> None:
    in_title = replace(segment("a", 0, "pension holiday"), title="travel expenses")
    in_text = replace(segment("b", 0, "travel expenses"), title="pension holiday")
    put_segments(index, [in_title])
    put_segments(index, [in_text])
    titled, plain = found(index, "travel expenses").bm25
    assert titled > plain > 0


def test_a_word_of_the_file_name_is_found_and_weighs_less_than_one_of_the_title(index: Index) -> None:
    named = replace(segment("a", 0, "pension holiday"), title="annual letter")
    titled = replace(segment("b", 0, "pension holiday"), title="travel expenses")
    put_segments(index, [named], metadata={"/source_file_name": "travel_Expenses.pdf"})
    put_segments(index, [titled], metadata={"/source_file_name": "annual-letter.pdf"})
    by_file, by_title = found(index, "travel expenses").bm25
    assert by_title > by_file > 0
    assert index.segments(DocumentVersion("a", 1)) == [named]


def test_a_title_that_heads_the_path_too_is_counted_once(index: Index) -> None:
    once = replace(segment("a", 0, "text"), title="Travel  expenses")
    twice = replace(segment("b", 0, "text", heading="Travel expenses"), title="Travel  expenses")
    put_segments(index, [once])
    put_segments(index, [twice])
    first, second = found(index, "travel").bm25
    assert first == second > 0


def test_a_heading_that_only_begins_like_the_title_counts(index: Index) -> None:
    put_segments(index, [replace(segment("a", 0, "text", heading="Travel abroad"), title="Travel")])
    assert matching(index, "abroad") == {"text"}


def test_context_and_questions_are_found_as_the_text_is(index: Index) -> None:
    enriched = replace(
        segment("a", 0, "twenty days"), context="about holidays", questions=("how long is leave?", "who decides?")
    )
    put_segments(index, [enriched])
    put_segments(index, [replace(segment("b", 0, "twenty weeks"))])
    assert matching(index, "holiday") == matching(index, "leave") == matching(index, "decide") == {"twenty days"}
    assert index.segments(DocumentVersion("a", 1)) == [enriched]


@EVERY_SERVICE
def test_other_fields_of_the_same_text_take_the_place_of_those_before(index: Index) -> None:
    put_segments(index, [replace(segment("a", 0, "text"), title="Old name")])
    put_segments(index, [replace(segment("a", 0, "text"), title="New name")])
    assert matching(index, "old") == set()
    assert matching(index, "new") == {"text"}
