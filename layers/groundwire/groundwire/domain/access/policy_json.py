"""A policy as text: canonical, so that equal policies are equal text."""

import json
from functools import lru_cache

from groundwire.domain.access.policy import Policy


def to_json(policy: Policy) -> str:
    """All four fields, none implied, each list sorted."""
    held = {
        "public": policy.public,
        "users": sorted(policy.users),
        "any_tags": sorted(policy.any_tags),
        "all_tags": sorted(policy.all_tags),
    }
    return json.dumps(held, ensure_ascii=False, separators=(",", ":"))


@lru_cache(maxsize=4096)
def from_json(text: str) -> Policy:
    """What `to_json` wrote; equal policies are one object, as many documents share a few."""
    held = json.loads(text)
    return Policy(
        public=held["public"] is True,
        users=frozenset(held["users"]),
        any_tags=frozenset(held["any_tags"]),
        all_tags=frozenset(held["all_tags"]),
    )
