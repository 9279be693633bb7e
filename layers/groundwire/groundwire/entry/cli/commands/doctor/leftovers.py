"""Check that nothing is left of the tenants that earlier checks of a stack created."""

from collections.abc import Mapping
from typing import Final

from groundwire.domain.text.json_values import mapping_or_empty
from groundwire.entry.cli.commands.doctor.findings import Caution, DefectFound, Report, run_check
from groundwire.entry.cli.target.action_client import ActionClient, rows_of

_PROMISE: Final = "Nothing is left of a tenant that a check created: no row, no file in any version, no index."
_LOGS: Final = (
    "The audit log keeps the lines of the checks for AuditRetentionDays, and the functions' logs for LogRetentionDays. "
    "Backups of the tables keep the rows for 35 days."
)


def check_leftovers(operator: ActionClient, report: Report) -> None:
    """Erase each remembered tenant once more, and report what that found; a clean stack has nothing to erase."""
    rows = rows_of(operator.execute("stack.list_scratch_tenants"), "tenants")
    for row in rows:
        report(run_check("leftovers", lambda row=row: _erase(operator, row), _PROMISE))
    if not rows:
        report(run_check("leftovers", lambda: "No check has created a tenant in the last 90 days.", _PROMISE))
    report(run_check("logs", lambda: _LOGS, "What remains is named."))


def _erase(operator: ActionClient, row: Mapping[str, object]) -> str | Caution:
    tenant, name = str(row["tenant"]), row["name"]
    erased = mapping_or_empty(operator.execute("tenant.delete", tenant=tenant)["deleted"])
    found = ", ".join(f"{count} {kind}" for kind, count in erased.items() if count)
    if name is not None:
        return Caution(f"{tenant}: an interrupted check left the tenant {name}; deleted now ({found or 'empty'}).")
    # A call that ran during the deletion wrote after it.
    if found:
        raise DefectFound(f"{tenant}: {found} were left, and are erased now. Run the command again in 20 minutes.")
    return f"{tenant}: nothing was left."
