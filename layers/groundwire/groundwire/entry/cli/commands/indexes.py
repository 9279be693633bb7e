"""`groundwire index`: export and import of a tenant's index through a file, from one engine to another."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from groundwire import wiring
from groundwire.entry.cli.console import print_json, print_line
from groundwire.entry.cli.long_runs.progress import counted_progress
from groundwire.entry.cli.options import JsonOption, TenantOption, examples

if TYPE_CHECKING:
    from groundwire.domain.audit.facts import AuditFacts

app = typer.Typer(no_args_is_help=True)

FileArgument = Annotated[Path, typer.Argument(help="File of the copy, such as acme.index.gz.")]


@app.command("export", epilog=examples("groundwire index export acme-copy.index.gz --tenant acme"))
def export_index(file: FileArgument, tenant: TenantOption, *, as_json: JsonOption = False) -> None:
    """Write a tenant's index, vectors included, to a file. After an interruption, run it again."""
    services = wiring.local_services()
    tenant_id = services.administration.tenant_admin.find(tenant).tenant
    transfer, index_file = services.administration.index_transfer, services.files.index_file(file)
    header = transfer.header(tenant_id)
    # An interrupted export goes on after the documents that the file has whole.
    exported_ids = index_file.resume(header)
    with counted_progress() as progress:
        exported = transfer.export(tenant_id, exported_ids, lambda done, total: progress("documents", done, total))
        written = index_file.append(header, exported)
    fields: AuditFacts = {
        "tenant": tenant_id,
        "model": header.model.name,
        "written": written,
        "kept": len(exported_ids),
    }
    services.administration.audit_operator_action("index.export", **fields)
    if as_json:
        print_json(fields)
    else:
        print_line(
            f"{file} contains {written + len(exported_ids)} documents (model {header.model.name}). "
            "Protect it like the documents themselves."
        )


@app.command("import", epilog=examples("groundwire index import acme-copy.index.gz --tenant acme"))
def import_index(file: FileArgument, tenant: TenantOption, *, as_json: JsonOption = False) -> None:
    """Import a copy into the tenant's index: each document whose version the registry knows."""
    services = wiring.local_services()
    tenant_id = services.administration.tenant_admin.find(tenant).tenant
    index_file = services.files.index_file(file)
    header, total = index_file.header(), index_file.count()
    with counted_progress() as progress:
        result = services.administration.index_transfer.import_documents(
            tenant_id,
            header,
            index_file.documents(header),
            total,
            lambda done, total: progress("documents", done, total),
        )
    fields: AuditFacts = {
        "tenant": tenant_id,
        "written": result.written,
        "present": result.already_present,
        "unknown": result.unknown,
    }
    services.administration.audit_operator_action("index.import", **fields)
    if as_json:
        print_json(fields)
    else:
        print_line(
            f"Imported {result.written}, already present {result.already_present}, skipped "
            f"{result.unknown} (the registry does not have this version)."
        )
