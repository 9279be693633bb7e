"""Baselines of query planning: the query that a simple client, without a planner, sends for a conversation.

A planner is measured against them. Each is one query of the user's messages only: the assistant's messages are long,
and full of words that the user did not search for.
"""

from collections.abc import Sequence
from typing import Final

from groundwire.domain.search.conversation import Speaker, Turn

_SEPARATOR: Final = "\n"


def last_message(turns: Sequence[Turn]) -> tuple[str, ...]:
    """Return the last message of the user: the query of a client without a memory.

    A follow-up such as "and how long does it take?" does not name its subject.
    """
    return _as_query(_user_messages(turns)[-1:])


def last_two_messages(turns: Sequence[Turn]) -> tuple[str, ...]:
    """Return the last two messages of the user as one query, in their order.

    The subject of a short follow-up is mostly in the message before it; after a change of topic, that message misleads.
    """
    return _as_query(_user_messages(turns)[-2:])


def all_messages(turns: Sequence[Turn]) -> tuple[str, ...]:
    """Return all messages of the user as one query, in their order.

    The query has every subject of the conversation, and in a long one more words than a search reads.
    """
    return _as_query(_user_messages(turns))


def _user_messages(turns: Sequence[Turn]) -> list[str]:
    return [turn.text for turn in turns if turn.speaker is Speaker.USER]


def _as_query(messages: Sequence[str]) -> tuple[str, ...]:
    """Return the messages as one query; an empty tuple if the user has not written yet."""
    return (_SEPARATOR.join(messages),) if messages else ()
