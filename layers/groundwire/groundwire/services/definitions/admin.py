"""Administration of definitions; the dialect checks the scope of the caller and the members of a body."""

from collections.abc import Callable, Collection, Mapping
from typing import TYPE_CHECKING, NamedTuple

from groundwire.domain.errors import InvalidInput, NotFound
from groundwire.domain.limits import MAX_DEFINITION_NAME_CHARACTERS
from groundwire.ports.definitions import DefinitionKind, Definitions, Precondition, StoredDefinition
from groundwire.services.definitions.body import (
    BodyParts,
    JsonBody,
    JsonValue,
    SecretPath,
    from_text,
    join_secrets,
    split_secrets,
    to_text,
)
from groundwire.services.definitions.secrets import DefinitionId, DefinitionSecrets

if TYPE_CHECKING:
    from groundwire.ports import Clock
    from groundwire.services.call_context import CallContext


class Definition(NamedTuple):
    """View of a definition for administrators.

    Attributes:
        body: its members; those with a secret are None.
        sealed_secrets: sealed forms of the secrets by path; `DefinitionAdmin.open_secrets` opens them.
        tag: version token, the basis of an entity tag.
        created_at: epoch seconds. updated_at: of the last change.
    """

    kind: DefinitionKind
    name: str
    body: JsonBody
    sealed_secrets: Mapping[SecretPath, JsonValue]
    tag: str
    created_at: float
    updated_at: float


class WrittenDefinition(NamedTuple):
    """Result of a write: the definition, and whether its name is new."""

    definition: Definition
    is_new: bool


class DefinitionAdmin:
    """Reading and writing of the definitions of the caller's tenant.

    Args:
        new_tag: returns a text that was never returned before.
        clock: epoch seconds.
    """

    def __init__(
        self, definitions: Definitions, secrets: DefinitionSecrets, new_tag: Callable[[], str], clock: "Clock"
    ) -> None:
        self._definitions = definitions
        self._secrets = secrets
        self._new_tag = new_tag
        self._clock = clock

    def find(self, call: "CallContext", kind: DefinitionKind, name: str) -> Definition:
        """Return the definition.

        Raises:
            NotFound: there is none of this name.
        """
        stored = self._definitions.find(_tenant(call), kind, name) if _is_name(name) else None
        if stored is None:
            raise NotFound("There is no definition of this name.")
        return _definition(stored)

    def list_all(self, call: "CallContext", kind: DefinitionKind) -> list[Definition]:
        """Return all definitions of this kind, by name."""
        return [_definition(stored) for stored in self._definitions.list_all(_tenant(call), kind)]

    def put(
        self,
        call: "CallContext",
        kind: DefinitionKind,
        name: str,
        body: JsonBody,
        secret_members: Collection[str],
        expected: Precondition,
    ) -> WrittenDefinition:
        """Create or replace the definition; values of `secret_members`, at any depth and in any case, are sealed.

        A secret that is to be kept must be in the body: `open_secrets` returns it.

        Raises:
            InvalidInput: the name is not valid, or the definition is too large.
            PreconditionFailed: the stored definition is not as expected.
            Conflict: the tenant has as many definitions of this kind as it can have.
        """
        if not _is_name(name):
            raise InvalidInput(f"The name of a definition has 1 to {MAX_DEFINITION_NAME_CHARACTERS} characters.")
        _note(call, kind, name)
        owner, parts = DefinitionId(_tenant(call), kind, name), split_secrets(body, secret_members)
        sealed = {path: self._secrets.seal(owner, value) for path, value in parts.secrets.items()}
        now = self._clock()
        content = StoredDefinition(kind, name, to_text(BodyParts(parts.body, {**sealed})), self._new_tag(), now, now)
        stored, is_new = self._definitions.put(owner.tenant, content, expected)
        call.audit_fields["change"] = "created" if is_new else "replaced"
        return WrittenDefinition(_definition(stored), is_new)

    def delete(self, call: "CallContext", kind: DefinitionKind, name: str, expected: Precondition) -> None:
        """Delete the definition.

        Raises:
            PreconditionFailed: the stored definition is not as expected.
            NotFound: there is none, and `expected` does not refuse that.
        """
        if not _is_name(name):
            raise NotFound("There is no definition of this name.")
        _note(call, kind, name)
        self._definitions.delete(_tenant(call), kind, name, expected)
        call.audit_fields["change"] = "deleted"

    def open_secrets(self, call: "CallContext", definition: Definition) -> JsonBody:
        """Return the body with its secrets; one that this installation cannot open is None.

        The result is for calls to the services that the secrets are for, never for an answer.
        """
        owner = DefinitionId(_tenant(call), definition.kind, definition.name)
        parts = BodyParts(definition.body, {**definition.sealed_secrets})
        return join_secrets(parts, lambda token: self._secrets.open(owner, token))


def _tenant(call: "CallContext") -> str:
    return call.caller.principal.tenant


def _is_name(name: str) -> bool:
    """Return whether stores can hold the name; a dialect may allow less."""
    # No store can encode a lone surrogate.
    return 0 < len(name) <= MAX_DEFINITION_NAME_CHARACTERS and not any("\ud800" <= each <= "\udfff" for each in name)


def _note(call: "CallContext", kind: DefinitionKind, name: str) -> None:
    call.audit_fields["definition"] = f"{kind}/{name}"


def _definition(stored: StoredDefinition) -> Definition:
    body, secrets = from_text(stored.body)
    return Definition(stored.kind, stored.name, body, secrets, stored.tag, stored.created_at, stored.updated_at)
