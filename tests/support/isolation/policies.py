"""Policies in few words."""

from typing import Final

from groundwire.domain.access.policy import NO_READERS, Policy

PUBLIC: Final = Policy(public=True, users=frozenset(), any_tags=frozenset(), all_tags=frozenset())

__all__ = ["NO_READERS", "PUBLIC", "for_tags", "for_users"]


def for_users(*users: str) -> Policy:
    """Only these."""
    return Policy(public=False, users=frozenset(users), any_tags=frozenset(), all_tags=frozenset())


def for_tags(*tags: str) -> Policy:
    """Everybody with one of these."""
    return Policy(public=False, users=frozenset(), any_tags=frozenset(tags), all_tags=frozenset())
