"""What an action came to."""

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class ActionResult:
    """An answer, and what the audit log keeps of it.

    Attributes:
        members: may hold a key's text. audit_facts: never do.
    """

    members: Mapping[str, object] = field(repr=False)
    audit_facts: Mapping[str, object]
