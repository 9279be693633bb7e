"""`groundwire reindex`: a tenant's index made anew with another model, while the present one answers."""

from collections.abc import Mapping
from time import monotonic
from typing import Annotated, Final

import typer
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from groundwire import wiring
from groundwire.domain.errors import Invalid
from groundwire.entry.cli.console import ERR, JsonOption, print_json, print_line, warn
from groundwire.entry.cli.place import StackPlace, here
from groundwire.entry.cli.priority import let_servers_go_first
from groundwire.entry.cli.stack_reindex import reindex_there
from groundwire.services.reindex import Pace, Reindexed

_TOLD_EVERY_S: Final = 10.0
"""Where no bar can move, a line says now and then that the work goes on."""


def reindex(
    tenant: Annotated[str, typer.Argument(help="Name or id of the tenant.")],
    model: Annotated[str | None, typer.Option("--model", help="Name or id of an installed model.")] = None,
    *,
    abandon: Annotated[bool, typer.Option("--abandon", help="Give up a change of model that was begun.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Put a tenant on another embedding model; searching and ingesting go on, and a killed run is gone on with."""
    if abandon == (model is not None):
        raise Invalid("Say which model with --model NAME, or --abandon.")
    if isinstance(place := here(), StackPlace):
        _report(*reindex_there(place.operator, tenant, model), as_json=as_json)
        return
    services = wiring.current()
    found = services.tenant_care.find(tenant).tenant
    if model is None:
        services.reindex.abandon(found)
        services.operator_audit("reindex_abandon", tenant=found)
        _report(
            {"tenant": found, "abandoned": True},
            "No change of model is under way any more; the index that answers stays.",
            as_json=as_json,
        )
        return
    let_servers_go_first()
    begun = monotonic()
    done = _run(found, model)
    facts = {
        "tenant": found,
        "before": done.before.name,
        "model": done.after.name,
        "dimension": done.after.dimension,
        "documents": done.documents,
        "segments": done.segments,
        "embedded": done.embedded,
        "seconds": round(monotonic() - begun, 1),
    }
    services.operator_audit("reindex", **facts)
    line = f"{done.after.name} answers for {done.documents} documents; {done.embedded} segments were embedded."
    _report(facts, line, as_json=as_json)


def _run(tenant: str, model: str) -> Reindexed:
    services = wiring.current()
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=ERR, transient=True, disable=not ERR.is_terminal) as progress:
        task = progress.add_task("segments", total=None)
        told = monotonic()

        def report(done: int, total: int) -> None:
            nonlocal told
            progress.update(task, completed=done, total=total)
            if not ERR.is_terminal and monotonic() - told > _TOLD_EVERY_S:
                told = monotonic()
                warn(f"{done} of {total} segments are in the new index")

        return services.reindex(tenant, services.model_named(model), Pace(report))


def _report(facts: Mapping[str, object], line: str, *, as_json: bool) -> None:
    if as_json:
        print_json(facts)
    else:
        print_line(line)
