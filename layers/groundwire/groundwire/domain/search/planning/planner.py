"""Plan of search queries: the last message of the user as self-contained questions."""

from collections.abc import Sequence
from itertools import zip_longest
from typing import Final

from groundwire.domain.limits import MAX_PHRASE_CHARACTERS
from groundwire.domain.search.phrases import truncate_phrase
from groundwire.domain.search.planning.conversation import Speaker, Turn
from groundwire.domain.search.planning.corrections import (
    Correction,
    corrected,
    find_contrast,
    find_correction,
    is_new_question,
)
from groundwire.domain.search.planning.follow_ups import continued, is_agreement
from groundwire.domain.search.planning.messages.chatter import is_chatter
from groundwire.domain.search.planning.messages.pasted import separate_pasted
from groundwire.domain.search.planning.messages.requests import request_in
from groundwire.domain.search.planning.messages.splitting import is_question, questions_of
from groundwire.domain.search.planning.references import answered_name, find_reference
from groundwire.domain.search.planning.subjects import has_listed_lines
from groundwire.domain.search.planning.vocabulary import (
    content_of,
    sentences_of,
    starts_question,
    without_end_marks,
    words_of,
)

_MAX_READ_TURNS: Final = 24
"""Turns before the last one that are read: what is older has no part in a question."""
_MAX_ANSWER_CHARACTERS: Final = 4_000
_MAX_EARLIER_CHARACTERS: Final = 400
_MAX_QUESTIONS: Final = 16
_MAX_REPLY_WORDS: Final = 8
_MAX_BARE_WORDS: Final = 3
"""Content words of a question that finds nothing without the text which it is about."""
_MIN_CORE_WORDS: Final = 2
_MAX_UNRESOLVED: Final = 2
_MAX_JOINED: Final = 3
"""Messages of a topic that are joined: an older one is about another side of it."""
_MAX_HEDGED: Final = 3
"""Questions beside which the joined messages are searched; beside more they would take the place of an answer."""


class _Reading:
    """State while the turns are read in order: the last plan, and the assistant's answer to it.

    Attributes:
        plan: the forms of each question, the likeliest first.
        topic: what the user wrote since the topic began, without pasted text and chatter.
        joined: the topic's last messages as one query; empty where the last one stands alone.
    """

    def __init__(self) -> None:
        self.plan: list[list[str]] = []
        self.answer = ""
        self.listing = ""
        self.topic: list[str] = []
        self.joined = ""
        self.whole = ""

    @property
    def earlier(self) -> str:
        """Last question in its likeliest form; empty before the first one."""
        return self.plan[-1][0][:_MAX_EARLIER_CHARACTERS] if self.plan else ""

    def hear(self, answer: str) -> None:
        """Read a message of the assistant; the last list of a topic stays known after further answers."""
        self.answer = answer[:_MAX_ANSWER_CHARACTERS]
        if has_listed_lines(self.answer):
            self.listing = self.answer

    def read(self, text: str) -> None:
        """Replace the plan by that of a message of the user; one without a question changes nothing."""
        parts = separate_pasted(text)
        own = parts.own
        correction = find_contrast(own, self.earlier) or find_correction(own) if self.earlier else None
        if correction and is_new_question(correction):
            own, correction = correction.new, None
        if self.earlier and (reply := self._reply(own, correction)):
            self._continue([reply], own)
            return
        if self.earlier and (about := request_in(own)) is not None:
            if about:
                self._continue([self.plan[-1]], about)
            return
        questions = questions_of(own)
        if not questions:
            return
        if clues := parts.clues_for(questions[-1]):
            self._begin([[question] for question in questions[:_MAX_QUESTIONS]], own)
            self.plan[-1] = _about_pasted(questions[-1], clues[0], parts.numbered_item())
            self.whole = text if parts.is_uncertain and len(questions) == 1 else ""
            return
        planned = self.planned(questions)
        self.whole = text if parts.is_uncertain and len(questions) < _MAX_HEDGED else ""
        if self.earlier and planned[0][-1] != questions[0]:
            self._continue(_without_bare(planned, questions), " ".join(questions))
        else:
            self._begin(planned, " ".join(questions))

    def _begin(self, plan: list[list[str]], own: str) -> None:
        self.plan, self.answer, self.listing, self.joined = plan, "", "", ""
        self.topic = [own[-_MAX_EARLIER_CHARACTERS:]]

    def _continue(self, plan: list[list[str]], own: str) -> None:
        name = answered_name(self.topic[-1], self.answer)
        if name and name not in " ".join(self.topic):
            self.topic[-1] = f"{self.topic[-1]} {name}"
        self.plan, self.answer = plan, ""
        self.topic.append(own[-_MAX_EARLIER_CHARACTERS:])
        self.joined = " ".join(self.topic[-_MAX_JOINED:])

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

    def planned(self, questions: list[str]) -> list[list[str]]:
        """Return the forms of each question; one may continue the question before it in the same message."""
        planned: list[list[str]] = []
        earlier: str = self.earlier
        answer: str | None = self.answer
        for question in questions[:_MAX_QUESTIONS]:
            forms = continued(question, earlier, answer, self.listing) if earlier else [question]
            planned.append([*_core(forms[0]), *(forms if answer is not None else forms[:1])])
            earlier, answer = forms[0][:_MAX_EARLIER_CHARACTERS], None
        return planned

    def queries(self) -> list[str]:
        """Return the likeliest form of each question, then the joined messages where the last one needs another.

        A rule that chose the wrong word for a pronoun loses the subject; the joined messages still have it.
        """
        if self.joined and len(self.plan) <= _MAX_HEDGED:
            return [*(forms[0] for forms in self.plan if forms), self.joined]
        return [*(form for rank in zip_longest(*self.plan) for form in rank if form is not None), self.whole]


