"""`groundwire eval --conversations`: what is searched for the last message of a conversation, and what it finds."""

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bench.conversations.__main__ import recall_by_class
from groundwire.domain.errors import InvalidInput
from groundwire.domain.search.conversation import Speaker, Turn
from groundwire.ports.models import ModelDeployment, QueryPlan, QueryPlanner
from groundwire.services.evaluate.conversations import Conversation
from groundwire.services.search import Search
from groundwire.services.search.results import Trace
from groundwire.wiring.local.test_sets import read_conversations
from groundwire.wiring.use_cases.reading import ReadingUseCases
from tests.support.documentation.pages import GUIDES, ROOT, commands
from tests.support.documents import beir
from tests.support.entry.command import Command

PAGE: Final = ROOT / "bench" / "conversations" / "README.md"
BENCHES: Final = tuple(f".venv/bin/python -m bench.conversations{module} " for module in ("", ".ablation"))
"""Commands whose tests are here and beside the fresh conversations."""
FILES: Final = sorted(PAGE.parent.glob("*.jsonl"))
THINGS: Final = (
    "lamp",
    "chair",
    "table",
    "carpet",
    "mirror",
    "bucket",
    "ladder",
    "hammer",
    "rope",
    "tent",
    "cup",
    "pen",
)
FOREIGN: Final = [(f"{thing}s", "", f"How much a {thing} costs: ask the {thing} shop.") for thing in THINGS]
DOCUMENTS: Final = (
    ("pumps", "Pumps", "The blue pump takes forty litres an hour. Its price is ninety euros."),
    ("valves", "Valves", "Valves close by hand, a quarter turn to the right."),
    ("weird id/7", "Boats", "The ferry leaves at noon from the old harbour."),
    *FOREIGN,
)


def stated(*texts: str) -> list[dict[str, str]]:
    """Turns of user and assistant, the user first."""
    return [{"role": ("user", "assistant")[at % 2], "text": text} for at, text in enumerate(texts)]


