"""Stored form of a document's readers: the field `policy`, which every release reads, and the field `ceiling`.

With a ceiling, `policy` has the narrowest single policy, so that an earlier release never shows more. The declared
policy and the ceiling are in `ceiling`, with the numbers of the record that they were written with. A release without
the field changes the record and leaves them: other numbers tell so.
"""

import json
from collections.abc import Mapping
from functools import lru_cache
from typing import Any, Final, NamedTuple

from groundwire.domain.access import policy_json
from groundwire.domain.access.decision import Decision, earlier_decision
from groundwire.domain.access.policy import Policy, narrowest_policy
from groundwire.domain.access.policy_source import Ceiling, PolicySource
from groundwire.domain.documents.record import Document

NO_FIELD: Final = ""
"""Value of the field where nothing has to be stored beside `policy`."""


class StoredReaders(NamedTuple):
    """Declared policy and ceiling of a record."""

    declared: Policy
    ceiling: Ceiling | None


def policy_text(document: Document) -> str:
    """Return the field `policy`: it admits nobody whom the document does not."""
    return policy_json.to_json(document.policy if document.ceiling is None else narrowest_policy(document.readers))


def ceiling_text(document: Document) -> str:
    """Return the field `ceiling`: empty where its absence means what the record has."""
    ceiling = document.ceiling
    is_manual = document.policy_source is PolicySource.MANUAL
    given_at = document.policy_overridden_at if is_manual else 0.0
    if ceiling == _ceiling_without_field(document.policy, given_at):
        return NO_FIELD
    decision = None if ceiling is None else ceiling.decision
    members = {
        "policy_version": document.policy_version,
        "given_at": document.policy_overridden_at,
        "declared": policy_json.to_json(document.policy),
        "ceiling": None if ceiling is None else policy_json.to_json(ceiling.policy),
        "by": decision and decision.decided_by,
        "at": decision and decision.decided_at,
        "key": decision and decision.decided_key,
        "reason": decision and decision.decision_reason,
        **({"own": True} if ceiling is not None and ceiling.is_own else {}),
    }
    return json.dumps(members, ensure_ascii=False, separators=(",", ":"))


def readers_of(stored: Mapping[str, Any]) -> StoredReaders:
    """Return declared policy and ceiling of a record's stored fields.

    A manual policy of an earlier release is a person's decision: it is the ceiling as well as the declared policy.
    """
    policy = policy_json.from_json(stored["policy"])
    given_at = 0.0 if stored["policy_from_files"] else stored["policy_given_at"]
    if not stored["ceiling"]:
        # A search reads up to a hundred records, and a person decided about few of them.
        return StoredReaders(policy, _ceiling_without_field(policy, given_at) if given_at > 0 else None)
    written_with, readers = _decoded(stored["ceiling"])
    if written_with == (stored["policy_version"], stored["policy_given_at"]):
        return readers
    if given_at > 0 and given_at != written_with[1]:
        return StoredReaders(policy, _ceiling_without_field(policy, given_at))
    return StoredReaders(policy, readers.ceiling)


def _ceiling_without_field(policy: Policy, given_at: float) -> Ceiling | None:
    return Ceiling(policy, earlier_decision(given_at)) if given_at > 0 else None


@lru_cache(maxsize=1024)
def _decoded(text: str) -> tuple[tuple[int, float], StoredReaders]:
    """Return the numbers of the record that the field was written with, and the readers in it."""
    members = json.loads(text)
    declared = policy_json.from_json(members["declared"])
    written_with = int(members["policy_version"]), float(members["given_at"])
    if members["ceiling"] is None:
        return written_with, StoredReaders(declared, None)
    decision = Decision(members["by"], members["at"], members["key"], members["reason"])
    limit = Ceiling(policy_json.from_json(members["ceiling"]), decision, is_own=members.get("own", False))
    return written_with, StoredReaders(declared, limit)
