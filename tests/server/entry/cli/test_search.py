"""`groundwire search` with each of its options."""

import re
from pathlib import Path

import pytest

from tests.support.entry.command import Command


@pytest.fixture
def searched_tenant(groundwire: Command, tenant: str, note: Path) -> str:
    """The tenant, with the note in the collection `shelf`."""
    groundwire.ingest(tenant, note, "--public", "-c", "shelf")
    return tenant


def test_an_explanation_for_people_shows_steps_ranks_and_what_each_phrase_gave(
    groundwire: Command, searched_tenant: str
) -> None:
    requested = ("search", "blue pump", "how are valves closed", "-t", searched_tenant, "--where", "not (draft = true)")
    shown = groundwire(*requested, "--explain").done().out
    assert "filter       not draft = true" in shown
    assert "BM25 weight  shelf 0.4" in shown
    assert "2 candidates" in shown
    assert "lexical  semantic  fused  rights  distinct  score" in shown
    assert "phrase 2: lexical" in shown

    found = groundwire.json(*requested, "--explain")
    assert found["filter"] == "not draft = true"
    assert found["steps"] == {
        "candidates": 2,
        "fused": 2,
        "admitted": 2,
        "distinct": 2,
        "reranked": 0,
        "answer": 2,
    }
    why = {each["heading_path"][-1]: each["why"] for each in found["passages"]}
    assert [view["bm25_rank"] for view in why["Pumps"]["phrases"]] == [1, None]
    assert why["Valves"]["brought_by"] == "how are valves closed"
    plain = groundwire.json(*requested)
    explained = {"score", "why"}
    assert [{name: each[name] for name in each if name not in explained} for each in found["passages"]] == plain


def test_a_phrase_of_any_length_is_searched_and_an_explanation_states_that_it_was_cut(
    groundwire: Command, searched_tenant: str
) -> None:
    long = "blue pump " * 5_000
    shown = groundwire("search", "blue pump", long, "-t", searched_tenant, "--explain").done().out
    assert "cut 2        the phrase is too long: the search uses at most 2000 characters and 128 words of it" in shown
    assert "cut 1" not in shown
    assert groundwire.json("search", long, "-t", searched_tenant, "--explain")["phrases_cut"] == [1]
    assert groundwire.json("search", "blue pump", "-t", searched_tenant, "--explain")["phrases_cut"] == []


def test_a_filter_and_a_collection_narrow_a_search(groundwire: Command, searched_tenant: str) -> None:
    search = ("search", "blue pump", "-t", searched_tenant)
    groundwire("collection", "set", "other", "-t", searched_tenant, "--bm25-weight", "0.4").done()
    assert len(groundwire.json(*search, "-c", "shelf")) == 2
    assert groundwire.json(*search, "-c", "other") == []
    assert groundwire.json(*search, "--where", "year = 2024") == []
    explained = groundwire(*search, "-c", "other", "--where", "year = 2024", "--explain").done().out
    assert "No passage" in explained
    assert "filter       year = 2024" in explained
    assert "passages     0 candidates" in explained
    assert "nowhere" in groundwire(*search, "-c", "nowhere").line
    assert "Did you mean 'shelf'?" in groundwire(*search, "-c", "shlef").line
    assert groundwire(*search, "--where", "year >").code == 2


def test_passages_return_the_text_around_them_when_requested(groundwire: Command, searched_tenant: str) -> None:
    search = ("search", "blue pump", "-t", searched_tenant, "--top-n", "1")
    [alone], [among] = groundwire.json(*search), groundwire.json(*search, "--expand", "200")
    assert "Valves" not in alone["text"]
    assert among["text"].startswith(alone["text"])
    assert among["text"].endswith("Valves close by hand.")
    assert "Valves close by hand." in groundwire(*search, "--expand", "200").done().out
    assert groundwire(*search, "--expand", "2001").code == 2


def test_an_answer_below_the_floor_names_the_best_relevance_and_explains_what_was_near(
    groundwire: Command, searched_tenant: str
) -> None:
    search = ("search", "rules of chess tournaments", "-t", searched_tenant)
    plain = groundwire(*search).done()
    assert re.search(r"relevant enough: the best has 0\.\d\d\. --explain shows what was near", plain.line)
    assert "Search again" not in plain.line
    assert not plain.out
    assert groundwire.json(*search) == []
    explained = groundwire(*search, "--explain").done().out
    assert "Below the floor:" in explained
    assert "phrase 1: lexical" in explained
    near = groundwire.json(*search, "--min-relevance", "0")
    assert near[0]["headline"] in explained


def test_an_answer_for_people_shows_what_a_passage_has_of_the_question(
    groundwire: Command, tenant: str, tmp_path: Path
) -> None:
    prices = tmp_path / "prices.csv"
    prices.write_text("Product,Price\nBlue pump,1480\nGreen valve,2150\n", "utf-8")
    groundwire.ingest(tenant, prices, "--public")
    shown = groundwire("search", "price of a green valve", "-t", tenant).done().out
    assert "   Product: Green valve · Price: 2150\n" in shown
    assert "Blue pump" not in shown
