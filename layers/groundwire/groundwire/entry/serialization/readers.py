"""JSON and one line of a document's readers: declared policy and ceiling, the same for REST and command line."""

from collections.abc import Mapping
from typing import Final, cast

from groundwire.domain.access.decision import earlier_decision
from groundwire.domain.access.policy import Policy, Readers, simplest_readers
from groundwire.domain.access.policy_input import policy_from_mapping, policy_to_mapping
from groundwire.domain.access.policy_source import Ceiling, PolicySource, SourcedPolicy
from groundwire.entry.serialization.stored_members import format_utc

_ANSWER: Final = "The service's answer"


def describe_policy(policy: Policy) -> str:
    """Return the readers of a policy in one line."""
    if policy.public:
        return "every user of the tenant"
    parts = [("users " if len(policy.users) > 1 else "user ") + ", ".join(sorted(policy.users))] if policy.users else []
    rules: list[str] = []
    if policy.any_tags:
        rules.append("one of " + ", ".join(sorted(policy.any_tags)))
    if policy.all_tags:
        rules.append("all of " + ", ".join(sorted(policy.all_tags)))
    if rules:
        parts.append("holders of " + " and ".join(rules))
    return "; ".join(parts) or "nobody"


def describe_readers(readers: Readers) -> str:
    """Return the readers of a document in one line."""
    declared = describe_policy(readers.declared)
    # A ceiling that equals the declared policy changes nothing, and would be read as a second condition.
    if readers.ceiling is None or readers.ceiling == readers.declared:
        return declared
    return f"{declared}; at most {describe_policy(readers.ceiling)}"


def stated_policy(readers: Readers | None) -> dict[str, object] | None:
    """Return the one policy that names exactly these readers; None where they need two, or nothing can be read."""
    if readers is None:
        return None
    stated = simplest_readers(readers)
    return policy_to_mapping(stated.declared) if stated.ceiling is None else None


def ceiling_to_json(ceiling: Ceiling | None) -> dict[str, object] | None:
    """Return a ceiling with the decision of the person who set it; None without one."""
    if ceiling is None:
        return None
    decision = ceiling.decision
    return {
        "policy": policy_to_mapping(ceiling.policy),
        "decided_by": decision.decided_by or None,
        "decided_at": format_utc(decision.decided_at),
        "decided_key": decision.decided_key or None,
        "decision_reason": decision.decision_reason or None,
    }


def readers_from_json(document: Mapping[str, object]) -> Readers:
    """Return the readers of a document that a service returned."""
    return sourced_policy_from_json(document).readers


def sourced_policy_from_json(document: Mapping[str, object]) -> SourcedPolicy:
    """Return declared policy and ceiling of a document that a service returned; an earlier release has no ceiling."""
    source = PolicySource(str(document.get("policy_source", PolicySource.UNKNOWN.value)))
    ceiling = cast("Mapping[str, object] | None", document.get("ceiling"))
    limit = None if ceiling is None else Ceiling(policy_from_mapping(ceiling["policy"], _ANSWER), earlier_decision(0.0))
    return SourcedPolicy(policy_from_mapping(document["policy"], _ANSWER), source, 0.0, limit)
