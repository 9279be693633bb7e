"""Plans of queries without a planner: what a simple client searches for a conversation.

They are what a planner is measured against. Each is one query, made of messages of the user alone: the assistant's are
long, and full of words that the user did not search for.
"""

from collections.abc import Sequence
from typing import Final

from groundwire.domain.search.conversation import Speaker, Turn

_SEPARATOR: Final = "\n"


def last_message(turns: Sequence[Turn]) -> tuple[str, ...]:
    """Return the last message of the user: the query of a client without a memory.

    A follow-up such as "and how long does it take?" does not name its subject.
    """
    return _joined(_user_messages(turns)[-1:])


def last_two_messages(turns: Sequence[Turn]) -> tuple[str, ...]:
    """Return the last two messages of the user as one query, in their order.

    The subject of a short follow-up is mostly in the message before it; a new topic has a foreign message before it.
    """
    return _joined(_user_messages(turns)[-2:])


def all_messages(turns: Sequence[Turn]) -> tuple[str, ...]:
    """Return all messages of the user as one query, in their order.

    The query has every subject of the conversation, and in a long one more words than a search reads.
    """
    return _joined(_user_messages(turns))


def _user_messages(turns: Sequence[Turn]) -> list[str]:
    return [turn.text for turn in turns if turn.speaker is Speaker.USER]


def _joined(messages: Sequence[str]) -> tuple[str, ...]:
    """Return one query; none where the user has not written yet."""
    return (_SEPARATOR.join(messages),) if messages else ()