FOLLOW_UP: Final[Mapping[str, Any]] = {
    "id": "follow-up",
    "class": "follow_up",
    "set": "small",
    "turns": stated("How many litres does the blue pump move?", "Forty an hour.", "And how much does it cost?"),
    "rewrite": ["price of the blue pump"],
    "relevant": ["pumps"],
}
COMPOUND: Final[Mapping[str, Any]] = {
    "id": "compound",
    "class": "compound",
    "set": "small",
    "turns": stated("When does the ferry leave, and how are valves closed?"),
    "rewrite": ["departure of the ferry", "closing a valve"],
    "relevant": ["weird id/7", "valves"],
}
OTHER_SET: Final[Mapping[str, Any]] = {**FOLLOW_UP, "id": "other", "set": "large"}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A test set with documents only: neither questions nor judgements are needed."""
    small = beir.write(tmp_path / "small", DOCUMENTS)
    (small / "queries.jsonl").unlink()
    (small / "qrels.tsv").unlink()
    return small


def conversations(path: Path, *rows: Mapping[str, Any]) -> str:
    beir.lines(path, rows)
    return str(path)


def recall(run: Mapping[str, Any], name: str) -> dict[str, float]:
    [found] = [each for each in run["per_conversation"] if each["id"] == name]
    return {source: plan["recall_at_8"] for source, plan in found["plans"].items()}


def test_a_conversation_is_measured_by_what_a_client_may_search_for_it(
    groundwire: Command, folder: Path, tmp_path: Path
) -> None:
    file = conversations(tmp_path / "some.jsonl", FOLLOW_UP, COMPOUND)
    run = groundwire.json("eval", str(folder), "--conversations", file)
    assert (run["name"], run["conversations"], run["documents"], run["left_out"]) == ("small", 2, 15, {})
    assert recall(run, "follow-up") == {"last": 0.0, "all": 1.0, "last_two": 1.0, "rewrite": 1.0, "planner": 1.0}
    assert recall(run, "compound") == {"last": 1.0, "all": 1.0, "last_two": 1.0, "rewrite": 1.0, "planner": 1.0}
    [follow_up, compound] = run["classes"]
    assert (follow_up["class"], follow_up["conversations"]) == ("follow_up", 1)
    assert follow_up["recall_at_8"]["last"] == {"mean": 0.0, "low": 0.0, "high": 0.0}
    assert compound["recall_at_8"]["rewrite"]["mean"] == 1.0
    assert run["all"]["conversations"] == 2
    assert run["all"]["recall_at_8"]["last"]["mean"] == 0.5


def test_each_plan_shows_its_queries_and_the_first_documents(groundwire: Command, folder: Path, tmp_path: Path) -> None:
    file = conversations(tmp_path / "some.jsonl", FOLLOW_UP, COMPOUND)
    [follow_up, compound] = groundwire.json("eval", str(folder), "--conversations", file)["per_conversation"]
    first, last = "How many litres does the blue pump move?", "And how much does it cost?"
    queries = {source: plan["queries"] for source, plan in follow_up["plans"].items() if source != "planner"}
    joined = [f"{first}\n{last}"]
    assert queries == {"last": [last], "all": joined, "last_two": joined, "rewrite": ["price of the blue pump"]}
    assert compound["plans"]["rewrite"]["top"][0].startswith("x-")
    assert compound["plans"]["rewrite"]["top"][1] == "valves"


def test_a_person_sees_a_row_for_each_class_and_one_for_all(groundwire: Command, folder: Path, tmp_path: Path) -> None:
    file = conversations(tmp_path / "some.jsonl", FOLLOW_UP, OTHER_SET, COMPOUND)
    shown = groundwire("eval", str(folder), "--conversations", file).done().out
    assert "small: 2 conversations, 15 documents" in shown
    rows = [line.split() for line in shown.splitlines()]
    assert ["follow_up", "1", "0.000", "1.000", "1.000", "1.000", "1.000"] in rows
    assert ["all", "2", "0.500", "1.000", "1.000", "1.000", "1.000"] in rows
    assert "Left out: 1 conversations of other sets (large 1)." in shown


def test_several_files_are_measured_as_one(groundwire: Command, folder: Path, tmp_path: Path) -> None:
    first = conversations(tmp_path / "first.jsonl", FOLLOW_UP, OTHER_SET)
    second = conversations(tmp_path / "second.jsonl", COMPOUND)
    run = groundwire.json("eval", str(folder), "--conversations", first, "--conversations", second)
    assert (run["conversations"], run["left_out"]) == (2, {"large": 1})


def use_planner(monkeypatch: pytest.MonkeyPatch, planner: QueryPlanner) -> None:
    """Let every tenant have this planner."""

    class Planners:
        def for_tenant(self, tenant: str, models: Sequence[ModelDeployment]) -> QueryPlanner:
            return planner

    monkeypatch.setattr(ReadingUseCases, "query_planners", Planners())


def test_the_planner_gets_the_whole_conversation(
    groundwire: Command, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    planned: list[tuple[Sequence[Turn], int]] = []

    class Planner:
        def plan(self, turns: Sequence[Turn], most: int) -> QueryPlan:
            planned.append((turns, most))
            return QueryPlan(("price of the blue pump", turns[-1].text), None)

    use_planner(monkeypatch, Planner())
    file = conversations(tmp_path / "some.jsonl", FOLLOW_UP)
    run = groundwire.json("eval", str(folder), "--conversations", file)
    assert recall(run, "follow-up")["planner"] == 1.0
    [(turns, most)] = planned
    assert most == 5
    assert turns[1] == Turn(Speaker.ASSISTANT, "Forty an hour.")
    assert "planner" in groundwire("eval", str(folder), "--conversations", file).done().out


def test_a_plan_without_queries_finds_nothing(
    groundwire: Command, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class NoQueries:
        def plan(self, turns: Sequence[Turn], most: int) -> QueryPlan:
            return QueryPlan((), None)

    use_planner(monkeypatch, NoQueries())
    file = conversations(tmp_path / "some.jsonl", FOLLOW_UP)
    [found] = groundwire.json("eval", str(folder), "--conversations", file)["per_conversation"]
    assert found["plans"]["planner"] == {"queries": [], "top": [], "recall_at_8": 0.0}


def test_the_queries_go_through_the_service_that_answers_agents_and_each_one_once(
    groundwire: Command, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    searched: list[str] = []
    traced = Search.traced

    def noted(service: Search, caller: Any, request: Any, **more: Any) -> Trace:
        searched.extend(request.phrases)
        return traced(service, caller, request, **more)

    monkeypatch.setattr(Search, "traced", noted)
    file = conversations(tmp_path / "some.jsonl", COMPOUND)
    groundwire.json("eval", str(folder), "--conversations", file)
    first = [COMPOUND["turns"][0]["text"], *COMPOUND["rewrite"]]
    assert searched[: len(first)] == first
    assert len(set(searched)) == len(searched)


@pytest.fixture
def owner(groundwire: Command, tmp_path: Path) -> str:
    """A tenant with two documents, one of which only sales may read."""
    tenant = groundwire.tenant("acme")
    for name, policy, text in (
        ("open/valves.md", "public: true", "Valves close by hand."),
        ("sales/prices.md", "any_tags: [sales]", "The pump costs 40 euros."),
    ):
        file = tmp_path / "shelf" / "documents" / name
        file.parent.mkdir(parents=True)
        file.write_text(text, encoding="utf-8")
        (file.parent / ".policy.yaml").write_text(f"{policy}\n", encoding="utf-8")
    groundwire.ingest(tenant, tmp_path / "shelf" / "documents", "-c", "shelf")
    return tenant


def own(name: str, **fields: object) -> dict[str, object]:
    turns = stated("We need a pump.", "There is one.", "What does it cost?")
    return {**FOLLOW_UP, "id": name, "set": "shelf", "turns": turns, "relevant": ["sales/prices.md"], **fields}


def test_an_owners_documents_are_searched_with_the_rights_of_each_conversation(
    groundwire: Command, owner: str, tmp_path: Path
) -> None:
    """Their names may be paths in the folder that is named for the set."""
    file = conversations(
        tmp_path / "own.jsonl",
        own("sales", tags=["sales"], user="maria"),
        own("path", tags=["sales"], relevant=["documents/sales/prices.md"]),
        own("nobody"),
    )
    run = groundwire.json("eval", str(tmp_path / "shelf"), "-t", owner, "-c", "shelf", "--conversations", file)
    found = {each["id"]: each["plans"]["last"]["recall_at_8"] for each in run["per_conversation"]}
    assert found == {"sales": 1.0, "path": 1.0, "nobody": 0.0}
    assert (run["documents"], run["bm25_weight"]) == (2, 0.4)
    last = json.loads((groundwire.home / "audit.jsonl").read_text(encoding="utf-8").splitlines()[-1])
    assert (last["action"], last["tenant"], last["conversations"]) == ("eval", owner, 3)


def test_a_document_that_is_not_there_is_reported_and_counts_as_not_found(
    groundwire: Command, owner: str, folder: Path, tmp_path: Path
) -> None:
    file = conversations(
        tmp_path / "some.jsonl",
        {**COMPOUND, "relevant": ["valves", "hoses"]},
        own("own", tags=["sales"], relevant=["prices.md", "hoses.md"]),
    )
    done = groundwire("eval", str(folder), "--conversations", file, "--json").done()
    assert "hoses" in done.err
    assert recall(done.json, "compound")["rewrite"] == 0.5
    done = groundwire("eval", str(tmp_path / "shelf"), "-t", owner, "--conversations", file, "--json").done()
    assert "hoses.md" in done.err
    assert recall(done.json, "own")["last"] == 0.5


@pytest.mark.parametrize(
    ("changed", "reported"),
    [
        ({"id": 7}, "`id` must be a string"),
        ({"id": ""}, "`id` must not be empty"),
        ({"class": None}, "`class` must be a string"),
        ({"set": " "}, "`set` must not be empty"),
        ({"turns": []}, "`turns` must be an array of messages"),
        ({"turns": stated("Hello.", "Hello!")}, "the last one is the user's"),
        ({"turns": "Hello."}, "`turns` must be an array of messages"),
        ({"turns": [{"role": "system", "text": "Hello."}]}, "`role` `user` or `assistant`"),
        ({"turns": [{"role": ["user"], "text": "Hello."}]}, "`role` `user` or `assistant`"),
        ({"turns": [{"role": "user", "text": " "}]}, "a `text` that is not empty"),
        ({"turns": ["Hello."]}, "`role` `user` or `assistant`"),
        ({"rewrite": []}, "`rewrite` must be an array"),
        ({"rewrite": "price"}, "`rewrite` must be an array"),
        ({"rewrite": list("abcdef")}, "`rewrite` has 6 queries"),
        ({"relevant": ["pumps", 7]}, "`relevant` must be an array"),
        ({"tags": "sales"}, "`tags` an array"),
        ({"id": "follow-up"}, "is that of"),
        ("no json", "the line is not JSON"),
        ([1], "every line must be a JSON object"),
    ],
)
def test_a_line_that_is_wrong_is_named(
    groundwire: Command, folder: Path, tmp_path: Path, changed: object, reported: str
) -> None:
    row = json.dumps({**COMPOUND, **changed}) if isinstance(changed, dict) else changed
    file = tmp_path / "some.jsonl"
    file.write_text(f"{json.dumps(FOLLOW_UP)}\n{row if isinstance(row, str) else json.dumps(row)}\n", encoding="utf-8")
    refused = groundwire("eval", str(folder), "--conversations", str(file))
    assert refused.code == 2
    assert f"{file}, line 2: " in refused.line
    assert reported in refused.line


@pytest.mark.parametrize(
    ("arguments", "reported"),
    [
        (["--conversations", "missing.jsonl"], "missing.jsonl"),
        (["--conversations", "other.jsonl"], "Sets of the conversations: large."),
        (["--conversations", "other.jsonl", "--fit"], "cannot be used with --qrels, --compare, --fit"),
        (["--conversations", "other.jsonl", "--fit-relevance"], "cannot be used with --qrels, --compare, --fit"),
        (["--conversations", "other.jsonl", "--qrels", "other.tsv"], "cannot be used with --qrels, --compare, --fit"),
        (
            ["--conversations", "other.jsonl", "--compare", "other.json"],
            "cannot be used with --qrels, --compare, --fit",
        ),
        (["--conversations", "some.jsonl", "-c", "shelf"], "--tenant"),
        (["--conversations", "some.jsonl", "-t", "nobody"], "nobody"),
    ],
)
def test_what_cannot_be_measured_is_one_line_that_states_what_to_do(
    groundwire: Command,
    folder: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    arguments: list[str],
    reported: str,
) -> None:
    groundwire.tenant("acme")
    conversations(tmp_path / "some.jsonl", FOLLOW_UP)
    conversations(tmp_path / "other.jsonl", OTHER_SET)
    monkeypatch.chdir(tmp_path)
    refused = groundwire("eval", str(folder), *arguments)
    assert refused.code in {1, 2}
    assert reported in refused.line


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_a_published_file_has_the_same_number_of_conversations_of_each_class(file: Path) -> None:
    found = read_conversations([file])
    classes = Counter(each.kind for each in found)
    if file.stem == "fresh":
        assert len(classes) == 10
        assert set(classes.values()) == {8}
    else:
        assert set(classes) == {"follow_up", "compound", "correction", "topic_switch", "chatter", "pasted", "single"}
        assert set(classes.values()) == {15 if file.stem == "development" else 10}


def test_the_published_files_have_no_id_in_common() -> None:
    assert len(read_conversations(FILES)) == 105 + 70 + 70 + 80


def test_the_commands_of_the_published_files_page_are_those_that_the_guides_tests_run() -> None:
    typed = commands(PAGE)
    assert typed
    run = [command for guide in GUIDES for command in commands(guide)]
    left = [command for command in typed if command not in run and " DIR " not in command]
    assert [command for command in left if not command.startswith(BENCHES)] == []


def test_the_figures_of_several_runs_are_one_table(groundwire: Command, folder: Path, tmp_path: Path) -> None:
    runs = [
        groundwire.json("eval", str(folder), "--conversations", conversations(tmp_path / f"{row['id']}.jsonl", row))
        for row in (FOLLOW_UP, COMPOUND)
    ]
    found = recall_by_class(runs)
    assert found.columns == ("", "last", "all", "last_two", "rewrite", "planner")
    assert list(found.rows) == [
        ("follow_up (1)", 0.0, 1.0, 1.0, 1.0, 1.0),
        ("compound (1)", 1.0, 1.0, 1.0, 1.0, 1.0),
        ("all (2)", 0.5, 1.0, 1.0, 1.0, 1.0),
    ]


VALUES: Final = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5) | st.sampled_from(["user", "assistant", "1", "2"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["role", "text"]), inner, max_size=2),
    max_leaves=8,
)
LINES: Final = st.fixed_dictionaries({}, optional=dict.fromkeys([*COMPOUND, "user", "tags"], VALUES)).map(
    lambda changed: json.dumps({**COMPOUND, **changed})
) | st.text(max_size=20)


@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(LINES, max_size=3))
def test_every_line_is_a_conversation_or_named_in_an_error(
    tmp_path_factory: pytest.TempPathFactory, lines: list[str]
) -> None:
    file = tmp_path_factory.getbasetemp() / "any.jsonl"
    file.write_text("\n".join(lines), encoding="utf-8", errors="replace")
    found, message = read_or_message(file)
    assert all(each.relevant and each.rewrite and each.turns[-1].speaker is Speaker.USER for each in found)
    assert not message or f"{file}, line " in message


def read_or_message(file: Path) -> tuple[list[Conversation], str]:
    try:
        return read_conversations([file]), ""
    except InvalidInput as error:
        return [], str(error)
