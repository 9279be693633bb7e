"""Parser of a policy that a person wrote, and the same form of a stored policy.

It normalises and checks each name once, so that stored policies are compared exactly.
"""

from collections.abc import Iterable
from typing import Final, cast

from groundwire.domain.access.policy import Policy
from groundwire.domain.access.tags import parse_tag, parse_user
from groundwire.domain.errors import InvalidInput
from groundwire.domain.limits import MAX_TAGS_PER_POLICY, MAX_USERS_PER_POLICY
from groundwire.domain.text.json_values import is_text_list

_FIELDS: Final = {"public", "users", "any_tags", "all_tags"}


def parse_policy(*, public: bool, users: Iterable[str], any_tags: Iterable[str], all_tags: Iterable[str]) -> Policy:
    """Return the policy with these names, each normalised for exact comparison.

    Raises:
        InvalidInput: a name is not valid, or there are too many names.
    """
    policy = Policy(
        public=public,
        users=frozenset(parse_user(user) for user in users),
        any_tags=parse_tags(any_tags),
        all_tags=parse_tags(all_tags),
    )
    if len(policy.users) > MAX_USERS_PER_POLICY:
        raise InvalidInput(f"A policy can name at most {MAX_USERS_PER_POLICY} users: give them a common tag instead.")
    if max(len(policy.any_tags), len(policy.all_tags)) > MAX_TAGS_PER_POLICY:
        raise InvalidInput(f"A policy can have at most {MAX_TAGS_PER_POLICY} tags of each kind.")
    return policy


def parse_tags(tags: Iterable[str]) -> frozenset[str]:
    """Return the tags, each normalised for exact comparison.

    Raises:
        InvalidInput: a tag is not valid.
    """
    return frozenset(parse_tag(tag) for tag in tags)


def policy_from_mapping(loaded: object, source_name: str) -> Policy:
    """Return the policy of a decoded policy file; an empty file admits nobody.

    Raises:
        InvalidInput: an unknown field or a value that is not valid; the message begins with `source_name`.
    """
    if loaded is None:
        loaded = {}
    if not isinstance(loaded, dict):
        raise InvalidInput(f"{source_name} must have fields, which can be {', '.join(sorted(_FIELDS))}.")
    fields = cast("dict[object, object]", loaded)
    if unknown := [str(name) for name in fields if name not in _FIELDS]:
        raise InvalidInput(f"{source_name}: unknown field {unknown[0]!r}; the fields are {', '.join(sorted(_FIELDS))}.")
    public = fields.get("public", False)
    # A quoted "no" is a text, which is true in Python and would open the document to the tenant.
    if not isinstance(public, bool):
        raise InvalidInput(f"{source_name}: public must be true or false.")
    return parse_policy(
        public=public,
        users=_string_list(fields, "users", source_name),
        any_tags=_string_list(fields, "any_tags", source_name),
        all_tags=_string_list(fields, "all_tags", source_name),
    )


def policy_to_mapping(policy: Policy) -> dict[str, object]:
    """Return a policy in the form of policy files, requests and answers, its names in order."""
    return {
        "public": policy.public,
        "users": sorted(policy.users),
        "any_tags": sorted(policy.any_tags),
        "all_tags": sorted(policy.all_tags),
    }


def _string_list(fields: dict[object, object], name: str, source_name: str) -> list[str]:
    value = fields.get(name, [])
    if not is_text_list(value):
        raise InvalidInput(f"{source_name}: {name} must be a list of strings, each in quotes.")
    return value
