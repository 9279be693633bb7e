"""`groundwire collection`: parts of a tenant's documents, each with its own fusion weight."""

import re
from dataclasses import replace
from typing import Annotated, Final

import typer

from groundwire import wiring
from groundwire.domain.documents import Collection
from groundwire.domain.errors import Invalid, NotFound
from groundwire.domain.fusion import DEFAULT_BM25_WEIGHT
from groundwire.domain.references import is_doc_id
from groundwire.entry.cli.console import JsonOption, TenantOption, print_json, print_line, print_rows
from groundwire.entry.rows import collection_row

app = typer.Typer(no_args_is_help=True)

_DETECTED: Final = "auto"
_LANGUAGE: Final = re.compile(r"[a-z]{2}")

NameArgument = Annotated[str, typer.Argument(help="Name of the collection.")]


@app.command("list")
def list_collections(tenant: TenantOption, *, as_json: JsonOption = False) -> None:
    """List the collections with how many documents each has."""
    services = wiring.current()
    found = services.tenant_care.find(tenant).tenant
    rows = [_row(found, collection) for collection in services.collections.all(found)]
    print_rows(rows, ["name", "documents", "bm25_weight", "language"], as_json=as_json, empty="No collection yet.")


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
            print_line(f"{field.replace('_', ' '):<12} {'-' if value is None else value}")


@app.command("set")
def set_collection(
    name: NameArgument,
    tenant: TenantOption,
    bm25_weight: Annotated[float | None, typer.Option(help="Share of exact words in the ranking, 0 to 1.")] = None,
    language: Annotated[
        str | None, typer.Option(help="Of its documents, as `de`; `auto`: detected in each of them.")
    ] = None,
) -> None:
    """Make a collection, or change its weight or language; what is not said stays as it is."""
    if bm25_weight is not None and not 0.0 <= bm25_weight <= 1.0:
        raise Invalid("--bm25-weight goes from 0 (meaning only) to 1 (words only).")
    if language is not None and language != _DETECTED and _LANGUAGE.fullmatch(language) is None:
        raise Invalid(f"--language is a code of two letters such as `de`, or `{_DETECTED}`, not {language!r}.")
    if not is_doc_id(name):
        raise Invalid(f"{name!r} cannot be a collection: use letters, digits, '.', '_' and '-'.")
    services = wiring.current()
    found = services.tenant_care.find(tenant)
    changed = _changed(found.tenant, name, bm25_weight, language)
    services.collections.put(found.tenant, changed)
    services.operator_audit("collection.set", tenant=found.tenant, collection=name)
    print_line(f"Collection {name} of {found.name} ranks with BM25 weight {changed.bm25_weight:g}.")
    if language is not None:
        print_line("Its documents are read again, in this language, by the next `groundwire ingest` of their files.")


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


def _changed(tenant: str, name: str, bm25_weight: float | None, language: str | None) -> Collection:
    known = {each.name: each for each in wiring.current().collections.all(tenant)}
    collection = known.get(name, Collection(name, DEFAULT_BM25_WEIGHT))
    if bm25_weight is not None:
        collection = replace(collection, bm25_weight=bm25_weight)
    if language is not None:
        collection = replace(collection, language=None if language == _DETECTED else language)
    return collection


def _row(tenant: str, collection: Collection) -> dict[str, object]:
    return collection_row(collection, len(wiring.current().documents.all(tenant, collection.name)))
