"""Which queries the rules plan for a conversation."""

import pytest

from groundwire.adapters.planning.rule_planner import RulePlanner
from groundwire.domain.limits import MAX_PHRASE_CHARACTERS
from groundwire.domain.search.conversation import Speaker, Turn
from groundwire.ports import QueryPlan, QueryPlanner

MOST = 5
LETTER = "The youth hostel has changed our rooms, so that we now have six of four beds and three of six. " * 6


def plan(*texts: str, most: int = MOST) -> tuple[str, ...]:
    """Return the queries for messages that the user and the assistant wrote in turn, the user first."""
    speakers = (Speaker.USER, Speaker.ASSISTANT)
    turns = [Turn(speakers[number % 2], text) for number, text in enumerate(texts)]
    planner: QueryPlanner = RulePlanner()
    planned = planner.plan(turns, most)
    assert planned == QueryPlan(planned.queries, None)
    return planned.queries


@pytest.mark.parametrize(
    "question",
    [
        "What kinds of bridge did the Romans build?",
        "  spaces around a question? ",
        "Propriospinal neurons help in recovery.",
        "Does a sensor report if it is under water?",
        "SP-400-H list price",
        "Hi there! Where is Lima? Thanks a lot!",
        "Who wrote it, and when did they print it?",
        "Wie hoch ist das Taggeld in Frankreich?",
        "\u516c\u53f8\u7684\u5e74\u5047\u6709\u591a\u5c11\u5929\uff1f",
    ],
)
def test_a_message_of_one_question_is_unchanged(question: str) -> None:
    assert plan(question) == (question,)


@pytest.mark.parametrize(
    ("message", "questions"),
    [
        ("Where is Lima, and why did the dodo die out?", ("Where is Lima?", "why did the dodo die out?")),
        ("What is the VAT in Spain? And who pays it?", ("What is the VAT in Spain?", "And who pays it?")),
        ("Where is Lima?\nWho owns Lego?", ("Where is Lima?", "Who owns Lego?")),
        (
            "Explain how bridges stand; also explain why ships float.",
            ("Explain how bridges stand", "explain why ships float."),
        ),
    ],
)
def test_a_message_of_several_questions_is_planned_as_each_of_them_and_as_a_whole(
    message: str, questions: tuple[str, ...]
) -> None:
    *planned, whole = plan(message)
    assert whole == message
    assert tuple(planned) == questions


def test_a_statement_is_searched_with_the_question_that_follows_it() -> None:
    first, second, _ = plan("Who owns Lego? My aunt grows roses. What is black spot?")
    assert (first, second) == ("Who owns Lego?", "My aunt grows roses. What is black spot?")


def test_a_follow_up_is_searched_alone_and_after_the_messages_before_it() -> None:
    assert plan("How salty is the Dead Sea?", "Very.", "And the Red Sea?") == (
        "And the Red Sea?",
        "How salty is the Dead Sea?\nAnd the Red Sea?",
    )


def test_messages_of_the_assistant_are_not_searched() -> None:
    assert not any("Picasso" in query for query in plan("Who painted Guernica?", "Pablo Picasso.", "When?"))


def test_the_joined_messages_have_a_place_whatever_the_number_of_queries() -> None:
    messages = ("Where is Oslo?", "In Norway.", "Who owns Lego?\nWhere is Lima?\nWhy is the sky blue?")
    joined = f"{messages[0]}\n{messages[2]}"
    assert plan(*messages, most=2) == ("Who owns Lego?", joined)
    assert plan(*messages, most=1) == (joined,)


def test_the_last_messages_that_fit_into_a_query_are_joined() -> None:
    old, recent = "Where is Oslo? " * 100, "Where is Lima? " * 60
    question, joined = plan(old, "There.", recent, "There.", "And how large is it?")
    assert question == "And how large is it?"
    assert joined == f"{recent}\n{question}"
    assert len(joined) <= MAX_PHRASE_CHARACTERS


@pytest.mark.parametrize("message", [f"{LETTER}\n\nWhere is Lima?", f"Where is Lima?\n\n{LETTER}"])
def test_a_question_beside_a_long_text_is_searched_alone_and_with_it(message: str) -> None:
    question, whole = plan(message)
    assert (question, whole) == ("Where is Lima?", message)


def test_a_remark_beside_a_long_text_is_searched_alone_where_nothing_asks() -> None:
    assert plan(f"{LETTER}\n\nhotels near the harbour")[0] == "hotels near the harbour"


def test_a_long_text_without_a_question_or_a_remark_is_searched_whole() -> None:
    text = "\n\n".join([LETTER] * 2)
    assert plan(text) == (text,)


def test_a_conversation_without_text_of_the_user_has_no_query() -> None:
    assert plan() == ()
    assert plan("  \n ", "Hello! How may I help?") == ()
