"""A deployed stack, through its operator function: tenants, their keys, and the models of their indexes."""

import shlex
from collections.abc import Mapping, Sequence
from typing import Final, Protocol, cast

from groundwire.domain.documents.ids import is_tenant_id
from groundwire.domain.errors import InvalidInput, NotFound
from groundwire.entry.cli.console import Row
from groundwire.entry.cli.target.ports import CollectionOperations, DocumentOperations, UserOperations
from groundwire.entry.serialization.key_spec import key_spec_to_json
from groundwire.services.keys.admin import KeySpec


class OperatorClient(Protocol):
    """Whoever carries out the operator's orders."""

    def execute(self, action: str, **fields: object) -> Mapping[str, object]:
        """The answer to an order that was carried out; raises the Problem that it met."""
        ...


def _rows(answer: Mapping[str, object], name: str) -> list[Row]:
    return [*cast("Sequence[Row]", answer[name])]


def _row(answer: Mapping[str, object], name: str) -> Row:
    return cast("Row", answer[name])


class StackTenants:
    """Implements `Tenants`."""

    def __init__(self, operator: OperatorClient, stack: str) -> None:
        self._operator = operator
        self._stack = stack

    def create(self, name: str) -> Row:
        """Raises Invalid, Conflict."""
        answer = self._operator.execute("tenant.create", name=name)
        return {**_row(answer, "tenant"), "url": answer["url"]}

    def next_step(self, name: str) -> str:
        """The first key, which makes all others."""
        stack, tenant = shlex.quote(self._stack), shlex.quote(name)
        return f"Next: groundwire --stack {stack} key create --tenant {tenant} --scope admin --user YOU"

    def all(self) -> list[Row]:
        """By name."""
        return _rows(self._operator.execute("tenant.list"), "tenants")

    def find(self, name_or_id: str) -> Row:
        """An id whose tenant is gone may be deleted once more; Raises NotFound."""
        for row in self.all():
            if name_or_id in (row["name"], row["tenant"]):
                return row
        if is_tenant_id(name_or_id):
            return {"name": name_or_id, "tenant": name_or_id}
        raise NotFound(f"There is no tenant {name_or_id!r}.", "tenant")

    def delete(self, tenant: str) -> Row:
        """With `again_in_s`: when the stack looks once more, None where it does not."""
        answer = self._operator.execute("tenant.delete", tenant=tenant)
        return {name: answer[name] for name in ("tenant", "deleted", "again_in_s")}


class StackKeys:
    """Implements `Keys`."""

    def __init__(self, operator: OperatorClient, tenant: str) -> None:
        self._operator = operator
        self._tenant = tenant

    def create(self, spec: KeySpec) -> Row:
        """Raises Invalid, Conflict, NotFound."""
        answer = self._operator.execute("key.create", tenant=self._tenant, **key_spec_to_json(spec))
        return {**_row(answer, "key"), "url": answer["url"]}

    def all(self) -> list[Row]:
        """By creation time."""
        return _rows(self._operator.execute("key.list", tenant=self._tenant), "keys")

    def rotate(self, kid: str, overlap_hours: int) -> Row:
        """Raises NotFound, Conflict, Invalid."""
        order = {"tenant": self._tenant, "kid": kid, "overlap_hours": overlap_hours}
        return _row(self._operator.execute("key.rotate", **order), "key")

    def revoke(self, kid: str) -> Row:
        """Raises NotFound."""
        return _row(self._operator.execute("key.revoke", tenant=self._tenant, kid=kid), "key")


class StackTenant:
    """Implements `TenantPlace`: keys alone."""

    def __init__(self, operator: OperatorClient, tenant: str) -> None:
        self.title = tenant
        self.keys = StackKeys(operator, tenant)

    @property
    def users(self) -> UserOperations:
        """Raises Invalid: owners do it."""
        raise _unsupported("user")

    @property
    def collections(self) -> CollectionOperations:
        """Raises Invalid: owners do it."""
        raise _unsupported("collection")

    @property
    def documents(self) -> DocumentOperations:
        """Raises Invalid: owners do it."""
        raise _unsupported("documents")


class StackTarget:
    """Implements `Place`."""

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
        """Whether it is there is for the function to say."""
        return StackTenant(self.operator, name_or_id)


def _unsupported(what: str) -> InvalidInput:
    return InvalidInput(f"`{what}` needs a key of the tenant instead of --stack: --url URL, and GROUNDWIRE_KEY.")
