"""What every audit line says of the person behind a call."""

import hashlib
import json

from groundwire.domain.access.policy import Principal
from groundwire.domain.keys.caller import Caller


def principal_fields(principal: Principal) -> dict[str, object]:
    """User, and a hash of the tags: two calls with the same tags can be told to be so, without naming a tag."""
    tags = json.dumps(sorted(principal.tags)).encode()
    return {"user": principal.user, "tags_hash": hashlib.sha256(tags).hexdigest()[:16]}


def caller_fields(caller: Caller) -> dict[str, object]:
    """The person behind a call, and how many tags of the call's header were ignored, if any were."""
    ignored = {"tags_ignored": caller.tags_ignored} if caller.tags_ignored else {}
    return {**principal_fields(caller.principal), **ignored}
