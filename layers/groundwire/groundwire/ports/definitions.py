"""Port of definitions: named JSON objects that a tenant's administrator makes through a dialect."""

from collections.abc import Mapping, Sequence
from enum import Enum, StrEnum, auto
from typing import NamedTuple, Protocol

from groundwire.domain.errors import Conflict, NotFound, PreconditionFailed
from groundwire.domain.limits import MAX_DEFINITIONS


class DefinitionKind(StrEnum):
    """Kind of a definition; the values are stored."""

    AGENT = "agent"
    KNOWLEDGE_BASE = "knowledge-base"
    KNOWLEDGE_SOURCE = "knowledge-source"
    REGISTERED_TOOLS = "registered-tools"
    MCP_SOURCE = "mcp-source"
    SOURCE_STATE = "mcp-source-state"
    SOURCE_LISTING = "mcp-source-listing"
    CONTENT_MARKS = "content-marks"
    DELETED_COLLECTION = "deleted-collection"


class StoredDefinition(NamedTuple):
    """Definition as a store holds it.

    Attributes:
        name: 1 to `MAX_DEFINITION_NAME_CHARACTERS` characters; names that differ in case are different.
        body: JSON text of at most `MAX_DEFINITION_BYTES`; its secrets are sealed.
        tag: version token; no two contents ever stored have the same, so a deleted definition's never comes back.
        created_at: epoch seconds of the first write since the last deletion. updated_at: of the last write.
    """

    kind: DefinitionKind
    name: str
    body: bytes
    tag: str
    created_at: float
    updated_at: float


DefinitionKey = tuple[DefinitionKind, str]
"""Kind and name of a definition."""


class Presence(Enum):
    """Condition of a write on whether a definition of this name is stored: it may be, must not be, or must be."""

    ANY = auto()
    ABSENT = auto()
    PRESENT = auto()


Precondition = Presence | str
"""Condition of a write: on presence, or the tag that the stored definition must have."""


class DefinitionWrite(NamedTuple):
    """Result of a write: the definition as stored, and whether its name is new."""

    definition: StoredDefinition
    is_new: bool


class Definitions(Protocol):
    """Store of a tenant's definitions; reads see every write that ended before them.

    A condition is checked in the same atomic step as the write: of two writers that expect the same tag, one succeeds.
    """

    def find(self, tenant: str, kind: DefinitionKind, name: str) -> StoredDefinition | None:
        """Return the definition, or None."""
        ...

    def read(self, tenant: str, keys: Sequence[DefinitionKey]) -> Mapping[DefinitionKey, StoredDefinition]:
        """Return the definitions of these keys that exist; one request for up to 100 keys."""
        ...

    def list_all(self, tenant: str, kind: DefinitionKind) -> Sequence[StoredDefinition]:
        """Return the tenant's definitions of this kind, by the code points of their names."""
        ...

    def put(self, tenant: str, definition: StoredDefinition, expected: Precondition) -> DefinitionWrite:
        """Create or replace the definition; a replaced one keeps its `created_at`.

        The tag must be new.

        Raises:
            PreconditionFailed: the stored definition is not as expected.
            Conflict: the tenant has `MAX_DEFINITIONS` of this kind, and this would be another one.
        """
        ...

    def delete(self, tenant: str, kind: DefinitionKind, name: str, expected: Precondition) -> None:
        """Delete the definition.

        Raises:
            PreconditionFailed: the stored definition is not as expected.
            NotFound: there is none, and `expected` does not refuse that.
        """
        ...


def check_precondition(expected: Precondition, stored_tag: str | None) -> None:
    """Check the condition against the tag of the stored definition, None if it is missing.

    Raises:
        PreconditionFailed: it does not hold.
    """
    if expected is Presence.ABSENT and stored_tag is not None:
        raise PreconditionFailed("There is a definition of this name already: choose another name, or replace it.")
    if expected is Presence.PRESENT and stored_tag is None:
        raise PreconditionFailed("There is no definition of this name to replace: create it first.")
    if isinstance(expected, str) and expected != stored_tag:
        raise PreconditionFailed(
            "The definition was changed or deleted meanwhile: read its current state, then try again."
        )


def check_deletion(expected: Precondition, stored_tag: str | None) -> None:
    """Check the condition of a deletion as `check_precondition` does, and that there is something to delete.

    Raises:
        PreconditionFailed: the condition does not hold.
        NotFound: it holds, and there is no definition.
    """
    # The condition comes first: clients expect 412 and not 404 where their tag no longer holds.
    check_precondition(expected, stored_tag)
    if stored_tag is None:
        raise NotFound("There is no definition of this name.")


def check_count(kind: DefinitionKind, count: int) -> None:
    """Check that a tenant with `count` definitions of this kind can have another one.

    Raises:
        Conflict: it has as many as it can have.
    """
    if count >= MAX_DEFINITIONS:
        raise Conflict(f"There are {MAX_DEFINITIONS} definitions of the kind `{kind}`, the maximum: delete one first.")
