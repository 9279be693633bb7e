"""JSON of the decision on an access token, and of groups with their tags."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from groundwire.domain.access.groups import GroupDecision
    from groundwire.services.keys.token_authorizer import TokenDecision


def group_to_json(group: str, tags: "Iterable[str]") -> dict[str, object]:
    """Return a group with its tags."""
    return {"group": group, "tags": sorted(tags)}


def token_decision_to_json(decided: "TokenDecision") -> dict[str, object]:
    """Return the decision on a token and its groups, without the token."""
    decision, identity, tags = decided.decision, decided.identity, decided.tags
    caller = decision.caller
    return {
        "admitted": caller is not None,
        "reason": decision.reason.value,
        "claim": None if decided.defect is None else decided.defect._asdict(),
        "tenant": None if identity is None else identity.tenant,
        "user": None if identity is None else identity.user,
        "kid": decision.kid,
        "max_tags": list(decided.max_tags),
        "scopes": [] if caller is None else sorted(caller.scopes),
        "tags": [] if caller is None else sorted(caller.principal.tags),
        "tags_ignored": 0 if tags is None else tags.ignored,
        "groups": [] if tags is None else [_group_decision(each) for each in tags.decisions],
    }


def _group_decision(decision: "GroupDecision") -> dict[str, object]:
    return {
        "group": decision.group,
        "tag": decision.tag,
        "mapped_by": decision.mapped_by,
        "outcome": decision.outcome,
    }
