"""`groundwire compact` and `groundwire backup`: the home folder on disk, while it is served."""

import shlex
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from groundwire import wiring
from groundwire.domain.audit.deletions import later_deletions
from groundwire.domain.errors import InvalidInput
from groundwire.domain.text.json_values import load_mapping
from groundwire.entry.cli.console import print_json, print_line, warn
from groundwire.entry.cli.long_runs.lock_wait import show_lock_wait
from groundwire.entry.cli.options import JsonOption, examples
from groundwire.services.ingest.deletions.replay import DeletionReplay

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


BACKUP_EXAMPLES: Final = examples("groundwire backup backups/tuesday", "groundwire backup backups/tuesday --keep 30")


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


REPLAY_EXAMPLES: Final = examples("groundwire replay-deletions home.before/audit.jsonl")


def replay_deletions(
    log: Annotated[Path, typer.Argument(help="Audit log that was written after the backup, or a copy of it.")],
    *,
    as_json: JsonOption = False,
) -> int:
    """Delete again, after the restoration of a backup, what persons deleted since, as the later audit log records it.

    The exit code is 1 if the log names documents that the backup does not have, or if a deletion fails.
    """
    services = wiring.local_services()
    # Lines of the restored log are known; what follows them happened after the backup.
    known = frozenset(str(each.get("hash")) for each in services.stores.audit.read_all())
    replay = DeletionReplay(services.administration.document_admin, services.stores.documents)
    result = replay(later_deletions(_lines(log), known))
    counts = {"unknown": len(result.unknown), "failed": len(result.failed)}
    services.administration.audit_operator_action("replay-deletions", documents=[*result.documents], counts=counts)
    if as_json:
        print_json(asdict(result))
    else:
        print_line(f"{len(result.documents)} documents and {len(result.collections)} collections deleted again.")
        if result.unknown:
            warn(
                f"{len(result.unknown)} are not in this home ({', '.join(result.unknown[:3])} …). If their files still "
                "exist, the next ingestion brings them in: remove the files, or delete the documents afterwards."
            )
        for each in result.failed:
            warn(f"{each.name} was not deleted again: {each.reason} Run the command again, or delete it by hand.")
    return 1 if result.unknown or result.failed else 0


def _lines(log: Path) -> Iterator[Mapping[str, object]]:
    """Yield the records of an audit log, oldest first; a line that is cut off is left out.

    Raises:
        InvalidInput: the file cannot be read.
    """
    try:
        with log.open("rb") as file:
            for line in file:
                record = load_mapping(line)
                if record is not None:
                    yield record
    except OSError as error:
        raise InvalidInput(f"{log} cannot be read: name the audit log that was written after the backup.") from error


def _megabytes(number: int) -> str:
    return f"{number / 1e6:.1f} MB"
