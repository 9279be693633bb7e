"""`groundwire compact` and `groundwire backup`: the home folder on its disk, while it is served."""

from pathlib import Path
from typing import Annotated

import typer

from groundwire import wiring
from groundwire.domain.errors import Invalid
from groundwire.entry.cli.console import JsonOption, print_json, print_line
from groundwire.entry.cli.waiting import waiting_shown

TenantOption = Annotated[str | None, typer.Option("--tenant", "-t", help="Name or id; without it, all of them.")]


def compact(tenant: TenantOption = None, *, as_json: JsonOption = False) -> None:
    """Give back what deleted passages still take in the indexes; searching and ingesting go on."""
    services = wiring.current()
    if services.settings.index_service is not None:
        raise Invalid("The index is on an OpenSearch, which gives back space by itself: there is nothing to compact.")
    chosen = services.tenants.all() if tenant is None else [services.tenant_care.find(tenant)]
    rows: list[dict[str, object]] = []
    for one in chosen:
        compacted = services.embedded_indexes.compact(one.tenant)
        facts = {"tenant": one.tenant, "bytes_before": compacted.before, "bytes_after": compacted.after}
        services.operator_audit("index.compact", **facts)
        rows.append({"name": one.name, **facts})
        if not as_json:
            print_line(f"{one.name}: {_megabytes(compacted.before)} before, {_megabytes(compacted.after)} now.")
    if as_json:
        print_json(rows)
    elif not rows:
        print_line("No tenant yet.")


def backup(
    to: Annotated[Path, typer.Argument(help="A folder that does not exist yet, or is empty.")],
    *,
    as_json: JsonOption = False,
) -> None:
    """Copy the whole home folder, secrets included, while it is served; waits for an ingestion that runs."""
    services = wiring.current()
    with waiting_shown(services.tenants.all()):
        done = services.back_up(to)
    services.operator_audit("backup", files=done.files, bytes=done.bytes)
    if as_json:
        print_json({"folder": str(to), "files": done.files, "bytes": done.bytes})
        return
    print_line(f"{to} holds {done.files} files, {_megabytes(done.bytes)}. Keep it as safe as the home: its secrets are")
    print_line("in it. To restore, start Groundwire with GROUNDWIRE_HOME at it, or at a copy of it.")


def _megabytes(number: int) -> str:
    return f"{number / 1e6:.1f} MB"
