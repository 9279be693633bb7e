"""Conversation of a user and an assistant, as the rules read it."""

from enum import StrEnum
from typing import NamedTuple


class Speaker(StrEnum):
    """Author of a message."""

    USER = "user"
    ASSISTANT = "assistant"


class Turn(NamedTuple):
    """Message of a conversation."""

    speaker: Speaker
    text: str
