"""A policy as people spell it, checked once on its way in: what is stored can be compared without a second look."""

from collections.abc import Iterable

from groundwire.domain.access import Policy
from groundwire.domain.errors import Invalid
from groundwire.domain.limits import MAX_TAGS_PER_POLICY, MAX_USERS_PER_POLICY
from groundwire.domain.tags import parse_tag, parse_user


def spelled_policy(*, public: bool, users: Iterable[str], any_tags: Iterable[str], all_tags: Iterable[str]) -> Policy:
    """The policy of these names, each in its compared form.

    Raises:
        Invalid: a name that cannot be one, or too many of them.
    """
    policy = Policy(
        public=public,
        users=frozenset(parse_user(user) for user in users),
        any_tags=tag_set(any_tags),
        all_tags=tag_set(all_tags),
    )
    if len(policy.users) > MAX_USERS_PER_POLICY:
        raise Invalid(f"A policy names at most {MAX_USERS_PER_POLICY} users: give them a tag in common instead.")
    if max(len(policy.any_tags), len(policy.all_tags)) > MAX_TAGS_PER_POLICY:
        raise Invalid(f"A policy has at most {MAX_TAGS_PER_POLICY} tags of each kind.")
    return policy


def tag_set(tags: Iterable[str]) -> frozenset[str]:
    """The tags in their compared form; Raises Invalid."""
    return frozenset(parse_tag(tag) for tag in tags)
