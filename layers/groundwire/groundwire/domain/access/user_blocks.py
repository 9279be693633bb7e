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


_DEFAULT_IGNORABLE: Final = (
    (0x00AD, 0x00AD),
    (0x034F, 0x034F),
    (0x061C, 0x061C),
    (0x115F, 0x1160),
    (0x17B4, 0x17B5),
    (0x180B, 0x180F),
    (0x200B, 0x200F),
    (0x202A, 0x202E),
    (0x2060, 0x206F),
    (0x3164, 0x3164),
    (0xFE00, 0xFE0F),
    (0xFEFF, 0xFEFF),
    (0xFFA0, 0xFFA0),
    (0xFFF0, 0xFFF8),
    (0x1BCA0, 0x1BCA3),
    (0x1D173, 0x1D17A),
    (0xE0000, 0xE0FFF),
)
"""Characters that show nothing, by first and last: Default_Ignorable_Code_Point of Unicode's DerivedCoreProperties.txt.

It names joiners, soft hyphens, variation selectors and fillers, also those that no version of Unicode has assigned yet.
"""


# Providers and agents spell one address in several ways, and a block must stop them all. Policies stay exact: there
# a second spelling would widen a right.
def block_key(user: str) -> str:
    """Return the form in which blocked ids are compared: two ids of one key are blocked together."""
    if user.isascii():
        # A fast path with the result of the general rule: nearly all ids are ASCII.
        return user.lower()
    seen = "".join(letter for letter in visible_letters_key(user) if not _is_default_ignorable(letter))
    # A mark may now be beside another letter than before.
    return unicodedata.normalize("NFKC", seen)


def visible_letters_key(user: str) -> str:
    """Return the form of earlier releases, in which an invisible character makes another id."""
    folded = unicodedata.normalize("NFKC", user).casefold()
    # Folding takes some letters apart, such as a Greek one with two marks (Unicode Standard, 3.13, "NFKC_Casefold").
    return unicodedata.normalize("NFKC", folded)


def stored_block_keys(user: str) -> tuple[str, ...]:
    """Return the possible row keys of the user's block, the current form first.

    A block of an earlier release is stored under the earlier form, and must still hold. Nearly all ids have one key.
    """
    if user.isascii():
        return (user.lower(),)
    return tuple(dict.fromkeys((block_key(user), visible_letters_key(user))))


def _is_default_ignorable(letter: str) -> bool:
    return any(first <= ord(letter) <= last for first, last in _DEFAULT_IGNORABLE)


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
