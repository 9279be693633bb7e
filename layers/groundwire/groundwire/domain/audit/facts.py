"""Members of an audit line that a call, an action or a use case adds; the names are stored and never change."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, TypedDict

if TYPE_CHECKING:
    from groundwire.domain.access.policy import Policy, Readers

PolicyMembers = Mapping[str, object]
"""Policy in the form of policy files, its names in order."""


class PersonFacts(TypedDict):
    """Person on whose behalf something was done.

    Attributes:
        user: None where nobody was named.
        tags_hash: hash of the tags that counted; equal tags have equal hashes.
    """

    user: str | None
    tags_hash: str


class AuditFacts(TypedDict, total=False):
    """Members of a line; each is left out where it does not apply.

    Attributes:
        user, tags_hash: as in `PersonFacts`.
        documents: `<id>@<policy version>` of each document that was answered or changed.
        decision_reason: why a person decided so, in that person's words.
        extent: what a deletion holds back, a value of `DeletionExtent`.
        policy_before, policy_after: readers of a document whose policy was changed.
        ceiling: limit beside the declared policies of an ingestion.
        ceiling_before, ceiling_after: limits beside them, where no single policy states the readers.
        key: key that the call made, changed or asked about; `kid` is the key of an operator's action.
        key_before, key_after: members of a key that was changed.
        entry: user or group whose entry was read or changed, or whose access was asked about.
        as_user, as_tags_hash, as_key: person of a search by an administrator, and the key of the person, if named.
        blocked, unblocked: users whose block a person set or ended. revoked: keys that were revoked with them.
        ingestion: run that somebody ended.
        evaluation: stored evaluation that was deleted.
        source: MCP source. sources: those that were deleted, or the calls that a search made.
        change: what became of the definition.
        problem: error of which the caller gets a part only.
        counts: numbers by what was counted.
        tag_before, tag_after: names of a renamed tag.
        before, model: names of the earlier and the present embedding model.
    """

    tenant: str
    kid: str
    user: str | None
    tags_hash: str
    request_id: str
    outcome: str
    reason: str
    documents: Sequence[str]
    decision_reason: str
    extent: str
    policy_before: PolicyMembers
    policy_after: PolicyMembers
    ceiling: PolicyMembers
    ceiling_before: PolicyMembers
    ceiling_after: PolicyMembers
    collection: str
    key: str
    key_before: Mapping[str, object]
    key_after: Mapping[str, object]
    entry: str
    as_user: str | None
    as_tags_hash: str
    as_key: str
    blocked: Sequence[str]
    unblocked: Sequence[str]
    revoked: Sequence[str]
    ticket: str
    definition: str
    change: str
    ingestion: str
    evaluation: str
    source: str
    source_tool: str
    source_sent_bytes: int
    source_received_bytes: int
    sources: Sequence[str] | Sequence[Mapping[str, object]]
    phrases: int
    segments: int
    pictures: int
    collections: int
    subqueries: int
    has_access: bool
    degraded: bool
    below_floor: bool
    acl_mismatch: int
    problem: str
    counts: Mapping[str, int]
    deleted: Mapping[str, int]
    tenants: int
    questions: int
    conversations: int
    files: int
    bytes: int
    bytes_before: int
    bytes_after: int
    written: int
    kept: int
    present: int
    unknown: int
    before: str
    model: str
    tag_before: str
    tag_after: str
    dimension: int
    embedded: int
    seconds: float
    state: str
    done: int
    total: int


def readers_change(before: "Readers", after: "Readers") -> AuditFacts:
    """Return the members that name the readers of a document before and after a change; none where they are the same.

    Where no single policy states them, the ceiling is named as well, and a reader needs both.
    """
    # Not before: most lines name no policy.
    from groundwire.domain.access.policy import simplest_readers
    from groundwire.domain.access.policy_input import policy_to_mapping

    old, new = simplest_readers(before), simplest_readers(after)
    if old == new:
        return {}
    facts: AuditFacts = {
        "policy_before": policy_to_mapping(old.declared),
        "policy_after": policy_to_mapping(new.declared),
    }
    if old.ceiling is not None:
        facts["ceiling_before"] = policy_to_mapping(old.ceiling)
    if new.ceiling is not None:
        facts["ceiling_after"] = policy_to_mapping(new.ceiling)
    return facts


def policy_change(before: "Policy", after: "Policy", ceiling: "Policy | None" = None) -> AuditFacts:
    """Return the members that name an old and a new declared policy; none where they are the same.

    The present ceiling beside them is named as well: a wider policy could else be taken for further readers.
    """
    if before == after:
        return {}
    # Not before: most lines name no policy.
    from groundwire.domain.access.policy_input import policy_to_mapping

    facts: AuditFacts = {"policy_before": policy_to_mapping(before), "policy_after": policy_to_mapping(after)}
    return facts if ceiling is None else {**facts, "ceiling": policy_to_mapping(ceiling)}
