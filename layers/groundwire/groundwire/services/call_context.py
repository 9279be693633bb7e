"""One call on its way through the services: who asks, and what the audit line will say of it."""

from dataclasses import dataclass, field

from groundwire.domain.keys.caller import Caller


@dataclass(frozen=True, slots=True)
class CallContext:
    """A call that was admitted.

    Attributes:
        audit_fields: what the use case adds to the call's audit line; never document text, never secrets.
    """

    caller: Caller
    audit_fields: dict[str, object] = field(default_factory=dict[str, object])
