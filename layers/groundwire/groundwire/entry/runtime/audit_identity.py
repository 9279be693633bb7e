"""Audit fields for the person behind a call."""

import hashlib
import json

from groundwire.domain.access.policy import Principal
from groundwire.domain.keys.caller import Caller


def principal_fields(principal: Principal) -> dict[str, object]:
    """Return the user and a hash of the tags, which matches calls with equal tags without naming a tag."""
    tags = json.dumps(sorted(principal.tags)).encode()
    return {"user": principal.user, "tags_hash": hashlib.sha256(tags).hexdigest()[:16]}


def caller_fields(caller: Caller) -> dict[str, object]:
    """Return the fields of the caller's principal, the number of ignored header tags, and the days left of the key.

    The number is left out where it is 0, and the days where the key does not expire soon. `user_by` is there where an
    access token named the user.
    """
    named = {"user_by": "token"} if caller.is_named_by_token else {}
    ignored = {"tags_ignored": caller.tags_ignored} if caller.tags_ignored else {}
    days = caller.key_expires_in_days
    expiry = {} if days is None else {"key_expires_in_days": days}
    return {**principal_fields(caller.principal), **named, **ignored, **expiry}
