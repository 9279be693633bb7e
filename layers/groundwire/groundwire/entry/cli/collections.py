"""`groundwire collection`: parts of a tenant's documents, each with its own fusion weight."""

from typing import Annotated

import typer

from groundwire import wiring
from groundwire.domain.documents import Collection
from groundwire.domain.errors import Invalid, NotFound
from groundwire.domain.references import is_doc_id
from groundwire.entry.cli.console import JsonOption, TenantOption, print_json, print_line, print_rows

app = typer.Typer(no_args_is_help=True)

NameArgument = Annotated[str, typer.Argument(help="Name of the collection.")]


@app.command("list")
def list_collections(tenant: TenantOption, *, as_json: JsonOption = False) -> None:
    """List the collections with how many documents each has."""
    services = wiring.current()
    found = services.tenant_care.find(tenant).tenant
    rows = [_row(found, collection) for collection in services.collections.all(found)]
    print_rows(rows, ["name", "documents", "bm25_weight"], as_json=as_json, empty="No collection yet.")


@app.command()
def show(name: NameArgument, tenant: TenantOption, *, as_json: JsonOption = False) -> None:
    """Show one collection."""
    services = wiring.current()
    found = services.tenant_care.find(tenant).tenant
    row = _row(found, find_collection(found, name))
    if as_json:
        print_json(row)
    else:
        for field, value in row.items():
            print_line(f"{field.replace('_', ' '):<12} {value}")


@app.command("set")
def set_collection(
    name: NameArgument,
    tenant: TenantOption,
    bm25_weight: Annotated[float, typer.Option(help="Share of exact words in the ranking, 0 to 1.")],
) -> None:
    """Make a collection, or change its weight."""
    if not 0.0 <= bm25_weight <= 1.0:
        raise Invalid("--bm25-weight goes from 0 (meaning only) to 1 (words only).")
    if not is_doc_id(name):
        raise Invalid(f"{name!r} cannot be a collection: use letters, digits, '.', '_' and '-'.")
    services = wiring.current()
    found = services.tenant_care.find(tenant)
    services.collections.put(found.tenant, Collection(name, bm25_weight))
    services.operator_audit("collection.set", tenant=found.tenant, collection=name)
    print_line(f"Collection {name} of {found.name} ranks with BM25 weight {bm25_weight:g}.")


@app.command()
def delete(
    name: NameArgument,
    tenant: TenantOption,
    *,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")] = False,
) -> None:
    """Delete a collection with its documents."""
    services = wiring.current()
    found = services.tenant_care.find(tenant)
    find_collection(found.tenant, name)
    if not yes:
        typer.confirm(f"Delete collection {name} of {found.name} with all its documents?", abort=True)
    count = services.document_care.delete_collection(found.tenant, name)
    services.operator_audit("collection.delete", tenant=found.tenant, collection=name, documents=count)
    print_line(f"Collection {name} is gone with {count} documents.")


def find_collection(tenant: str, name: str) -> Collection:
    """The collection of this name; Raises NotFound."""
    for collection in wiring.current().collections.all(tenant):
        if collection.name == name:
            return collection
    raise NotFound(f"There is no collection {name!r}: `groundwire collection list` names them.")


def _row(tenant: str, collection: Collection) -> dict[str, object]:
    return {
        "name": collection.name,
        "documents": len(wiring.current().documents.all(tenant, collection.name)),
        "bm25_weight": collection.bm25_weight,
    }
