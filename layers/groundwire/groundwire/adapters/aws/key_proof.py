"""Whether a key may be used at all: the same rule as a condition of DynamoDB, and in Python to say why not."""

import hmac
import os
from typing import TYPE_CHECKING, Final

from groundwire.adapters.aws.attribute_values import (
    blob,
    flag,
    number,
    optional_number,
    read_blob,
    read_flag,
)
from groundwire.domain.credentials import Refusal

if TYPE_CHECKING:
    from groundwire.adapters.aws.attribute_values import Item

IN_FORCE: Final = (
    "(digest = :digest OR (previous_digest = :digest AND previous_until > :moment))"
    " AND revoked = :false AND (attribute_not_exists(expires_at) OR expires_at > :moment)"
)
_NO_DIGEST: Final = os.urandom(32)
"""Compared where there is nothing to compare, so that an unknown key costs the same work as a wrong one."""


def proof(digest: bytes, now: float) -> "Item":
    """Values for `IN_FORCE`."""
    return {":digest": blob(digest), ":moment": number(now), ":false": flag(False)}


def refusal(item: "Item | None", digest: bytes, now: float) -> Refusal | None:
    """Why the key is not in force, None when it is.

    The secret is judged before anything else, so that only somebody who holds it can cause another answer.
    """
    proven = _proven(item or {}, digest, now)
    if item is None:
        return Refusal.UNKNOWN_KEY
    if not proven:
        return Refusal.WRONG_SECRET
    if read_flag(item, "revoked"):
        return Refusal.REVOKED
    expires_at = optional_number(item, "expires_at")
    return Refusal.EXPIRED if expires_at is not None and expires_at <= now else None


def _proven(item: "Item", digest: bytes, now: float) -> bool:
    until = optional_number(item, "previous_until")
    previous = read_blob(item, "previous_digest") if until is not None and until > now else b""
    is_current = hmac.compare_digest(read_blob(item, "digest") or _NO_DIGEST, digest)
    is_previous = hmac.compare_digest(previous or _NO_DIGEST, digest)
    return is_current or is_previous
