"""Lists and policies as JSON text in columns."""

import json
from collections.abc import Iterable
from functools import lru_cache

from groundwire.domain.access import policy_json
from groundwire.domain.access.policy import Policy


def from_set(items: Iterable[str]) -> str:
    """Sorted, so that equal sets are equal text."""
    return _text(sorted(items))


def from_tuple(items: tuple[str, ...]) -> str:
    """In the order given."""
    return _text(items)


@lru_cache(maxsize=4096)
def to_tuple(text: str) -> tuple[str, ...]:
    """What `from_tuple` wrote."""
    return tuple(json.loads(text))


@lru_cache(maxsize=4096)
def to_set(text: str) -> frozenset[str]:
    """What `from_set` wrote."""
    return frozenset(json.loads(text))


def from_policy(policy: Policy) -> str:
    """All four fields, none implied."""
    return policy_json.to_json(policy)


@lru_cache(maxsize=4096)
def to_policy(text: str) -> Policy:
    """What `from_policy` wrote."""
    return policy_json.from_json(text)


def _text(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
