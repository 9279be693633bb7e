"""Results of the operator function's actions."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from groundwire.domain.audit.facts import AuditFacts

NEW_TAGS = "new_tags"
"""Member with which a command states that its person has confirmed new tags; an action cannot put questions."""


@dataclass(frozen=True, slots=True)
class ActionResult:
    """A response and the facts for the audit log.

    Attributes:
        members: members of the response; may hold a key's secret.
        audit_facts: fields of the audit record; never hold a secret.
        read_after_audit: returns further members. It may fail: the change is done, and in the audit log by then.
    """

    # A log or a traceback that shows the result must not show a key.
    members: Mapping[str, object] = field(repr=False)
    audit_facts: AuditFacts
    read_after_audit: Callable[[], Mapping[str, object]] = dict[str, object]
