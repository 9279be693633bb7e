"""`groundwire compact` and `groundwire backup`: the home folder on disk, while it is served."""

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from groundwire import wiring
from groundwire.domain.errors import InvalidInput
from groundwire.entry.cli.console import print_json, print_line, warn
from groundwire.entry.cli.long_runs.lock_wait import show_lock_wait
from groundwire.entry.cli.options import JsonOption, examples

if TYPE_CHECKING:
    from groundwire.domain.audit.facts import AuditFacts

OptionalTenantOption = Annotated[
    str | None, typer.Option("--tenant", "-t", help="Name or id of one tenant; default: all tenants.")
]


COMPACT_EXAMPLES: Final = examples("groundwire compact --tenant acme")


def compact(tenant: OptionalTenantOption = None, *, as_json: JsonOption = False) -> None:
    """Free the disk space of deleted passages in the indexes; search and ingestion go on."""
    services = wiring.local_services()
    index_service = services.settings.index_service
    if index_service is not None:
        engine = index_service.engine.value
        raise InvalidInput(f"The index is on {engine}, which frees space by itself. There is nothing to compact.")
    selected = services.stores.tenants.all() if tenant is None else [services.administration.tenant_admin.find(tenant)]
    rows: list[dict[str, object]] = []
    for owner in selected:
        compacted = services.upkeep.compact(owner.tenant)
        fields: AuditFacts = {
            "tenant": owner.tenant,
            "bytes_before": compacted.bytes_before,
            "bytes_after": compacted.bytes_after,
        }
        services.administration.audit_operator_action("index.compact", **fields)
        rows.append({"name": owner.name, **fields})
        if not as_json:
            print_line(
                f"{owner.name}: {_megabytes(compacted.bytes_before)} before, {_megabytes(compacted.bytes_after)} now."
            )
    if as_json:
        print_json(rows)
    elif not rows:
        print_line("There are no tenants yet.")


BACKUP_EXAMPLES: Final = examples("groundwire backup backups/friday", "groundwire backup backups/saturday --keep 30")


def backup(
    to: Annotated[Path, typer.Argument(help="Folder for the copy; it must be new or empty.")],
    *,
    keep: Annotated[
        int | None,
        typer.Option(
            min=1, help="Number of backups to keep in the folder above it; older ones are removed.", show_default=False
        ),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Copy the whole home folder, secrets included; the server may run. A running ingestion ends first."""
    services = wiring.local_services()
    # A copy made during an ingestion would have registry and index of two moments.
    with show_lock_wait(services.stores.tenants.all()):
        result = services.upkeep.back_up(to)
    services.administration.audit_operator_action("backup", files=result.file_count, bytes=result.size_bytes)
    # Only after the new one is complete.
    retention = None if keep is None else services.upkeep.remove_older_backups(to, keep)
    if as_json:
        removed = {} if retention is None else retention._asdict()
        print_json({"folder": str(to), "files": result.file_count, "bytes": result.size_bytes, **removed})
        return
    print_line(
        f"{to} contains {result.file_count} files, {_megabytes(result.size_bytes)}. It contains the "
        "secrets: protect it like the home folder."
    )
    print_line(f"To restore it, stop the server and run: groundwire restore {shlex.quote(str(to))}")
    if retention is not None and retention.removed:
        print_line(f"Removed older backups: {', '.join(retention.removed)}.")
    if retention is not None and retention.used:
        warn(f"Not removed, since they were used as a home: {', '.join(retention.used)}.")


def _megabytes(number: int) -> str:
    return f"{number / 1e6:.1f} MB"
