"""What a key is for: whom it speaks for, and how far it reaches."""

from enum import StrEnum
from typing import Final, Literal

EVERY: Final = "every"
"""Said aloud for a key that may reach every collection: an empty set means none."""

CollectionGrant = frozenset[str] | Literal["every"]


class KeyKind(StrEnum):
    """Whom a key speaks for: its own user, or the end user that each call names."""

    PERSONAL = "personal"
    ACT_AS = "act_as"
