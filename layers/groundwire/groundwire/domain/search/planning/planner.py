"""Plan of search queries: the last message of the user as self-contained questions."""

from collections.abc import Sequence
from itertools import zip_longest
from typing import Final

from groundwire.domain.limits import MAX_PHRASE_CHARACTERS
from groundwire.domain.search.phrases import truncate_phrase
from groundwire.domain.search.planning.chatter import is_chatter
from groundwire.domain.search.planning.conversation import Speaker, Turn
from groundwire.domain.search.planning.corrections import Correction, corrected, find_correction, is_new_question
from groundwire.domain.search.planning.follow_ups import continued, is_agreement
from groundwire.domain.search.planning.pasted import separate_pasted
from groundwire.domain.search.planning.references import find_reference
from groundwire.domain.search.planning.splitting import questions_of
from groundwire.domain.search.planning.vocabulary import content_of, starts_question, without_end_marks, words_of

_MAX_READ_TURNS: Final = 24
"""Turns before the last one that are read: what is older has no part in a question."""
_MAX_ANSWER_CHARACTERS: Final = 4_000
_MAX_EARLIER_CHARACTERS: Final = 400
_MAX_QUESTIONS: Final = 16
_MAX_REPLY_WORDS: Final = 8


class _Reading:
    """State while the turns are read in order: the last plan, and the assistant's answer to it."""

    def __init__(self) -> None:
        self.plan: list[list[str]] = []
        self.answer = ""

    @property
    def earlier(self) -> str:
        """Last question in its likeliest form; empty before the first one."""
        return self.plan[-1][0][:_MAX_EARLIER_CHARACTERS] if self.plan else ""

    def read(self, text: str) -> None:
        """Replace the plan by that of a message of the user; one without a question changes nothing."""
        parts = separate_pasted(text)
        own = parts.own
        correction = find_correction(own) if self.earlier else None
        if correction and is_new_question(correction):
            own, correction = correction.new, None
        if self.earlier and (reply := self._reply(own, correction)):
            self.plan, self.answer = [reply], ""
            return
        questions = questions_of(own)
        if not questions:
            return
        if parts.clue and find_reference(questions[0]) is not None:
            self.plan = [[f"{question} {parts.clue}"] for question in questions[:_MAX_QUESTIONS]]
        else:
            self.plan = self._planned(questions)
        self.answer = ""

    def _reply(self, text: str, correction: Correction | None) -> list[str]:
        """Return the queries of a correction, or of a reply to the assistant's own question; empty for other texts."""
        if correction:
            if is_chatter(correction.new) and not correction.old:
                return []
            return corrected(self.earlier, correction)
        question = self.answer.rstrip()
        if not question.endswith(("?", "\uff1f")):
            return []
        words = words_of(text[:200])
        if is_agreement(text):
            proposal = question[-200:].split(". ")[-1]
            return [f"{without_end_marks(self.earlier)}, {proposal}"] if content_of(words_of(proposal)) else []
        is_fragment = len(words) <= _MAX_REPLY_WORDS and not starts_question(words) and not text.rstrip().endswith("?")
        if is_fragment and not is_chatter(text) and words and not _is_courtesy(question):
            return [f"{without_end_marks(self.earlier)}, {without_end_marks(text)}"]
        return []

    def _planned(self, questions: list[str]) -> list[list[str]]:
        """Return the forms of each question; one may continue the question before it in the same message."""
        planned: list[list[str]] = []
        earlier: str = self.earlier
        answer: str | None = self.answer
        for question in questions[:_MAX_QUESTIONS]:
            forms = continued(question, earlier, answer) if earlier else [question]
            planned.append(forms)
            earlier, answer = forms[0][:_MAX_EARLIER_CHARACTERS], None
        return planned


def _is_courtesy(text: str) -> bool:
    """Return whether an assistant's last question only proposes more help."""
    last = text[-200:].lower()
    return any(phrase in last for phrase in ("anything else", "help you", "assist you", "can i help", "something else"))


def plan_queries(turns: Sequence[Turn], most: int) -> tuple[str, ...]:
    """Return self-contained queries for the last message of the user, the most important first.

    A single plain question is returned unchanged. There is at least one query if the user wrote any text.

    Args:
        turns: the conversation, oldest message first; what follows the user's last message is left out.
        most: the highest number of queries, at least 1.
    """
    last = next((number for number in range(len(turns) - 1, -1, -1) if _is_text_of_user(turns[number])), None)
    if last is None:
        return ()
    reading = _Reading()
    for turn in turns[max(0, last - _MAX_READ_TURNS) : last + 1]:
        if _is_text_of_user(turn):
            reading.read(turn.text)
        elif turn.speaker is Speaker.ASSISTANT:
            reading.answer = turn.text[:_MAX_ANSWER_CHARACTERS]
    forms = reading.plan or [[turns[last].text]]
    queries = [form for rank in zip_longest(*forms) for form in rank if form is not None]
    shortened = (query if len(query) <= MAX_PHRASE_CHARACTERS else truncate_phrase(query) for query in queries)
    found = tuple(dict.fromkeys(query for query in shortened if query.strip()))
    return (found or (turns[last].text.strip()[:MAX_PHRASE_CHARACTERS],))[: max(1, most)]


def _is_text_of_user(turn: Turn) -> bool:
    return turn.speaker is Speaker.USER and bool(turn.text.strip())
