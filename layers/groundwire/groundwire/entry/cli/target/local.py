"""Target: the home folder of this machine; every change is audited as the operator's."""

import shlex
from typing import Final

from groundwire import wiring
from groundwire.entry.cli.console import Row
from groundwire.entry.cli.target.action_client import TenantActions, row_of, rows_of
from groundwire.entry.cli.target.operations import TenantChanges, TenantTarget
from groundwire.entry.serialization.entities import tenant_to_json
from groundwire.entry.serialization.object_reader import ObjectReader


class LocalOperator:
    """The operator's actions in this process; implements `ActionClient`."""

    def execute(self, action: str, **fields: object) -> Row:
        """Execute an action, and audit it if it changes something.

        Raises:
            DomainError: the error of the action.
        """
        # Imported on use: most commands need none of the actions.
        from groundwire.entry.operator.actions import ACTIONS, MACHINE_ACTIONS, READING_ACTIONS

        services = wiring.local_services()
        if action.startswith("documents."):
            # A killed run could not remove the records of the files that it had announced.
            services.ingestion.forget_abandoned_files(str(fields["tenant"]))
        result = {**ACTIONS, **MACHINE_ACTIONS}[action](services, ObjectReader(fields))
        if action not in READING_ACTIONS:
            services.administration.audit_operator_action(action, **result.audit_facts)
        return {**result.members, **result.read_after_audit()}


_OPERATOR: Final = LocalOperator()


class LocalTenants(TenantChanges):
    """Tenants of this machine."""

    def __init__(self) -> None:
        super().__init__(_OPERATOR)

    def create(self, name: str) -> Row:
        """Create a tenant, and the home folder if it is missing.

        Raises:
            InvalidInput: the name is invalid.
            Conflict: the name is taken.
        """
        wiring.allow_new_home()
        return row_of(_OPERATOR.execute("tenant.create", name=name), "tenant")

    def next_step(self, name: str) -> str:
        """Return the command that ingests documents."""
        return f"Next: groundwire ingest FOLDER --tenant {shlex.quote(name)}"

    def all(self) -> list[Row]:
        """Return the tenants ordered by name; none when there is no home yet."""
        wiring.allow_new_home()
        return rows_of(_OPERATOR.execute("tenant.list"), "tenants") if wiring.local_services().stores.has_home else []

    def find(self, name_or_id: str) -> Row:
        """Return a tenant by name or id.

        Raises:
            NotFound: there is no such tenant.
        """
        return tenant_to_json(wiring.local_services().administration.tenant_admin.find(name_or_id))

    def delete(self, tenant: str) -> Row:
        """Delete a tenant; waits for a running ingestion."""
        # Imported on use: the modules that print import this package.
        from groundwire.entry.cli.long_runs.lock_wait import show_lock_wait

        with show_lock_wait([wiring.local_services().administration.tenant_admin.find(tenant)]):
            response = _OPERATOR.execute("tenant.delete", tenant=tenant)
        return {name: response[name] for name in ("tenant", "deleted")}


class LocalTarget:
    """Target on this machine; one of `Target`."""

    supported_commands = None
    requires_tenant = True
    usage_hints = ("Next: groundwire connect CLIENT, such as claude-code, prints the lines of a client.",)
    tenants = LocalTenants()

    @property
    def description(self) -> str:
        """A sentence that names the home folder."""
        return f"The home folder is {wiring.local_services().settings.home}."

    def tenant(self, name_or_id: str) -> TenantTarget:
        """Return a tenant by name or id.

        Raises:
            NotFound: there is no such tenant.
        """
        tenant = wiring.local_services().administration.tenant_admin.find(name_or_id)
        return TenantTarget(tenant.name, TenantActions(_OPERATOR, tenant.tenant))
