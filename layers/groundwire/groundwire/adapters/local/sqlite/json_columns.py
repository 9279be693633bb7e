"""Lists and policies as JSON text in columns."""

import json
from collections.abc import Iterable
from functools import lru_cache

from groundwire.domain.access import policy_json
from groundwire.domain.access.policy import Policy


def from_set(items: Iterable[str]) -> str:
    """Write a set, sorted, so that equal sets are equal text."""
    return _text(sorted(items))


def from_tuple(items: tuple[str, ...]) -> str:
    """Write a tuple, in its order."""
    return _text(items)


@lru_cache(maxsize=4096)
def to_tuple(text: str) -> tuple[str, ...]:
    """Read what `from_tuple` wrote."""
    return tuple(json.loads(text))


@lru_cache(maxsize=4096)
def to_set(text: str) -> frozenset[str]:
    """Read what `from_set` wrote."""
    return frozenset(json.loads(text))


def from_policy(policy: Policy) -> str:
    """Write all four fields of a policy, none implied."""
    return policy_json.to_json(policy)


@lru_cache(maxsize=4096)
def to_policy(text: str) -> Policy:
    """Read what `from_policy` wrote."""
    return policy_json.from_json(text)


def _text(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
