"""Kinds of keys, the collections that a key covers, and sources of a call's tags."""

from enum import StrEnum
from typing import Final, Literal

from groundwire.stored.kinds import ValueKind, word_or_set

ALL_COLLECTIONS: Final = "every"
"""Explicit value of a key that covers all collections: an empty set means none."""

CollectionGrant = frozenset[str] | Literal["every"]
GRANT: Final[ValueKind[CollectionGrant]] = word_or_set(ALL_COLLECTIONS)
"""Kind of a stored grant of collections."""


class KeyKind(StrEnum):
    """Kind of a key, which decides the principal: the key's own user, the user in the headers, or the token's user.

    A key of the kind `OAUTH` has no secret and is never sent: it limits the rights of callers with access tokens of the
    tenant's identity provider.
    """

    PERSONAL = "personal"
    ACT_AS = "act_as"
    OAUTH = "oauth"


class TagSource(StrEnum):
    """Source of a call's tags: its tag header, the tags stored for the user, the key itself, or the access token."""

    CALL = "call"
    ENTRY = "entry"
    KEY = "key"
    TOKEN = "token"  # noqa: S105
