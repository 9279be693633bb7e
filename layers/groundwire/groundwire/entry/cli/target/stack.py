"""Target: a deployed stack, through its operator function: tenants with their keys, users, tags and documents."""

import shlex
from typing import Final

from groundwire.domain.documents.ids import is_tenant_id
from groundwire.domain.errors import NotFound
from groundwire.entry.cli.console import Row
from groundwire.entry.cli.target.action_client import ActionClient, StackClient, TenantActions, row_of, rows_of
from groundwire.entry.cli.target.operations import TenantChanges, TenantTarget


class StackTenants(TenantChanges):
    """Tenants of a stack."""

    def __init__(self, operator: ActionClient, stack: str) -> None:
        super().__init__(operator)
        self._stack = stack

    def create(self, name: str) -> Row:
        """Create a tenant; return it with the service's `url`.

        Raises:
            InvalidInput: the name is invalid.
            Conflict: the name is taken.
        """
        response = self._operator.execute("tenant.create", name=name)
        return {**row_of(response, "tenant"), "url": response["url"]}

    def next_step(self, name: str) -> str:
        """Return the command that creates the first key, which can create all others."""
        stack, tenant = shlex.quote(self._stack), shlex.quote(name)
        return f"Next: groundwire --stack {stack} key create --tenant {tenant} --scope admin --user YOU"

    def all(self) -> list[Row]:
        """Return the tenants ordered by name."""
        return rows_of(self._operator.execute("tenant.list"), "tenants")

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


class StackTarget:
    """Target in a stack; one of `Target`."""

    supported_commands = frozenset(
        {
            "access",
            "apply",
            "audit",
            "doctor",
            "tenant",
            "key",
            "tags",
            "user",
            "group",
            "documents",
            "rebuild",
            "reindex",
            "env",
        }
    )
    requires_tenant = True
    usage_hints = (
        "Then: curl -s {url}/v1/status -H 'Authorization: Bearer KEY'",
        "or:   GROUNDWIRE_KEY=KEY groundwire --url {url} ingest PATH",
        "or:   groundwire connect CLIENT --server {url}",
    )

    def __init__(self, client: StackClient, name: str, region: str | None) -> None:
        self.operator: Final[ActionClient] = client
        self.function_variables: Final = client.function_variables
        self.name: Final = name
        self.region: Final = region
        self.tenants = StackTenants(client, name)
        self.description = f"The stack is {name}."

    def tenant(self, name_or_id: str) -> TenantTarget:
        """Return a tenant by name or id, without checking that it exists; the operator function does that."""
        return TenantTarget(name_or_id, TenantActions(self.operator, name_or_id), shows_url=True)
