"""Which queries the rules plan for a conversation."""

import pytest

from groundwire.adapters.planning.rule_planner import RulePlanner
from groundwire.domain.search.planning.conversation import Speaker, Turn
from groundwire.ports import QueryPlan, QueryPlanner

MOST = 5


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
        "how did the venus flytrap get its name",
        "  spaces around a question? ",
        "Propriospinal neurons help in recovery.",
        "Does a sensor report if it is under water?",
        "SP-400-H list price",
        "Why did the US send aid to Greece and Turkey in 1947?",
        "Wie hoch ist das Taggeld in Frankreich?",
        "\u516c\u53f8\u7684\u5e74\u5047\u6709\u591a\u5c11\u5929\uff1f",
        "List the sources of nitrogen in rivers",
    ],
)
def test_a_single_plain_question_is_unchanged(question: str) -> None:
    assert plan(question) == (question,)


@pytest.mark.parametrize(
    ("earlier", "answer", "question", "query"),
    [
        ("How salty is the Dead Sea?", "Very.", "and where is it?", "where is the Dead Sea?"),
        ("How salty is the Dead Sea?", "Very.", "What about the Red Sea?", "How salty is the Red Sea?"),
        ("What is the fee in Zurich?", "95 euros.", "In Munich?", "What is the fee In Munich?"),
        ("Who painted Guernica?", "Pablo Picasso.", "When was he born?", "When was Pablo Picasso born?"),
        ("Which planet has the most moons?", "Saturn.", "How big is it?", "How big is Saturn?"),
        ("What is error E-17?", "A wet antenna.", "And E-26?", "What is error E-26?"),
        ("Why do cats purr?", "Nobody knows.", "tell me more", "Why do cats purr?"),
        ("Which plans are there?", "1. Nest\n2. Colony", "How much is the second one?", "How much is Colony?"),
        ("Which plans are there?", "There are Nest and Colony.", "What is the former?", "What is Nest?"),
        (
            "Which side effects are there?",
            "Short-term or long-term?",
            "long-term",
            "Which side effects are there, long-term",
        ),
    ],
)
def test_a_follow_up_is_completed_from_the_turns_before(earlier: str, answer: str, question: str, query: str) -> None:
    assert plan(earlier, answer, question)[0] == query


@pytest.mark.parametrize(
    ("question", "correction", "query"),
    [
        ("When did Apollo 11 launch?", "No, I meant Apollo 13.", "When did Apollo 13 launch?"),
        ("What was the revenue in 2022?", "sorry, the 2023 one", "What was the revenue in 2023?"),
        (
            "What does the king of Norway do?",
            "not the king but the prime minister",
            "What does the prime minister of Norway do?",
        ),
        ("How long is shipping to Canada?", "I asked about Mexico, not Canada", "How long is shipping to Mexico?"),
        ("Is hip surgery painful?", "Oops, knee surgery", "Is knee surgery painful?"),
        ("Who led France in 1995?", "I got the country wrong, Norway", "Who led Norway in 1995?"),
        ("Who led France in 1995?", "That's the wrong country. I need Norway.", "Who led Norway in 1995?"),
        ("Do vaccines work in mice?", "I said mice but I meant humans", "Do vaccines work in humans?"),
        ("Do vaccines work in mice?", "Replace mice with humans", "Do vaccines work in humans?"),
        ("What did Apple earn in 2019?", "Did I say Apple? Microsoft.", "What did Microsoft earn in 2019?"),
        (
            "Is hip surgery painful?",
            "Let me rephrase: who pays for surgery in Norway?",
            "who pays for surgery in Norway?",
        ),
    ],
)
def test_a_correction_changes_the_question_before(question: str, correction: str, query: str) -> None:
    assert plan(question, "I found something.", correction)[0] == query


