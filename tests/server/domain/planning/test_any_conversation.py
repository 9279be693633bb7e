"""Properties of every plan, whatever the messages hold."""

import time

import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from groundwire.domain.limits import MAX_PHRASE_CHARACTERS
from groundwire.domain.search.planning.conversation import Speaker, Turn
from groundwire.domain.search.planning.planner import plan_queries

PIECES = st.sampled_from(
    [
        *(
            "no, I meant",
            "not A but B",
            "what about",
            "the second one",
            "1. Nest\n2. Colony",
            "and",
            "why?",
            "SP-200-H",
        ),
        *(
            "Where is it?",
            "Hi!",
            "thank you",
            "> quoted",
            "```",
            "From: Ann\nTo: Bob",
            "2023",
            "Germany",
            "?",
            ".",
            "\n",
        ),
        *(
            "their",
            "he",
            "\u4ed6",
            "\u90a3\u5462\uff1f",
            "Und in Rom?",
            "answer in JSON",
            "\x00",
            "\u202e",
            "\ud800",
            ":",
            "| a | b |",
        ),
    ]
)
TEXTS = st.text(max_size=60) | st.lists(PIECES, max_size=8).map(" ".join)
TURNS = st.lists(st.builds(Turn, st.sampled_from(Speaker), TEXTS), max_size=8)
LONG = 100_000
SECONDS_FOR_LONG_TEXTS = 2.0
"""Far above the time of a linear rule, and far below that of a quadratic one."""


@hypothesis_settings(max_examples=400)
@given(turns=TURNS, most=st.integers(1, 8))
def test_a_plan_holds_few_short_queries_and_no_blank_one(turns: list[Turn], most: int) -> None:
    queries = plan_queries(turns, most)
    assert len(queries) <= most
    assert all(query.strip() and len(query) <= MAX_PHRASE_CHARACTERS for query in queries)
    assert len(set(queries)) == len(queries)
    assert bool(queries) == any(turn.speaker is Speaker.USER and turn.text.strip() for turn in turns)
    assert plan_queries(turns, most) == queries


@given(turns=TURNS, later=st.lists(TEXTS, max_size=3))
def test_only_turns_up_to_the_last_message_of_the_user_count(turns: list[Turn], later: list[str]) -> None:
    answers = [Turn(Speaker.ASSISTANT, text) for text in later]
    assert plan_queries([*turns, *answers], 5) == plan_queries(turns, 5)


@pytest.mark.parametrize(
    "piece",
    [
        *(
            "a",
            " ",
            "\n",
            "a ",
            "what is it? ",
            "?",
            ">\n",
            "|a",
            "```\n",
            "- a\n",
            " and what is x",
            "no, ",
            "From: a\n",
        ),
        *(
            "a.",
            "\u4ed6",
            "\u4ed6\uff1f",
            '"',
            "On ",
            "(",
            " 1) a",
            "a, ",
            "a'",
            "\ta",
            "please ",
            "the ",
            "x.y.",
            "\r",
            "not a ",
        ),
    ],
)
def test_long_texts_take_linear_time(piece: str) -> None:
    text = piece * (LONG // len(piece))
    turns = [Turn(Speaker.USER, text), Turn(Speaker.ASSISTANT, text), Turn(Speaker.USER, text)]
    started = time.perf_counter()
    plan_queries(turns, 5)
    plan_queries([*turns[:2], Turn(Speaker.USER, "and the second one?")], 5)
    assert time.perf_counter() - started < SECONDS_FOR_LONG_TEXTS


def test_thousands_of_turns_are_planned_like_the_last_ones() -> None:
    turns = [Turn(Speaker.USER, "How deep is it?"), Turn(Speaker.ASSISTANT, "Very.")] * 3_000
    last = [Turn(Speaker.USER, "Where is Lima?")]
    assert plan_queries([*turns, *last], 5) == plan_queries(last, 5)


@hypothesis_settings(max_examples=300)
@given(
    opening=st.lists(st.sampled_from(["Hi!", "ok,", "please", "so", "thank you.", ":)"]), max_size=4),
    frame=st.sampled_from(["", "could you tell me", "I was wondering"]),
    question=st.sampled_from(
        ["where is Lima?", "How does a 2023 SP-200-H start?", "the price of cables", "Why did it fail?"]
    ),
    ending=st.lists(st.sampled_from(["Thanks!", "Answer in JSON.", "Be concise.", "Kind regards, Jonas"]), max_size=3),
)
def test_the_plan_of_a_planned_query_is_that_query(
    opening: list[str], frame: str, question: str, ending: list[str]
) -> None:
    message = " ".join([*opening, frame, question, *ending])
    [query] = plan_queries([Turn(Speaker.USER, message)], 5)
    assert plan_queries([Turn(Speaker.USER, query)], 5) == (query,)
