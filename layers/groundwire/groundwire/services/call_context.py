"""Context of one call in the services: its caller, and the fields of its audit line."""

from typing import TYPE_CHECKING

from groundwire.domain.audit.facts import AuditFacts

if TYPE_CHECKING:
    from groundwire.domain.keys.caller import Caller


class CallContext:
    """Context of an admitted call.

    Attributes:
        audit_fields: fields that the use case adds to the call's audit line; never document text, never secrets.
    """

    __slots__ = ("audit_fields", "caller")

    def __init__(self, caller: "Caller", audit_fields: AuditFacts | None = None) -> None:
        self.caller = caller
        self.audit_fields = AuditFacts() if audit_fields is None else audit_fields
