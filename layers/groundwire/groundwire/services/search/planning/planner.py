"""Plan of search queries for the last message of a user, by rules.

The plan has each question of the message, and the messages of the user as one query. So a follow-up is found by the
words before it, and a new topic by its own.
"""

from collections.abc import Sequence
from typing import Final

from groundwire.domain.limits import MAX_PHRASE_CHARACTERS
from groundwire.domain.search.conversation import Speaker, Turn
from groundwire.domain.search.request import truncate_phrase
from groundwire.services.search.planning.long_text import own_text
from groundwire.services.search.planning.splitting import questions_of

_SEPARATOR: Final = "\n"


def plan_queries(turns: Sequence[Turn], most: int) -> tuple[str, ...]:
    """Return the questions of the user's last message, and the user's messages as one query, which comes last.

    A single question without a message before it is returned unchanged. There is at least one query if the user wrote
    any text.

    Args:
        turns: the conversation, oldest message first; what follows the user's last message is left out.
        most: the highest number of queries, at least 1.
    """
    messages = [turn.text for turn in turns if turn.speaker is Speaker.USER and turn.text.strip()]
    if not messages:
        return ()
    joined = _joined(messages)
    questions = (_shortened(each) for each in questions_of(own_text(messages[-1])))
    # A question that equals the joined messages would be searched twice.
    distinct = [each for each in dict.fromkeys(questions) if each not in {"", joined}]
    return (*distinct[: max(1, most) - 1], joined)


def split_question(text: str, most: int) -> tuple[str, ...]:
    """Return the questions of a text that has several; empty where it has only one.

    Args:
        text: the user's words.
        most: the highest number of questions.
    """
    questions = questions_of(own_text(truncate_phrase(text)))
    return tuple(dict.fromkeys(questions))[:most] if len(questions) > 1 else ()


def _joined(messages: Sequence[str]) -> str:
    """Return the last messages that fit into one query together, in their order; at least the last one, shortened."""
    joined = _shortened(messages[-1])
    for message in reversed(messages[:-1]):
        if len(message) + len(_SEPARATOR) + len(joined) > MAX_PHRASE_CHARACTERS:
            break
        joined = f"{message}{_SEPARATOR}{joined}"
    return joined


def _shortened(text: str) -> str:
    shorter = text if len(text) <= MAX_PHRASE_CHARACTERS else truncate_phrase(text)
    return shorter if shorter.strip() else ""
