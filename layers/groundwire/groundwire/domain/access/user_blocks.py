"""Blocks of users: a blocked user is refused on every use of a right, whatever key or token names the user."""

import unicodedata
from dataclasses import dataclass
from typing import Final

from groundwire.domain.access.decision import Decision
from groundwire.stored.fields import REQUIRED, field
from groundwire.stored.kinds import MOMENT, TEXT
from groundwire.stored.stored_type import StoredPart, StoredType


@dataclass(frozen=True, slots=True)
class UserBlock:
    """Block of a user by a person.

    Attributes:
        user: id as the person gave it, NFC.
        decision: who blocked the user, when and why.
    """

    user: str
    decision: Decision


@dataclass(frozen=True, slots=True)
class UserState:
    """Stored state of a user, read at once before a call is admitted and when a link is opened.

    Attributes:
        tags: stored tags; None without an entry, which differs from an entry without tags.
        is_blocked: the user is refused everything.
    """

    tags: frozenset[str] | None
    is_blocked: bool


NO_USER_STATE: Final = UserState(None, is_blocked=False)
"""State of a call that names no user: nothing is stored for it, and nothing can be blocked."""


# Providers and agents spell one address in several ways, and a block must stop them all. Policies stay exact: there
# a second spelling would widen a right.
def block_key(user: str) -> str:
    """Return the form in which blocked ids are compared: two ids of one key are blocked together."""
    folded = unicodedata.normalize("NFKC", user).casefold()
    # Folding takes some letters apart, such as a Greek one with two marks (Unicode Standard, 3.13, "NFKC_Casefold").
    return unicodedata.normalize("NFKC", folded)


STORED_BLOCK: Final = StoredType(
    UserBlock,
    field("user", TEXT, absent=REQUIRED, item_as="blocked_user"),
    StoredPart(
        "decision",
        StoredType(
            Decision,
            field("decided_by", TEXT, absent=REQUIRED),
            field("decided_at", MOMENT, absent=REQUIRED),
            field("decided_key", TEXT, absent=REQUIRED),
            field("decision_reason", TEXT, absent=REQUIRED),
        ),
    ),
)
"""Fields of a block; its key in a store is made of `block_key`."""