@pytest.mark.parametrize(
    ("message", "queries"),
    [
        ("Where is Lima, and why did the dodo die out?", ("Where is Lima?", "why did the dodo die out?")),
        (
            "What does the king do in Spain and in Norway?",
            ("What does the king do in Spain?", "What does the king do in Norway?"),
        ),
        ("Two things:\n1. Who owns Lego?\n2. Where is Lima?", ("Who owns Lego?", "Where is Lima?")),
        ("What is the fee in:\n- Rome\n- Oslo", ("What is the fee in Rome", "What is the fee in Oslo")),
        ("What is the VAT in Spain? And who pays it?", ("What is the VAT in Spain?", "who pays the VAT in Spain?")),
        (
            "What is the height of Everest, who owns Lego and why is the sky blue?",
            ("What is the height of Everest?", "who owns Lego?", "why is the sky blue?"),
        ),
        (
            "I need three things: the height of Everest, the depth of the Nile and the age of the Sphinx.",
            ("the height of Everest", "the depth of the Nile", "the age of the Sphinx"),
        ),
        (
            "Find me something on the loads on wings, on hypersonic boundary layers, and on the heat of blunt bodies",
            ("the loads on wings", "hypersonic boundary layers", "the heat of blunt bodies"),
        ),
        (
            "Wie hoch ist der Everest und wie tief ist der Nil?",
            ("Wie hoch ist der Everest?", "wie tief ist der Nil?"),
        ),
    ],
)
def test_a_compound_question_is_split(message: str, queries: tuple[str, ...]) -> None:
    assert plan(message) == queries


def test_no_more_queries_are_planned_than_wanted() -> None:
    assert plan("1. Who owns Lego?\n2. Where is Lima?\n3. Why is the sky blue?", most=2) == (
        "Who owns Lego?",
        "Where is Lima?",
    )


@pytest.mark.parametrize(
    "message",
    [
        "Hi there! Where is Lima? Thanks a lot!",
        "You are a helpful guide. Where is Lima? Answer in two sentences and cite your sources.",
        "good morning :) Where is Lima? Reply in JSON please.",
        "Where is Lima? Do not make anything up.",
        "Quick question: Where is Lima?",
        "Where is Lima?\n\nKind regards, Jonas",
    ],
)
def test_chatter_and_instructions_are_dropped(message: str) -> None:
    assert plan(message) == ("Where is Lima?",)


@pytest.mark.parametrize(
    "pasted",
    [
        "```python\nfor line in port:\n    print(line)\n```",
        "> From: Ann <ann@example.org>\n> Dear all, the ship is late.",
        "From: Ann\nTo: Bob\nSubject: Ship\n\nThe ship is late again.",
        "2025-11-02 10:14:03,114 INFO worker-3 starting batch 118\n2025-11-02 10:14:09,002 ERROR worker-3 failed",
        '{"id": 4411, "status": "open", "lines": [{"sku": "A-100", "qty": 4}]}',
        "| Room | Seats |\n|---|---|\n| Oak | 12 |",
        "Q: Who owns the ship?\nA: Ann.\nQ: Where does it go?\nA: Nowhere.",
        "PROGRAM SHIP\nREAL T(101)\nT(1) = 420.0\nEND",
    ],
)
def test_pasted_matter_around_a_question_is_dropped(pasted: str) -> None:
    assert plan(f"{pasted}\n\nWhere is Lima?") == ("Where is Lima?",)


@pytest.mark.parametrize(
    "pasted",
    [
        "The village had two mills and a smith, who worked late. " * 12,
        'He wrote: "Can you tell me when the ship comes? The smith wants to know, and so do I."',
        "Here is my draft:\n\nThe village had two mills. Did the smith work late? Nobody knows any more.",
    ],
)
def test_prose_beside_a_question_is_searched_after_the_question_alone(pasted: str) -> None:
    message = f"{pasted}\n\nWhere is Lima?"
    question, whole = plan(message)
    assert (question, whole[:60]) == ("Where is Lima?", message[:60])


def test_a_letter_between_salutation_and_greeting_is_not_the_users_question() -> None:
    letter = (
        "Dear Ms Kern,\n\nthe bus is booked. May we bring our own food? Who pays the driver?\n\n"
        + "The youth hostel has changed our rooms, so that we now have six of four beds and three of six. " * 3
        + "\n\nKind regards\nB. Thomsen"
    )
    assert plan(f"{letter}\n\nWhere is Lima?")[0] == "Where is Lima?"
    assert plan(f"Where is Lima?\n\n{letter}")[0] == "Where is Lima?"


