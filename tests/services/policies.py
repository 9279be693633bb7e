"""Policies in few words."""

from typing import Final

from groundwire.domain.access import NOBODY, Policy

PUBLIC: Final = Policy(public=True, users=frozenset(), any_tags=frozenset(), all_tags=frozenset())

__all__ = ["NOBODY", "PUBLIC", "for_users"]


def for_users(*users: str) -> Policy:
    """Only these."""
    return Policy(public=False, users=frozenset(users), any_tags=frozenset(), all_tags=frozenset())
