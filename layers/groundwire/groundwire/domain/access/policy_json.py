"""Canonical JSON of a policy: equal policies are equal text."""

import json
from functools import lru_cache

from groundwire.domain.access.policy import Policy


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
        public=members["public"] is True,
        users=frozenset(members["users"]),
        any_tags=frozenset(members["any_tags"]),
        all_tags=frozenset(members["all_tags"]),
    )
