"""What stands around a question: lists, signatures, letters, code, small talk, remarks."""

import pytest

from tests.server.domain.planning.test_plans import plan

QUESTION = "Which university did Ada Meyer attend?"
TENT = "What does the Sandpiper tent cost?"


def test_items_of_a_list_beside_a_question_are_no_questions() -> None:
    tasks = "- buy oat milk\n- call the dentist on Thursday\n- finish the slides"
    first = plan(f"todo:\n{tasks}\n\nok that's my list. {QUESTION}")[0]
    assert QUESTION in first
    assert "milk" not in first


def test_items_that_ask_and_items_that_a_request_announces_are_questions_of_their_own() -> None:
    assert plan("Two things:\n1. Who founded Bern?\n2. Who founded Turin?") == (
        "Who founded Bern?",
        "Who founded Turin?",
    )
    assert plan("I need sources on two topics:\n- motion of a rolling missile\n- pressure at the base of a body") == (
        "motion of a rolling missile",
        "pressure at the base of a body",
    )


@pytest.mark.parametrize(
    "text",
    [
        f"{QUESTION}\n\nBest,\nIlse\n\n--\nIlse van Dam | Procurement\nWhy not visit our new website?",
        f"{QUESTION}\n\nThis e-mail may contain confidential information. Do you really need to print this mail?",
    ],
)
def test_signatures_and_notices_of_mails_are_no_questions(text: str) -> None:
    assert plan(text) == (QUESTION,)


def test_a_question_after_a_separator_is_no_signature() -> None:
    assert QUESTION in plan(f"Dear Jo,\n\nwould you give a talk in spring?\n\nBest wishes,\nBen\n\n--\n{QUESTION}")


def test_a_letter_is_read_whole_for_the_question_that_it_asks() -> None:
    filler = "Last week we moved to the new office, and most things work by now. The printer is still missing. " * 3
    letter = f"Dear team,\n\n{filler}{QUESTION} I would be glad about an answer.\n\nThanks for all your work!\nRuben"
    assert plan(TENT, "It is in the list.", letter)[0] == QUESTION


def test_a_comment_of_pasted_code_is_no_question() -> None:
    code = "def clean(rows):\n    out = []\n    # what if the row is empty?\n    return out"
    assert plan(f"{code}\n\n{QUESTION}")[0] == QUESTION


def test_what_a_pasted_text_quotes_is_no_question() -> None:
    article = 'The festival opened with rain. "Who stays at home for that?" said the mayor. ' + "Ships arrived. " * 30
    assert plan(f"{article}\n\n{QUESTION}\n\n{'The fireworks were late. ' * 20}")[0] == QUESTION


def test_an_item_named_by_its_number_is_the_subject_of_a_question_about_it() -> None:
    items = (
        "1. The introduction is too long.\n2. Gut bacteria pass on a tendency to thick arteries.\n3. Check the English."
    )
    review = f"I only need help with point 2, do you know a paper on that?\n\nReviewer\n{items}\n" + "And more. " * 40
    assert plan(review)[0].endswith("Gut bacteria pass on a tendency to thick arteries.")


def test_the_question_of_a_pasted_mail_is_searched_where_the_user_asks_for_a_reply() -> None:
    mail = f"From: Rolf\nTo: me\nSubject: advice\n\nThe kids are at school. {QUESTION} Love, Rolf"
    assert QUESTION in " ".join(plan(f"{mail}\n\nWhat should I reply to him?"))


@pytest.mark.parametrize(
    "remark",
    [
        "May I ask you a question?",
        "Where was I?",
        "could you check something for me real quick.",
        "That's done.",
        "Let's leave it there.",
        "What I need to know is this.",
    ],
)
def test_small_talk_is_searched_neither_alone_nor_with_a_question(remark: str) -> None:
    assert plan(f"{remark} {QUESTION}") == (QUESTION,)


def test_a_request_that_only_begins_like_small_talk_is_searched() -> None:
    assert plan("Can I ask for a refund of the ticket?") == ("Can I ask for a refund of the ticket?",)
    assert plan("How did Generation Y vote?\nHow did Generation X vote?")[0] == "How did Generation Y vote?"


@pytest.mark.parametrize(
    "request_of_form", ["Can you quote the document word for word?", "Give me the exact wording of the passage please."]
)
def test_a_wish_for_the_wording_repeats_the_question_before(request_of_form: str) -> None:
    assert plan(TENT, "It costs 350.", request_of_form)[0] == TENT


@pytest.mark.parametrize(
    "remark", ["did you take Lisbon? it has to be Porto", "No, that's about Lisbon. I want Porto."]
)
def test_a_remark_that_names_the_old_name_and_a_new_one_is_a_correction(remark: str) -> None:
    assert plan("How large is the harbour of Lisbon?", "Large.", remark)[0] == "How large is the harbour of Porto?"


def test_a_question_about_the_old_name_and_a_new_one_compares_them() -> None:
    compared = "Is the harbour of Lisbon larger than the one in Porto?"
    assert plan("How large is the harbour of Lisbon?", "Large.", compared)[0] == compared


def test_a_pronoun_of_a_remark_does_not_continue_the_question_before() -> None:
    message = "i know, i could google it, but you're nicer. What interactions does the RAG complex have with DNA"
    assert plan(TENT, "It costs 350.", message)[0] == "What interactions does the RAG complex have with DNA"


def test_a_pronoun_of_somebody_in_the_same_question_refers_to_nobody_before() -> None:
    message = "Which rate is paid per kilometre when someone drives their own car?"
    assert plan("What do trains to Lyon cost?", "About 90.", message) == (message,)


def test_a_remark_before_a_conjunction_is_no_question_of_its_own() -> None:
    message = "Not about the tent, but do you know which university Ada Meyer attended?"
    assert plan(message) == (message,)
