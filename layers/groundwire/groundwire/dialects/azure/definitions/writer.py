"""Writing of definitions, which needs the admin scope."""

from http import HTTPStatus
from typing import TYPE_CHECKING, Final, NamedTuple

from groundwire.dialects.azure.definitions.definition_body import BodyReader
from groundwire.dialects.azure.definitions.models import SECRET, keep_secrets, lacks_secret
from groundwire.dialects.azure.definitions.stored_definitions import KINDS, StoredDefinitions
from groundwire.dialects.azure.errors import AzureError, invalid_parameter, not_found
from groundwire.domain.access.scopes import Scope
from groundwire.domain.errors import Conflict, NotFound, PreconditionFailed
from groundwire.ports.definitions import Precondition, Presence

if TYPE_CHECKING:
    from groundwire.dialects.azure.definitions.reader import DefinitionsOfKind
    from groundwire.dialects.azure.requests.resource_paths import ResourceKind
    from groundwire.dialects.declaration.services import DialectServices
    from groundwire.services.call_context import CallContext
    from groundwire.services.definitions.admin import WrittenDefinition
    from groundwire.services.definitions.body import JsonBody

_BEYOND_BOUNDS: Final = "The key may not change a definition of this name: choose another name."


class DefinitionChange(NamedTuple):
    """Change of one definition.

    Attributes:
        name: of the path; None: that of the body.
        body: JSON value as sent.
    """

    name: str | None
    body: object
    expected: Precondition


class DefinitionWriter:
    """Writer of definitions for an administrator."""

    def __init__(self, services: "DialectServices") -> None:
        self._services = services
        self._stored = StoredDefinitions(services)

    def create(self, wanted: "DefinitionsOfKind", body: object) -> "WrittenDefinition":
        """Create the definition of a body.

        Raises:
            AzureError: the body is wrong, or there is one of this name.
        """
        try:
            return self.put(wanted, DefinitionChange(None, body, Presence.ABSENT))
        except AzureError as error:
            # The client sent no condition, and Python raises ResourceExistsError only at 409.
            if error.status == HTTPStatus.PRECONDITION_FAILED:
                raise AzureError(HTTPStatus.CONFLICT, str(error)) from error
            raise

    def put(self, wanted: "DefinitionsOfKind", change: DefinitionChange) -> "WrittenDefinition":
        """Create or replace a definition.

        Raises:
            AzureError: the body is wrong, or the stored definition is not as expected.
        """
        call, kind, version = wanted

        def is_stored(name: str) -> bool:
            return self._stored.find_source(call, name) is not None

        body = BodyReader(version, call.caller, is_stored).read(kind, change.body)
        name = str(body["name"])
        if change.name not in {None, name}:
            raise invalid_parameter(
                f"name must be the name in the address, {str(change.name)[:128]!r}: correct one of them."
            )
        self._check_bounds(call, kind, name)
        if lacks_secret(body):
            body = self._with_kept_secrets(call, kind, body)
        try:
            return self._services.sources.definition_admin.put(
                call, KINDS[kind], name, body, (SECRET,), change.expected
            )
        except PreconditionFailed as error:
            raise AzureError(HTTPStatus.PRECONDITION_FAILED, str(error)) from error
        except Conflict as error:
            raise AzureError(HTTPStatus.CONFLICT, str(error)) from error

    def delete(self, call: "CallContext", kind: "ResourceKind", name: str, expected: Precondition) -> None:
        """Delete a stored definition; a built-in one is a collection, which no deletion touches.

        Raises:
            AzureError: there is no stored one, or it is not as expected.
        """
        self._check_bounds(call, kind, name)
        try:
            self._services.sources.definition_admin.delete(call, KINDS[kind], name, expected)
        except PreconditionFailed as error:
            if self._is_built_in(call, kind, name):
                raise not_found(kind.title, name) from error
            raise AzureError(HTTPStatus.PRECONDITION_FAILED, str(error)) from error
        except NotFound as error:
            raise not_found(kind.title, name) from error

    def _check_bounds(self, call: "CallContext", kind: "ResourceKind", name: str) -> None:
        """Check that the stored definition, if it exists, searches no collection beyond the caller's.

        Raises:
            AzureError: it does, and the caller's change would reach callers of other collections.
        """
        found = self._stored.find(call, kind, name)
        if found is None:
            return
        collections = self._stored.collections(call, kind, found.body)
        if not all(map(call.caller.allows_collection, collections)):
            raise AzureError(HTTPStatus.FORBIDDEN, _BEYOND_BOUNDS)

    def _with_kept_secrets(self, call: "CallContext", kind: "ResourceKind", body: "JsonBody") -> "JsonBody":
        found = self._stored.find(call, kind, str(body["name"]))
        if found is None or not found.sealed_secrets:
            return body
        return keep_secrets(body, self._services.sources.definition_admin.open_secrets(call, found))

    def _is_built_in(self, call: "CallContext", kind: "ResourceKind", name: str) -> bool:
        if self._stored.find(call, kind, name) is not None:
            return False
        return bool(self._services.reading.readable_collections.existing(call.caller, [name]))


def check_may_write(call: "CallContext") -> None:
    """Check that the caller may change definitions, whether or not there are any.

    Raises:
        AzureError: the key does not have the admin scope.
    """
    if Scope.ADMIN not in call.caller.scopes:
        raise AzureError(HTTPStatus.FORBIDDEN, "Changes of definitions need a key with the scope `admin`.")
