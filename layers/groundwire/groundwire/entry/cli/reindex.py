"""`groundwire reindex`: a tenant's index made anew with another model, while the present one answers."""

from collections.abc import Mapping
from time import monotonic
from typing import Annotated, Final

import typer
from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from groundwire import wiring
from groundwire.domain.credentials import Tenant
from groundwire.domain.errors import Invalid
from groundwire.entry.cli.console import ERR, JsonOption, print_json, print_line, warn
from groundwire.entry.cli.place import StackPlace, here
from groundwire.entry.cli.priority import let_servers_go_first
from groundwire.entry.cli.progress import LinedProgress
from groundwire.entry.cli.stack_reindex import reindex_there
from groundwire.entry.cli.stopping import stoppable
from groundwire.entry.cli.waiting import Lines, waiting_shown
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
    owner = services.tenant_care.find(tenant)
    found = owner.tenant
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
    done = _run(owner, model)
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


def _run(tenant: Tenant, model: str) -> Reindexed:
    services = wiring.current()
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
    )
    with LinedProgress(*columns, console=ERR, transient=True, disable=not ERR.is_terminal) as bars:
        watched = _Watched(bars)
        with stoppable(watched.said), waiting_shown([tenant], show=watched.show):
            return services.reindex(tenant.tenant, services.model_named(model), Pace(watched.report))


class _Watched:
    """How far the new index is."""

    def __init__(self, bars: LinedProgress) -> None:
        self._bars = bars
        self._task = bars.add_task("segments", total=None)
        self._show = bars.show if ERR.is_terminal else Lines()
        self._told = monotonic()
        self._done = self._total = 0

    def report(self, done: int, total: int) -> None:
        """So many segments are in it."""
        self._done, self._total = done, total
        self._bars.update(self._task, completed=done, total=total)
        if not ERR.is_terminal and monotonic() - self._told > _TOLD_EVERY_S:
            self._told = monotonic()
            warn(f"{done} of {total} segments are in the new index")

    def show(self, waiting: str) -> None:
        """Only the last step waits for ingestions: before it they go on meanwhile."""
        self._show(waiting if self._done == self._total else "")

    def said(self) -> str:
        """The same in words."""
        if not self._total:
            return "no segment is in the new index yet"
        return f"{self._done:,} of {self._total:,} segments are in the new index"


def _report(facts: Mapping[str, object], line: str, *, as_json: bool) -> None:
    if as_json:
        print_json(facts)
    else:
        print_line(line)
