"""What a key may do: the scopes, and the one table that says which tool, method or route needs which.

Whatever has no row is refused, so a new one is closed until somebody decides.
"""

from enum import StrEnum
from typing import Final


class Scope(StrEnum):
    """A right of a key; `ADMIN` covers everything within its own tenant."""

    SEARCH = "search"
    VERIFY = "verify"
    ACT_AS = "act_as"
    INGEST = "ingest"
    SHARE = "share"
    ADMIN = "admin"


TOOL_SCOPES: Final[dict[str, Scope]] = {
    "rag_search": Scope.SEARCH,
    "verify_document_access": Scope.VERIFY,
    "search": Scope.SEARCH,
    "fetch": Scope.SEARCH,
    "resources/read": Scope.SEARCH,
    "prompts/get": Scope.SEARCH,
}
"""By the name of a tool, or of a method; lists and completions go with the method that they lead to."""


def missing_scope(held: frozenset[Scope], needed: Scope) -> Scope | None:
    """The scope that is lacking, or None when `held` suffices."""
    return None if needed in held or Scope.ADMIN in held else needed
