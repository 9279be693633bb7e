"""Canonical JSON of a policy, and of a document's readers: equal ones are equal text."""

import hashlib
import json
from collections.abc import Mapping
from functools import lru_cache
from typing import Any, Final

from groundwire.domain.access.policy import Policy, Readers, narrowest_policy

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
    return _policy(json.loads(text))


def readers_to_json(readers: Readers) -> str:
    """Encode the readers: without a ceiling as the declared policy.

    With a ceiling, the text has both, and the fields of a policy are those of the narrowest one: an earlier release
    reads these alone.
    """
    if readers.ceiling is None:
        return to_json(readers.declared)
    narrowest = to_json(narrowest_policy(readers))
    return f'{narrowest[:-1]},"declared":{to_json(readers.declared)},"ceiling":{to_json(readers.ceiling)}}}'


@lru_cache(maxsize=4096)
def readers_from_json(text: str) -> Readers:
    """Decode the text that `readers_to_json` or `to_json` wrote; equal texts give one shared object."""
    members = json.loads(text)
    if "ceiling" not in members:
        return Readers(from_json(text), None)
    return Readers(_policy(members["declared"]), _policy(members["ceiling"]))


def digest(readers: Readers) -> str:
    """Return a short SHA-256 of the readers: equal readers have equal digests."""
    # JSON can hold a lone surrogate in a name, which plain UTF-8 refuses.
    return hashlib.sha256(readers_to_json(readers).encode("utf-8", "surrogatepass")).hexdigest()[:_DIGEST_CHARACTERS]


def _policy(members: Mapping[str, Any]) -> Policy:
    return Policy(
        # Any other value of a damaged row hides the document instead of revealing it.
        public=members["public"] is True,
        users=frozenset(members["users"]),
        any_tags=frozenset(members["any_tags"]),
        all_tags=frozenset(members["all_tags"]),
    )
