"""A key may have each question of the first phrase searched, too; nothing else of a search changes."""

import json
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import cast

import pytest

import groundwire
from groundwire.domain.access.policy import Principal
from groundwire.domain.access.scopes import Scope
from groundwire.domain.keys.caller import Caller
from groundwire.domain.keys.grants import ALL_COLLECTIONS, KeyKind
from groundwire.domain.keys.options import USUAL_OPTIONS
from groundwire.domain.limits import MAX_SPLIT_QUESTIONS
from groundwire.services.search import Passage, Search, SearchResult
from groundwire.services.search.planning.planner import split_question
from groundwire.services.search.planning.subqueries import SplitPhraseSearch
from tests.server.services.search_requests import requested
from tests.support.documents.passages import passage, segment
from tests.support.isolation.policies import PUBLIC, for_users
from tests.support.registry.key_options import with_options
from tests.support.registry.key_specs import agents_key
from tests.support.worlds.counted import counted
from tests.support.worlds.world import World, caller

PUMPS = "How often does the wheel pump need oil?"
BOTH = f"{PUMPS} And when is bread baked?"
MCP = {"mcp-protocol-version": "2025-06-18"}
PACKAGE_ROOT = Path(groundwire.__file__).parents[2]


@pytest.fixture
def tenant(world: World) -> str:
    made = world.tenant("amber")
    for number in range(9):
        text = f"How often the wheel pump number {number} does need oil is known in hall {number}."
        world.ingest(made, text, PUBLIC, path=f"/pump{number}.txt")
    world.ingest(made, "Bread is baked in the morning.", PUBLIC, path="/bread.txt")
    world.ingest(made, "Bread is baked when the code is known.", for_users("ben"), path="/code.txt")
    return made


def asking(tenant: str) -> Caller:
    principal, scopes = Principal(tenant, "ana", frozenset()), frozenset({Scope.SEARCH})
    usual = Caller(principal, "kid", KeyKind.ACT_AS, scopes, ALL_COLLECTIONS, replace(USUAL_OPTIONS, top_n=4))
    return with_options(usual, split_first_phrase=True)


def split(world: World, tenant: str, *phrases: str, top_n: int = 4) -> SearchResult:
    return world.services.reading.split_search(*requested(asking(tenant), phrases, top_n))


def files(found: SearchResult) -> list[str]:
    return [each.document.source_file_name for each in found.passages]


def whole(world: World, tenant: str, phrases: Sequence[str], top_n: int = 4) -> SearchResult:
    return world.services.reading.search(*requested(asking(tenant), phrases, top_n))


@pytest.mark.parametrize("headers", [{}, MCP], ids=["contract", "default"])
def test_rag_search_of_a_key_that_splits_answers_each_question_of_the_first_phrase(
    world: World, tenant: str, headers: dict[str, str]
) -> None:
    def answer(*, splits: bool) -> str:
        order = with_options(agents_key(tenant), top_n=4, split_first_phrase=splits)
        sent = {**caller(world.services.administration.key_admin.create(order), "ana"), **headers}
        return json.dumps(world.search(sent, BOTH).result["content"])

    assert "bread.txt" not in answer(splits=False)
    assert "pump" in answer(splits=True)
    assert "bread.txt" in answer(splits=True)
    assert "code.txt" not in answer(splits=True)


def test_a_first_phrase_of_one_question_is_searched_as_without_the_option(world: World, tenant: str) -> None:
    for phrases in ([PUMPS], [PUMPS, "bread"], ["bread", BOTH], ["oil"]):
        assert split(world, tenant, *phrases) == whole(world, tenant, phrases)


def test_the_first_passage_is_that_of_the_phrases_and_none_comes_twice(world: World, tenant: str) -> None:
    phrases = [BOTH, "oil of the pump", "bread in the morning"]
    found = files(split(world, tenant, *phrases, top_n=10))
    assert found[0] == files(whole(world, tenant, phrases))[0]
    assert len(set(found)) == len(found) == 10
    assert len(files(split(world, tenant, *phrases))) == 4


