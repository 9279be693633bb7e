"""Target: a deployed stack, through its operator function: tenants, their keys, and their indexes' models."""

import shlex
from collections.abc import Mapping, Sequence
from typing import Final, Protocol, cast

from groundwire.domain.documents.ids import is_tenant_id
from groundwire.domain.errors import InvalidInput, NotFound
from groundwire.entry.cli.console import Row
from groundwire.entry.cli.target.ports import CollectionOperations, DocumentOperations, UserOperations
from groundwire.entry.cli.target.source_ports import SourceOperations
from groundwire.entry.serialization.key_spec import key_spec_to_json
from groundwire.services.keys.admin import KeySpec


class OperatorClient(Protocol):
    """Client of the stack's operator function."""

    def execute(self, action: str, **fields: object) -> Mapping[str, object]:
        """Return the result of an action.

        Raises:
            DomainError: the error that the function returns.
        """
        ...


def _rows(response: Mapping[str, object], name: str) -> list[Row]:
    return [*cast("Sequence[Row]", response[name])]


def _row(response: Mapping[str, object], name: str) -> Row:
    return cast("Row", response[name])


class StackTenants:
    """Tenants of a stack; implements `TenantOperations`."""

    def __init__(self, operator: OperatorClient, stack: str) -> None:
        self._operator = operator
        self._stack = stack

    def create(self, name: str) -> Row:
        """Create a tenant; return it with the service's `url`.

        Raises:
            InvalidInput: the name is invalid.
            Conflict: the name is taken.
        """
        response = self._operator.execute("tenant.create", name=name)
        return {**_row(response, "tenant"), "url": response["url"]}

    def next_step(self, name: str) -> str:
        """Return the command that creates the first key, which can create all others."""
        stack, tenant = shlex.quote(self._stack), shlex.quote(name)
        return f"Next: groundwire --stack {stack} key create --tenant {tenant} --scope admin --user YOU"

    def all(self) -> list[Row]:
        """Return the tenants ordered by name."""
        return _rows(self._operator.execute("tenant.list"), "tenants")

    def find(self, name_or_id: str) -> Row:
        """Return a tenant by name or id; the id of a deleted tenant is accepted, since it may be deleted once more.

        Raises:
            NotFound: there is no such tenant.
        """
        for row in self.all():
            if name_or_id in (row["name"], row["tenant"]):
                return row
        if is_tenant_id(name_or_id):
            return {"name": name_or_id, "tenant": name_or_id}
        raise NotFound(f"There is no tenant {name_or_id!r}.", "tenant")

    def delete(self, tenant: str) -> Row:
        """Delete a tenant; `again_in_s` is the delay until the stack deletes once more, None when it does not."""
        response = self._operator.execute("tenant.delete", tenant=tenant)
        return {name: response[name] for name in ("tenant", "deleted", "again_in_s")}


class StackKeys:
    """A tenant's keys in a stack; implements `KeyOperations`."""

    def __init__(self, operator: OperatorClient, tenant: str) -> None:
        self._operator = operator
        self._tenant = tenant

    def create(self, spec: KeySpec) -> Row:
        """Create a key; return it with the service's `url`.

        Raises:
            InvalidInput: the specification is invalid.
            Conflict: the tenant has a key for people who sign in already.
            NotFound: there is no such tenant.
        """
        response = self._operator.execute("key.create", tenant=self._tenant, **key_spec_to_json(spec))
        return {**_row(response, "key"), "url": response["url"]}

    def all(self) -> list[Row]:
        """Return the keys ordered by creation time."""
        return _rows(self._operator.execute("key.list", tenant=self._tenant), "keys")

    def policy_tags(self) -> Row:
        """Return the tags that policies use.

        Raises:
            InvalidInput: the operator function is of a release without this action.
            NotFound: there is no such tenant.
        """
        return self._operator.execute("key.policy_tags", tenant=self._tenant)

    def rotate(self, kid: str, overlap_hours: int) -> Row:
        """Give a key a new secret; the old one works for `overlap_hours`.

        Raises:
            NotFound: there is no such key.
            Conflict: it is revoked or has expired.
            InvalidInput: it has no secret, or the overlap is out of range.
        """
        fields = {"tenant": self._tenant, "kid": kid, "overlap_hours": overlap_hours}
        return _row(self._operator.execute("key.rotate", **fields), "key")

    def revoke(self, kid: str) -> Row:
        """Revoke a key.

        Raises:
            NotFound: there is no such key.
        """
        return _row(self._operator.execute("key.revoke", tenant=self._tenant, kid=kid), "key")


class StackTenant:
    """A tenant of a stack, with its keys only; implements `TenantTarget`."""

    def __init__(self, operator: OperatorClient, tenant: str) -> None:
        self.title = tenant
        self.keys = StackKeys(operator, tenant)

    @property
    def users(self) -> UserOperations:
        """An unsupported part: only a key of the tenant can administer user entries.

        Raises:
            InvalidInput: always.
        """
        raise _unsupported("user")

    @property
    def collections(self) -> CollectionOperations:
        """An unsupported part: only a key of the tenant can administer collections.

        Raises:
            InvalidInput: always.
        """
        raise _unsupported("collection")

    @property
    def documents(self) -> DocumentOperations:
        """An unsupported part: only a key of the tenant can administer documents.

        Raises:
            InvalidInput: always.
        """
        raise _unsupported("documents")

    @property
    def sources(self) -> SourceOperations:
        """An unsupported part: only a key of the tenant can administer sources.

        Raises:
            InvalidInput: always.
        """
        raise _unsupported("source")


class StackTarget:
    """Target in a stack; implements `Target`."""

    supported_commands = frozenset({"tenant", "key", "reindex"})
    requires_tenant = True
    usage_hints = (
        "Then: curl -s {url}/v1/status -H 'Authorization: Bearer KEY'",
        "or:   GROUNDWIRE_KEY=KEY groundwire --url {url} ingest PATH",
    )

    def __init__(self, operator: OperatorClient, name: str) -> None:
        self.operator: Final = operator
        self.tenants = StackTenants(operator, name)
        self.description = f"The stack is {name}."

    def tenant(self, name_or_id: str) -> StackTenant:
        """Return a tenant by name or id, without checking that it exists; the operator function does that."""
        return StackTenant(self.operator, name_or_id)


def _unsupported(command: str) -> InvalidInput:
    return InvalidInput(f"`{command}` needs a key of the tenant instead of --stack: --url URL, and GROUNDWIRE_KEY.")
