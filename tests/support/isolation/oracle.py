"""Who may read, a second time: written from the design's prose, sharing no code with `decide()`.

"Readable when public within the tenant, or the user is named, or the session holds one of `any_tags` (if any
are set) and every one of `all_tags` (if any are set), with at least one of the two lists set. Empty: nobody."
"""

from collections.abc import Collection

from groundwire.domain.access.policy import Policy


def may_read(user: str | None, tags: Collection[str], policy: Policy) -> bool:
    """Return whether a session of `user` with `tags` may read a document with this `policy`."""
    named = user is not None and any(user == one for one in policy.users)
    lists_set = len(policy.any_tags) + len(policy.all_tags) > 0
    holds_one = len(policy.any_tags) == 0 or any(tag in tags for tag in policy.any_tags)
    holds_every = all(tag in tags for tag in policy.all_tags)
    return policy.public or named or (lists_set and holds_one and holds_every)


def may_read_within(user: str | None, tags: Collection[str], policy: Policy, ceiling: Policy | None) -> bool:
    """Return whether such a session may read a document with this declared policy and this ceiling: it needs both."""
    return may_read(user, tags, policy) and (ceiling is None or may_read(user, tags, ceiling))
