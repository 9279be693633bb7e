"""Near-duplicates answer once, the best of them for all, and only among those that the caller may read."""

import json
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from groundwire.domain.passages import minhash
from groundwire.services.search import Passage
from groundwire.services.search.candidates.finder import EQUAL_SCORE_BAND, put_beginnings_first
from groundwire.services.search.candidates.near_duplicates import NEAR_DUPLICATE_RESEMBLANCE, collapse
from tests.support.clients.handshake_client import client
from tests.support.documents.passages import passage, segment
from tests.support.isolation.policies import NO_READERS, PUBLIC, for_users
from tests.support.plugins.draws import examples
from tests.support.worlds.world import World, caller

WORDS = [f"word{chr(97 + number // 26)}{chr(97 + number % 26)}" for number in range(180)]
SENTENCE = " ".join(WORDS)


def changed(places: list[int]) -> str:
    return " ".join("other" if at in places else word for at, word in enumerate(WORDS))


def found(text: str, number: int) -> Passage:
    made = segment(text, number)
    return passage(replace(made, sketch=minhash.sketch(text, minhash.SEGMENT_HASHES)))


def test_the_best_of_nearly_equal_passages_stays_and_names_the_others() -> None:
    passages = [found(SENTENCE, 0), found("quite another text about pumps", 1), found(changed([170]), 2)]
    first, second = collapse(passages)
    assert (first.segment, second.segment) == (passages[0].segment, passages[1].segment)
    assert [other.segment for other in first.also_in] == [passages[2].segment]
    assert second.also_in == ()


def test_passages_with_a_fifth_of_their_words_changed_both_answer() -> None:
    passages = [found(SENTENCE, 0), found(changed(list(range(0, 180, 5))), 1)]
    assert collapse(passages) == passages


@pytest.mark.parametrize(("one", "other"), [("2024", "2025"), ("1.240", "1.420"), ("ER-75", "ER-76"), ("FY24", "FY25")])
def test_passages_that_differ_in_a_figure_both_answer(one: str, other: str) -> None:
    passages = [found(f"{SENTENCE} {one} and so on", 0), found(f"{SENTENCE} {other} and so on", 1)]
    assert minhash.resemblance(passages[0].segment.sketch, passages[1].segment.sketch) >= NEAR_DUPLICATE_RESEMBLANCE
    assert collapse(passages) == passages


def test_equal_texts_without_a_word_are_one() -> None:
    first, second = found("…", 0), found("…", 1)
    assert first.segment.sketch == b""
    assert [(each.segment, each.also_in) for each in collapse([first, second])] == [(first.segment, (second,))]


@given(st.lists(st.lists(st.integers(0, 179), max_size=12), min_size=1, max_size=12))
@settings(deadline=None, max_examples=examples(60))
def test_as_few_answer_as_if_each_had_been_compared_with_all_before_it(variants: list[list[int]]) -> None:
    passages = [found(changed(places), number) for number, places in enumerate(variants)]
    kept: list[list[Passage]] = []
    for each in passages:
        same = (group for group in kept if alike(group[0], each))
        if (group := next(same, None)) is not None:
            group.append(each)
        else:
            kept.append([each])
    result = collapse(passages)
    assert [each.segment for each in result] == [group[0].segment for group in kept]
    assert sum(len(each.also_in) for each in result) == len(passages) - len(kept)


def alike(first: Passage, second: Passage) -> bool:
    one, other = first.segment, second.segment
    return one.text == other.text or minhash.resemblance(one.sketch, other.sketch) >= NEAR_DUPLICATE_RESEMBLANCE


def part(doc_id: str, words: list[str], *path: str, title: str = "Manual", ordinal: int = 0) -> Passage:
    text = " ".join(words)
    sketch = minhash.sketch(text, minhash.SEGMENT_HASHES)
    made = replace(segment(text, ordinal), doc_id=doc_id, title=title, heading_path=path, sketch=sketch)
    return passage(made)


PDF = part("pdf", WORDS[:120], "Manual", "FILES", "10.1 Binaries")


@pytest.mark.parametrize(
    "twin",
    [
        part("epub", WORDS[40:180], "Manual", "10. Files", "10.1. Binaries"),
        part("epub", WORDS[:75], "MANUAL", "Files", "Binaries"),
        part("epub", ["preface", *WORDS[30:110], "ends"], "Files", "Binaries"),
    ],
)
def test_a_section_that_two_formats_split_differently_is_returned_once(twin: Passage) -> None:
    assert minhash.resemblance(PDF.segment.sketch, twin.segment.sketch) < NEAR_DUPLICATE_RESEMBLANCE
    for first, second in ((PDF, twin), (twin, PDF)):
        [best] = collapse([first, second])
        assert (best.segment, [other.segment for other in best.also_in]) == (first.segment, [second.segment])


