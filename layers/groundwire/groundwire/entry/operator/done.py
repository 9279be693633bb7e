"""What an action came to."""

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Done:
    """An answer, and what the audit log keeps of it.

    Attributes:
        answer: may hold a key's text. facts: never do.
    """

    answer: Mapping[str, object] = field(repr=False)
    facts: Mapping[str, object]
