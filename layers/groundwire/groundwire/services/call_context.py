"""Context of one call in the services: its caller, and the fields of its audit line."""

from dataclasses import dataclass, field

from groundwire.domain.audit.facts import AuditFacts
from groundwire.domain.keys.caller import Caller


@dataclass(frozen=True, slots=True)
class CallContext:
    """Context of an admitted call.

    Attributes:
        audit_fields: fields that the use case adds to the call's audit line; never document text, never secrets.
    """

    caller: Caller
    audit_fields: AuditFacts = field(default_factory=AuditFacts)
