"""Properties of every plan, whatever the messages hold."""

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from groundwire.domain.limits import MAX_PHRASE_CHARACTERS
from groundwire.domain.search.conversation import Speaker, Turn
from groundwire.services.search.planning import long_text
from groundwire.services.search.planning.planner import plan_queries
from tests.support.documents.step_count import growth_of_steps
from tests.support.plugins.draws import examples

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
LONG = 400_000
"""Length of a text of which a quadratic match does not end."""
MOST_GROWTH = 1.3
"""Growth of the steps with the length at which a plan counts as linear; a quadratic one has 4 for the fourfold."""


@hypothesis_settings(max_examples=examples(400))
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
def test_long_texts_are_planned_in_linear_time(piece: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def planning(length: int) -> Callable[[], object]:
        text = piece * (length // len(piece))
        turns = [Turn(Speaker.USER, text), Turn(Speaker.ASSISTANT, text)]
        lasts = (Turn(Speaker.USER, text), Turn(Speaker.USER, "and the second one?"))
        return lambda: [plan_queries([*turns, last], 5) for last in lasts]

    # Planning cuts long texts; their parts are read in linear time too.
    monkeypatch.setattr(long_text, "_MAX_READ_CHARACTERS", LONG)
    assert growth_of_steps(planning, 3_000, 12_000) < MOST_GROWTH
    assert plan_queries([Turn(Speaker.USER, piece * (LONG // len(piece))), Turn(Speaker.USER, "Where is Lima?")], 5)


def test_thousands_of_turns_are_planned_like_the_last_ones() -> None:
    turns = [Turn(Speaker.USER, "How deep is it?"), Turn(Speaker.ASSISTANT, "Very.")] * 3_000
    last = [Turn(Speaker.USER, "Where is Lima?")]
    assert plan_queries([*turns, *last], 5) == plan_queries([*turns[-400:], *last], 5)