def _about_pasted(question: str, clue: str, item: str) -> list[str]:
    """Return the forms of a question about pasted text; the item that it names by number is its subject."""
    about = f"{question} {clue}"
    if item:
        return [item, about]
    return [question, about] if len(content_of(words_of(question))) > _MAX_BARE_WORDS else [about]


def _without_bare(planned: list[list[str]], questions: list[str]) -> list[list[str]]:
    """Return the forms without a message that is left as it is and has hardly a word: only joined it finds anything."""
    if len(planned) > 1 or planned[0][0] != questions[0] or len(content_of(words_of(questions[0]))) > _MAX_UNRESOLVED:
        return planned
    return [planned[0][1:] or planned[0]]


def _core(question: str) -> list[str]:
    """Return the asking sentences of a question with statements around it; none where they need the statements."""
    parts = sentences_of(question)
    asking = [part.strip() for part in parts if is_question(part)]
    core = " ".join(asking)
    is_complete = len(content_of(words_of(core))) >= _MIN_CORE_WORDS and find_reference(core) is None
    return [core] if asking and len(asking) < len(parts) and is_complete else []


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
            reading.hear(turn.text)
    queries = reading.queries() or [turns[last].text]
    shortened = (query if len(query) <= MAX_PHRASE_CHARACTERS else truncate_phrase(query) for query in queries)
    found = tuple(dict.fromkeys(query for query in shortened if query.strip()))
    return (found or (turns[last].text.strip()[:MAX_PHRASE_CHARACTERS],))[: max(1, most)]


def split_question(text: str, most: int) -> tuple[str, ...]:
    """Return the questions of a text that has several, each self-contained; empty where it has only one.

    Args:
        text: the user's words.
        most: the highest number of questions.
    """
    questions = questions_of(separate_pasted(truncate_phrase(text)).own)
    planned = _Reading().planned(questions) if len(questions) > 1 else []
    return tuple(dict.fromkeys(forms[0] for forms in planned))[:most]


def _is_text_of_user(turn: Turn) -> bool:
    return turn.speaker is Speaker.USER and bool(turn.text.strip())