@pytest.mark.parametrize(
    "other",
    [
        pytest.param(part("epub", WORDS[:75], "Manual", "Files", "Scripts"), id="another section"),
        pytest.param(part("epub", WORDS[:75], "Files", "Binaries", title="Guide"), id="another title"),
        pytest.param(part("pdf", WORDS[:75], "Manual", "FILES", "10.1 Binaries", ordinal=1), id="the same document"),
        pytest.param(part("epub", WORDS[60:180], "Files", "Binaries"), id="half of it"),
        pytest.param(part("epub", [*WORDS[:30], "24", *WORDS[31:75]], "Files", "Binaries"), id="another figure"),
        pytest.param(
            part("epub", ["not" if n % 12 == 5 else w for n, w in enumerate(WORDS[:120])], "Files", "Binaries"),
            id="another wording",
        ),
    ],
)
def test_passages_that_share_text_both_answer_where_one_may_say_something_else(other: Passage) -> None:
    assert [each.segment for each in collapse([PDF, other])] == [PDF.segment, other.segment]


@pytest.mark.parametrize("path", [(), ("Manual",)])
def test_a_title_alone_is_no_section(path: tuple[str, ...]) -> None:
    first, second = part("a", WORDS[:120], *path), part("b", WORDS[:75], *path)
    assert [each.segment for each in collapse([first, second])] == [first.segment, second.segment]


def scored(score: float, ordinal: int, *path: str, doc_id: str = "d") -> Passage:
    return replace(part(doc_id, [f"w{ordinal}"], *path, ordinal=ordinal), score=score)


def order(*passages: Passage) -> list[tuple[str, int]]:
    return [(each.segment.doc_id, each.segment.ordinal) for each in put_beginnings_first(passages)]


def test_the_beginning_of_a_section_comes_before_equally_relevant_continuations() -> None:
    other = scored(0.695, 9, "B")
    assert order(scored(0.7, 3, "A"), other, scored(0.69, 2, "A")) == [("d", 2), ("d", 3), ("d", 9)]


def test_a_clearly_better_continuation_and_the_passages_of_other_sections_keep_their_places() -> None:
    better = (scored(0.7, 3, "A"), scored(0.7 - 2 * EQUAL_SCORE_BAND, 2, "A"))
    assert order(*better) == [("d", 3), ("d", 2)]
    assert order(scored(0.7, 3, "A"), scored(0.69, 2, "B")) == [("d", 3), ("d", 2)]
    assert order(scored(0.7, 3, "A"), scored(0.69, 2, "A", doc_id="e")) == [("d", 3), ("e", 2)]
    assert order(scored(0.7, 3), scored(0.69, 2)) == [("d", 3), ("d", 2)]


@pytest.fixture
def tenant(world: World) -> str:
    return world.tenant("amber")


def test_an_answer_names_the_files_that_say_nearly_the_same(world: World, tenant: str) -> None:
    world.ingest(tenant, SENTENCE, PUBLIC, path="/nowhere/first.txt")
    world.ingest(tenant, changed([170]), PUBLIC, path="/nowhere/second.txt")
    result = world.search(caller(world.acting_key(tenant)), WORDS[170]).result
    [described] = result["structuredContent"]["segments"]
    assert (described["source_file_name"], described["also_in"]) == ("first.txt", ["second.txt"])
    assert "also_in" not in result["segments"][0]


def test_the_default_answer_names_other_files_in_data_and_text_for_those_who_may_read_them(
    world: World, tenant: str
) -> None:
    world.ingest(tenant, SENTENCE, PUBLIC, path="/nowhere/first.txt")
    world.ingest(tenant, changed([170]), for_users("ana"), path="/nowhere/second.txt")
    texts: dict[str, str] = {}
    for user, others in (("ana", ["second.txt"]), ("ben", None)):
        result = client(world, tenant, user).tool("rag_search", search_phrases=[WORDS[170]])
        [found] = result["structuredContent"]["passages"]
        assert found.get("also_in") == others
        texts[user] = json.dumps(result)
    assert "[1] also in second.txt" in texts["ana"]
    assert "second" not in texts["ben"]


def test_a_nearly_equal_document_that_may_not_be_read_is_neither_answered_nor_named(world: World, tenant: str) -> None:
    """Though it fits better than the one that may."""
    world.ingest(tenant, SENTENCE, NO_READERS, path="/nowhere/secret.txt", doc_id="secret")
    world.ingest(tenant, changed([170]), PUBLIC, path="/nowhere/open.txt")
    answer = world.search(caller(world.acting_key(tenant)), SENTENCE)
    [described] = answer.result["structuredContent"]["segments"]
    assert (described["source_file_name"], described["also_in"]) == ("open.txt", [])
    assert "secret" not in answer.bytes.decode()


def test_a_user_who_may_not_read_one_near_duplicate_gets_the_other(world: World, tenant: str) -> None:
    world.ingest(tenant, SENTENCE, PUBLIC, path="/nowhere/first.txt", doc_id="first")
    world.ingest(tenant, changed([170]), PUBLIC, path="/nowhere/second.txt")
    headers = caller(world.acting_key(tenant))
    assert [each["source_file_name"] for each in world.search(headers, WORDS[170]).segments] == ["first.txt"]
    world.services.administration.document_admin.override_policy(tenant, "first", NO_READERS)
    assert [each["source_file_name"] for each in world.search(headers, WORDS[170]).segments] == ["second.txt"]