def test_a_question_about_one_point_of_a_pasted_list_names_that_point() -> None:
    points = "\n".join(f"{number}. {text * 8}" for number, text in enumerate(("Hens. ", "Geese. ", "Ducks. "), start=1))
    padding = "\n4. " + "The statistics are described in one line only, which will not do. " * 6
    queries = plan(f"I need help with point 2, is there a paper on that?\n\nReviewer\n{points}{padding}")
    assert any("Geese" in query and "Hens" not in query for query in queries)


def test_a_question_about_pasted_matter_names_its_error() -> None:
    assert plan("What does this error mean?\n```\nrun 1\nValueError: bad literal\n```") == (
        "What does this error mean? ValueError: bad literal",
    )


@pytest.mark.parametrize(
    "question",
    [
        "Why does February have only 28 days?",
        "how did the venus flytrap get its name?",
        "Who founded the city of Lima?",
    ],
)
def test_a_question_that_is_complete_forgets_the_topic_before(question: str) -> None:
    assert plan("How salty is the Dead Sea?", "Very.", question) == (question,)


@pytest.mark.parametrize(
    "message",
    [
        "great, thank you!",
        "Thanks! Could you put that into a table?",
        "shorter please",
        "and the same in German, please",
        "oh that is so human haha. can you say it simpler, like for a seven year old, and with no numbers",
        "Super answer. I am so tired today. Please make the answer shorter and with bullet points, okay?",
        "That is new to me. Where did you get that from?",
        "Danke! Kannst du das k\u00fcrzer schreiben?",
        "\u8c22\u8c22\uff01\u7b80\u77ed\u4e00\u70b9",
    ],
)
def test_thanks_and_requests_on_the_form_keep_the_question_before(message: str) -> None:
    assert plan("Where is Lima?", "In Peru.", message) == ("Where is Lima?",)


def test_the_joined_messages_of_a_topic_are_searched_after_a_question_that_needs_them() -> None:
    queries = plan("Who painted Guernica?", "Pablo Picasso.", "When was he born?", "1881.", "and how many did he sell?")
    joined = "Who painted Guernica? Pablo Picasso When was he born? and how many did he sell?"
    assert queries == ("how many did Pablo Picasso sell?", joined)
    assert plan("Who painted Guernica?", "Pablo Picasso.", "Why is the sky blue at noon?") == (
        "Why is the sky blue at noon?",
    )


def test_a_question_with_statements_is_searched_alone_and_with_them() -> None:
    message = "My grandmother grew roses. What causes black spot on leaves?"
    assert plan(message) == ("What causes black spot on leaves?", message)


@pytest.mark.parametrize(
    ("earlier", "question"),
    [
        ("Wie hoch ist das Taggeld in Frankreich?", "Und in der Schweiz?"),
        ("Quel est le montant en France ?", "et en Suisse ?"),
        ("\u00bfCu\u00e1ntos d\u00edas de vacaciones tengo?", "\u00bfY cu\u00e1ndo caducan?"),
        (
            "\u041a\u043e\u0433\u0434\u0430 \u043e\u0442\u043f\u0443\u0441\u043a?",
            "\u0410 \u0432 \u041b\u0438\u0434\u0441\u0435?",
        ),
        ("\u516c\u53f8\u7684\u5e74\u5047\u6709\u591a\u5c11\u5929\uff1f", "\u90a3\u75c5\u5047\u5462\uff1f"),
        (
            "\u5e74\u9593\u306e\u6709\u7d66\u4f11\u6687\u306f\u4f55\u65e5\u3067\u3059\u304b\uff1f",
            "\u305d\u308c\u306f\u3044\u3064\u5931\u52b9\u3057\u307e\u3059\u304b\uff1f",
        ),
    ],
)
def test_a_dependent_question_of_another_language_is_joined_to_the_one_before(earlier: str, question: str) -> None:
    assert plan(earlier, "27.", question) == (f"{earlier} {question}",)


def test_names_codes_and_quoted_words_are_kept() -> None:
    [query] = plan('Hello! What does "L-18" mean for the HL-2-X in 2026? Thanks!')
    assert query == 'What does "L-18" mean for the HL-2-X in 2026?'


def test_a_conversation_without_text_of_the_user_has_no_query() -> None:
    assert plan() == ()
    assert plan("  \n ", "Hello! How may I help?") == ()
