"""Canonical JSON of a policy: equal policies are equal text."""

import hashlib
import json
from functools import lru_cache
from typing import Final

from groundwire.domain.access.policy import Policy

_DIGEST_CHARACTERS: Final = 16


def to_json(policy: Policy) -> str:
    """Encode all four fields, with each list sorted."""
    members = {
        "public": policy.public,
        "users": sorted(policy.users),
        "any_tags": sorted(policy.any_tags),
        "all_tags": sorted(policy.all_tags),
    }
    return json.dumps(members, ensure_ascii=False, separators=(",", ":"))


@lru_cache(maxsize=4096)
def from_json(text: str) -> Policy:
    """Decode the text that `to_json` wrote; equal texts give one shared object.

    Many documents have the same policy, so the cache saves time and memory.
    """
    members = json.loads(text)
    return Policy(
        # Any other value of a damaged row closes the document instead of opening it.
        public=members["public"] is True,
        users=frozenset(members["users"]),
        any_tags=frozenset(members["any_tags"]),
        all_tags=frozenset(members["all_tags"]),
    )


def digest(policy: Policy) -> str:
    """Return a short SHA-256 of the policy: equal policies have equal digests."""
    # JSON can hold a lone surrogate in a name, which plain UTF-8 refuses.
    return hashlib.sha256(to_json(policy).encode("utf-8", "surrogatepass")).hexdigest()[:_DIGEST_CHARACTERS]
