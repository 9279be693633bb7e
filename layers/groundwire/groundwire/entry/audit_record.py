"""What every audit line says of the person behind a call."""

import hashlib
import json

from groundwire.domain.access import Principal


def who(principal: Principal) -> dict[str, object]:
    """User, and a hash of the tags: two calls with the same tags can be told to be so, without naming a tag."""
    tags = json.dumps(sorted(principal.tags)).encode()
    return {"user": principal.user, "tags_hash": hashlib.sha256(tags).hexdigest()[:16]}
