"""What a key is for: whom it speaks for, and how far it reaches."""

from enum import StrEnum
from typing import Final, Literal

ALL_COLLECTIONS: Final = "every"
"""Said aloud for a key that may reach every collection: an empty set means none."""

CollectionGrant = frozenset[str] | Literal["every"]


class KeyKind(StrEnum):
    """Whom a key speaks for: its own user, the end user that each call names, or whomever each call's token names.

    A key of the kind `OAUTH` has no secret and is never sent: it bounds what a tenant's people reach by the
    tokens of their identity provider.
    """

    PERSONAL = "personal"
    ACT_AS = "act_as"
    OAUTH = "oauth"


class TagSource(StrEnum):
    """Where the tags of a call came from: its tag header, the user's entry, the key itself, or the access token."""

    CALL = "call"
    ENTRY = "entry"
    KEY = "key"
    TOKEN = "token"  # noqa: S105
