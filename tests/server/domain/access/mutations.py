"""Mutations of the code of the access rule, each of which breaks one lemma."""

from collections.abc import Sequence
from typing import Final

from tests.server.domain.access.loaded_code import Mutation

_TAGS_MATCH: Final = "if lacks_any or not policy.all_tags <= principal.tags:"
_BOTH: Final = "if decision and not decide(principal, single_policy(ceiling)):"
_EMPTY: Final = "if not policy.any_tags and not policy.all_tags:"
_NAMED: Final = "if principal.user is not None and principal.user in policy.users:"
_PUBLIC: Final = "    if policy.public:\n        return Allow(AccessReason.PUBLIC)"
_DISJOINT: Final = "bool(policy.any_tags) and policy.any_tags.isdisjoint(principal.tags)"

MUTATIONS: Final[Sequence[tuple[str, Mutation]]] = [
    (
        "decide is the documented rule",
        Mutation("policy", _DISJOINT, "bool(policy.any_tags) and not policy.any_tags <= principal.tags"),
    ),
    (
        "a reader needs policy and ceiling",
        Mutation("policy", _BOTH, "if decision and ceiling.users and not decide(principal, single_policy(ceiling)):"),
    ),
    (
        "nobody reads by an empty policy",
        Mutation("policy", _EMPTY, "if policy.users and not policy.any_tags and not policy.all_tags:"),
    ),
    (
        "more tags never take a right",
        Mutation("policy", _TAGS_MATCH, "if lacks_any or not policy.all_tags == principal.tags:"),
    ),
    (
        "a user name never takes a right",
        Mutation(
            "policy",
            _PUBLIC,
            "    if policy.public and principal.user is None:\n        return Allow(AccessReason.PUBLIC)",
        ),
    ),
    (
        "more named users never take a right",
        Mutation(
            "policy", _PUBLIC, "    if policy.public and not policy.users:\n        return Allow(AccessReason.PUBLIC)"
        ),
    ),
    (
        "a removed user keeps no right by name",
        Mutation("policy", _NAMED, "if principal.user is not None and policy.users:"),
    ),
    (
        "a removed user changes nothing for others",
        Mutation("policy", _EMPTY, "if not policy.any_tags and not policy.all_tags and not policy.users:"),
    ),
    ("a tag taken from a person takes what needs it", Mutation("policy", _TAGS_MATCH, "if lacks_any:")),
    (
        "a tag removed from any tags adds nobody",
        Mutation("policy", _DISJOINT, "not policy.any_tags <= principal.tags"),
    ),
    (
        "a further required tag adds nobody",
        Mutation("policy", _TAGS_MATCH, "if lacks_any or not policy.all_tags >= principal.tags:"),
    ),
    (
        "tags that no policy names decide nothing",
        Mutation(
            "policy", _PUBLIC, "    if policy.public and principal.tags:\n        return Allow(AccessReason.PUBLIC)"
        ),
    ),
    (
        "ceiling and declared policy commute",
        Mutation("policy", _BOTH, "if decision and declared.users and not decide(principal, single_policy(ceiling)):"),
    ),
    (
        "a ceiling adds nobody",
        Mutation(
            "policy",
            "(AccessReason.CEILING)\n    return decision",
            "(AccessReason.CEILING)\n    return decision or decide(principal, single_policy(ceiling))",
        ),
    ),
    (
        "nobody reads beyond a ceiling",
        Mutation(
            "policy",
            _BOTH,
            "if decision and not declared.public and not decide(principal, single_policy(ceiling)):",
        ),
    ),
    (
        "nobody reads a closed document",
        Mutation(
            "policy",
            "if readers.ceiling is not None:\n        return",
            "if readers.ceiling is not None and readers.ceiling != NO_READERS:\n        return",
        ),
    ),
    (
        "every reader has the rights of a minimal one",
        Mutation("policy", "if policy.all_tags and not policy.any_tags:", "if policy.all_tags and policy.users:"),
    ),
    (
        "every minimal reader reads",
        Mutation(
            "policy", "yield _principal(None, policy.all_tags | {tag})", "yield _principal(None, policy.all_tags)"
        ),
    ),
    (
        "the largest principal without a tag decides for all",
        Mutation("required_tag", "(policy.any_tags | policy.all_tags) - {tag}", "policy.any_tags - {tag}"),
    ),
    (
        "the largest principal without a tag decides for all",
        Mutation("required_tag", "min(policy.users, default=None)", "None"),
    ),
    ("the largest principal without a tag lacks it", Mutation("required_tag", ") - {tag})", "))")),
    (
        "readers of a policy within own rights share a right",
        Mutation("sharing", "policy.any_tags | policy.all_tags <= principal.tags", "policy.any_tags <= principal.tags"),
    ),
    (
        "readers of a policy within own rights share a right",
        Mutation("sharing", "not policy.public and policy.users <= own", "policy.users <= own"),
    ),
    (
        "no key reaches a collection beyond its maker",
        Mutation(
            "sharing",
            "(requested != ALL_COLLECTIONS and requested <= caller.collections)",
            "(requested == ALL_COLLECTIONS or requested <= caller.collections)",
        ),
    ),
    (
        "no call for a blocked user is admitted",
        Mutation("authorizer", "if state.is_blocked:", "if state.is_blocked and key.user is None:"),
    ),
    ("no tag counts beyond a bound", Mutation("tags", "else tag == entry:", "else tag.startswith(entry):")),
    (
        "no reserved tag counts",
        Mutation("tags", "    if is_reserved(tag):\n        return False\n    # A generator", "    # A generator"),
    ),
    (
        "fewer entries never let more tags count",
        Mutation("tags", "    for entry in max_tags:", "    for entry in list(max_tags)[:1]:"),
    ),
]
"""Lemma and mutation."""
