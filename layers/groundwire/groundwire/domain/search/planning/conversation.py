"""Turns of a conversation between a user and an assistant."""

from enum import StrEnum
from typing import NamedTuple


class Speaker(StrEnum):
    """Speakers of a conversation."""

    USER = "user"
    ASSISTANT = "assistant"


class Turn(NamedTuple):
    """One message of a conversation."""

    speaker: Speaker
    text: str
