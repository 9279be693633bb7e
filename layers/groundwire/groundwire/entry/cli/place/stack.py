"""A deployed stack, through its operator function: tenants, their keys, and the models of their indexes."""

import shlex
from collections.abc import Mapping, Sequence
from typing import Final, Protocol, cast

from groundwire.domain.errors import Invalid, NotFound
from groundwire.domain.references import is_tenant_id
from groundwire.entry.cli.place.nouns import Collections, Documents, Row, Users
from groundwire.entry.key_orders import order_members
from groundwire.services.keys import KeyOrder


class Operator(Protocol):
    """Whoever carries out the operator's orders."""

    def order(self, action: str, **fields: object) -> Mapping[str, object]:
        """The answer to an order that was carried out; raises the Problem that it met."""
        ...


def _rows(answer: Mapping[str, object], name: str) -> list[Row]:
    return [*cast("Sequence[Row]", answer[name])]


def _row(answer: Mapping[str, object], name: str) -> Row:
    return cast("Row", answer[name])


class StackTenants:
    """Implements `Tenants`."""

    def __init__(self, operator: Operator, stack: str) -> None:
        self._operator = operator
        self._stack = stack

    def create(self, name: str) -> Row:
        """Raises Invalid, Conflict."""
        answer = self._operator.order("tenant.create", name=name)
        return {**_row(answer, "tenant"), "url": answer["url"]}

    def next_step(self, name: str) -> str:
        """The first key, which makes all others."""
        stack, tenant = shlex.quote(self._stack), shlex.quote(name)
        return f"Next: groundwire --stack {stack} key create --tenant {tenant} --scope admin --user YOU"

    def all(self) -> list[Row]:
        """By name."""
        return _rows(self._operator.order("tenant.list"), "tenants")

    def find(self, named: str) -> Row:
        """An id whose tenant is gone may be deleted once more; Raises NotFound."""
        for row in self.all():
            if named in (row["name"], row["tenant"]):
                return row
        if is_tenant_id(named):
            return {"name": named, "tenant": named}
        raise NotFound(f"There is no tenant {named!r}.", "tenant")

    def delete(self, tenant: str) -> Row:
        """With `again_in_s`: when the stack looks once more, None where it does not."""
        answer = self._operator.order("tenant.delete", tenant=tenant)
        return {name: answer[name] for name in ("tenant", "deleted", "again_in_s")}


class StackKeys:
    """Implements `Keys`."""

    def __init__(self, operator: Operator, tenant: str) -> None:
        self._operator = operator
        self._tenant = tenant

    def create(self, order: KeyOrder) -> Row:
        """Raises Invalid, Conflict, NotFound."""
        answer = self._operator.order("key.create", tenant=self._tenant, **order_members(order))
        return {**_row(answer, "key"), "url": answer["url"]}

    def all(self) -> list[Row]:
        """By creation time."""
        return _rows(self._operator.order("key.list", tenant=self._tenant), "keys")

    def rotate(self, kid: str, overlap_hours: int) -> Row:
        """Raises NotFound, Conflict, Invalid."""
        order = {"tenant": self._tenant, "kid": kid, "overlap_hours": overlap_hours}
        return _row(self._operator.order("key.rotate", **order), "key")

    def revoke(self, kid: str) -> Row:
        """Raises NotFound."""
        return _row(self._operator.order("key.revoke", tenant=self._tenant, kid=kid), "key")


class StackTenant:
    """Implements `TenantPlace`: keys alone."""

    def __init__(self, operator: Operator, tenant: str) -> None:
        self.title = tenant
        self.keys = StackKeys(operator, tenant)

    @property
    def users(self) -> Users:
        """Raises Invalid: owners do it."""
        raise _not_here("user")

    @property
    def collections(self) -> Collections:
        """Raises Invalid: owners do it."""
        raise _not_here("collection")

    @property
    def documents(self) -> Documents:
        """Raises Invalid: owners do it."""
        raise _not_here("documents")


class StackPlace:
    """Implements `Place`."""

    commands = frozenset({"tenant", "key", "reindex"})
    names_tenants = True
    first_call = (
        "Then: curl -s {url}/v1/status -H 'Authorization: Bearer KEY'",
        "or:   GROUNDWIRE_KEY=KEY groundwire --url {url} ingest PATH",
    )

    def __init__(self, operator: Operator, name: str) -> None:
        self.operator: Final = operator
        self.tenants = StackTenants(operator, name)
        self.described = f"The stack is {name}."

    def tenant(self, named: str) -> StackTenant:
        """Whether it is there is for the function to say."""
        return StackTenant(self.operator, named)


def _not_here(what: str) -> Invalid:
    return Invalid(f"`{what}` needs a key of the tenant instead of --stack: --url URL, and GROUNDWIRE_KEY.")
