"""Results of the operator function's actions."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from groundwire.domain.audit.facts import AuditFacts


@dataclass(frozen=True, slots=True)
class ActionResult:
    """A response and the facts for the audit log.

    Attributes:
        members: members of the response; may hold a key's secret.
        audit_facts: fields of the audit record; never hold a secret.
    """

    # A log or a traceback that shows the result must not show a key.
    members: Mapping[str, object] = field(repr=False)
    audit_facts: AuditFacts