def test_a_split_phrase_is_one_embedding_batch_and_one_round_to_the_index(world: World, tenant: str) -> None:
    embedders, indexes = counted(world)
    split(world, tenant, BOTH, "oil")
    assert [list(batch) for batch in embedders.batches] == [[BOTH, "oil", *split_question(BOTH, MAX_SPLIT_QUESTIONS)]]
    assert indexes.searches == 1


def test_the_passages_of_a_split_phrase_come_with_the_text_around_them(world: World, tenant: str) -> None:
    world.ingest(tenant, "Ovens are hot.\n\nRye is baked at noon.\n\nOvens cool down.", PUBLIC, path="/rye.txt")
    wide = with_options(asking(tenant), expand_tokens=50)
    found = world.services.reading.split_search(*requested(wide, [f"{PUMPS} And when is rye baked?"], 4))
    assert "Ovens are hot." in next(each.text for each in found.passages if "Rye" in each.text)


@pytest.mark.parametrize(("empty", "is_below_floor"), [((True, True, True), True), ((True, True, False), False)])
def test_an_answer_is_below_the_floor_only_where_every_search_is(
    tenant: str, empty: tuple[bool, ...], *, is_below_floor: bool
) -> None:
    class Searched:
        def search_each(self, *_arguments: object) -> list[SearchResult]:
            return [SearchResult(() if each else (passage(segment("x", 0)),), is_below_floor=each) for each in empty]

        def expanded(self, _caller: Caller, passages: Sequence[Passage]) -> Sequence[Passage]:
            return passages

    found = SplitPhraseSearch(cast("Search", Searched()))(*requested(asking(tenant), [BOTH], 4))
    assert (found.is_below_floor, len(found.passages)) == (is_below_floor, 0 if is_below_floor else 1)


def test_at_most_a_few_questions_of_a_phrase_are_searched() -> None:
    many = " ".join(f"How tall is tower {number}?" for number in range(9))
    assert len(split_question(many, MAX_SPLIT_QUESTIONS)) == MAX_SPLIT_QUESTIONS
    assert split_question(PUMPS, MAX_SPLIT_QUESTIONS) == ()
    assert split_question("Hello! Thanks a lot.", MAX_SPLIT_QUESTIONS) == ()


def test_a_question_that_continues_another_is_split_as_the_user_wrote_it() -> None:
    found = split_question("Who designed the Eiffel Tower? And how tall is it?", MAX_SPLIT_QUESTIONS)
    assert found == ("Who designed the Eiffel Tower?", "And how tall is it?")


def test_a_key_keeps_that_it_splits(world: World, tenant: str) -> None:
    made = world.services.administration.key_admin.create(with_options(agents_key(tenant), split_first_phrase=True)).key
    world.reopen()
    assert [each.options.split_first_phrase for each in world.services.administration.key_admin.all(tenant)] == [
        made.options.split_first_phrase
    ]
    assert made.options.split_first_phrase


def test_other_tools_search_as_without_the_option(world: World, tenant: str) -> None:
    def found(*, splits: bool) -> object:
        order = with_options(agents_key(tenant), top_n=4, toolset="openai", split_first_phrase=splits)
        sent = {**caller(world.services.administration.key_admin.create(order), "ana"), **MCP}
        results = json.loads(world.tool(sent, "search", query=BOTH).result["content"][0]["text"])["results"]
        return [each["title"] for each in results]

    assert found(splits=True) == found(splits=False)


def test_rules_of_the_planner_are_loaded_with_the_first_phrase_that_is_split() -> None:
    script = (
        f"import sys; sys.path.insert(0, {str(PACKAGE_ROOT)!r}); "
        "import groundwire.dialects.default.rag_search, groundwire.services.search.planning.subqueries; "
        "print(*(name for name in sys.modules if 'planning.planner' in name))"
    )
    done = subprocess.run([sys.executable, "-c", script], check=True, capture_output=True, text=True, timeout=60)
    assert done.stdout.split() == []
