"""`groundwire index`: a tenant's index out of one engine and into another, by a file."""

from pathlib import Path
from typing import Annotated

import typer

from groundwire import wiring
from groundwire.entry.cli.console import print_json, print_line
from groundwire.entry.cli.long_runs.progress import counted_progress
from groundwire.entry.cli.options import JsonOption, TenantOption

app = typer.Typer(no_args_is_help=True)

FileArgument = Annotated[Path, typer.Argument(help="The copy, such as acme.index.gz.")]


@app.command("export")
def export_index(file: FileArgument, tenant: TenantOption, *, as_json: JsonOption = False) -> None:
    """Write a tenant's index, vectors included, to a file; a run that was cut off is gone on with."""
    services = wiring.local_services()
    found = services.tenant_admin.find(tenant).tenant
    copy, stored = services.index_transfer, services.index_file(file)
    header = copy.header(found)
    had = stored.resume(header)
    with counted_progress() as progress:
        exported = copy.export(found, had, lambda done, total: progress("documents", done, total))
        written = stored.append(header, exported)
    facts = {"tenant": found, "model": header.model.name, "written": written, "kept": len(had)}
    services.audit_operator_action("index.export", **facts)
    if as_json:
        print_json(facts)
    else:
        print_line(f"{file} holds {written + len(had)} documents of {header.model.name}. It is as secret as they are.")


@app.command("import")
def import_index(file: FileArgument, tenant: TenantOption, *, as_json: JsonOption = False) -> None:
    """Put a copy into the tenant's index: documents that the registry knows in that version, under its policies."""
    services = wiring.local_services()
    found = services.tenant_admin.find(tenant).tenant
    stored = services.index_file(file)
    header, total = stored.header(), stored.count()
    with counted_progress() as progress:
        done = services.index_transfer.import_documents(
            found, header, stored.documents(header), total, lambda done, total: progress("documents", done, total)
        )
    facts = {"tenant": found, "written": done.written, "present": done.already_present, "unknown": done.unknown}
    services.audit_operator_action("index.import", **facts)
    if as_json:
        print_json(facts)
    else:
        print_line(
            f"{done.written} documents were written, {done.already_present} were there, {done.unknown} are not as the registry "
            "has them and were left out."
        )
