"""`groundwire reindex`: a tenant's index rebuilt with another model, while the present one answers."""

from collections.abc import Mapping
from time import monotonic
from typing import TYPE_CHECKING, Annotated, Final

import typer
from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from groundwire import wiring
from groundwire.domain.errors import InvalidInput
from groundwire.domain.keys.tenant import Tenant
from groundwire.entry.cli.console import ERR, print_json, print_line, warn
from groundwire.entry.cli.long_runs.lock_wait import RepeatedLine, show_lock_wait
from groundwire.entry.cli.long_runs.process import exit_on_signal, lower_process_priority
from groundwire.entry.cli.long_runs.progress import StatusLineProgress, counted_progress
from groundwire.entry.cli.options import JsonOption, examples
from groundwire.entry.cli.target import StackTarget, current_target
from groundwire.entry.cli.target.action_client import ActionClient
from groundwire.entry.operator.reindex import result_facts
from groundwire.services.reindex import ReindexOptions, ReindexResult

if TYPE_CHECKING:
    from groundwire.domain.audit.facts import AuditFacts


def reindex_in_stack(operator: ActionClient, tenant: str, model: str | None) -> tuple[Mapping[str, object], str]:
    """Run or abandon a change of model in a stack; return the result's fields and a line about it.

    Without a model, the change that is under way is abandoned.
    """
    if model is None:
        response = operator.execute("reindex.abandon", tenant=tenant)
        return _result_fields(response), "No model change is running. The current index stays in use."
    after = ""
    with counted_progress() as progress:
        # A Lambda function cannot run for hours: each call does a part and names the next one.
        while True:
            response = operator.execute("reindex.run", tenant=tenant, model=model, after=after)
            if response["state"] == "done":
                break
            after = str(response["after"])
            progress("segments", int(str(response["done"])), int(str(response["total"])))
    line = f"Searches use {response['model']} for {response['documents']} documents."
    return _result_fields(response), line


def _result_fields(response: Mapping[str, object]) -> dict[str, object]:
    return {name: value for name, value in response.items() if name not in {"ok", "state"}}


_LINE_INTERVAL_S: Final = 10.0
"""Seconds between progress lines where no bar can be drawn."""


EXAMPLES: Final = examples("groundwire reindex acme --model multilingual-small", "groundwire reindex acme --abandon")


def reindex(
    tenant: Annotated[str, typer.Argument(help="Name or id of the tenant.")],
    model: Annotated[str | None, typer.Option("--model", help="Name or id of an installed model.")] = None,
    *,
    abandon: Annotated[bool, typer.Option("--abandon", help="Cancel a change of model.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Move a tenant to another embedding model. Search and ingestion go on; after an interruption, run it again."""
    if abandon == (model is not None):
        raise InvalidInput("Name a model with --model NAME, or give --abandon.")
    if isinstance(target := current_target(), StackTarget):
        _report(*reindex_in_stack(target.operator, tenant, model), as_json=as_json)
        return
    services = wiring.local_services()
    owner = services.administration.tenant_admin.find(tenant)
    tenant_id = owner.tenant
    if model is None:
        services.administration.reindexer.abandon(tenant_id)
        services.administration.audit_operator_action("reindex_abandon", tenant=tenant_id)
        _report(
            {"tenant": tenant_id, "abandoned": True},
            "No model change is running. The current index stays in use.",
            as_json=as_json,
        )
        return
    # Embedding takes all cores for long, and a server on this machine must still answer.
    lower_process_priority()
    started_at = monotonic()
    result = _run(owner, model)
    facts: AuditFacts = {
        "tenant": tenant_id,
        **result_facts(result),
        "seconds": round(monotonic() - started_at, 1),
    }
    services.administration.audit_operator_action("reindex", **facts)
    fields = {name: value for name, value in facts.items() if name != "counts"} | {"documents": result.documents}
    line = (
        f"Searches use {result.current_model.name} for {result.documents} documents. Passages embedded by "
        f"this run: {result.embedded_count}."
    )
    _report(fields, line, as_json=as_json)


def _run(tenant: Tenant, model: str) -> ReindexResult:
    services = wiring.local_services()
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
    )
    with StatusLineProgress(*columns, console=ERR, transient=True, disable=not ERR.is_terminal) as bars:
        reindex_progress = _ReindexProgress(bars)
        with exit_on_signal(reindex_progress.summary), show_lock_wait([tenant], show=reindex_progress.show_wait):
            return services.administration.reindexer(
                tenant.tenant, services.models.find(model), ReindexOptions(reindex_progress.report)
            )


class _ReindexProgress:
    """Progress of the new index."""

    def __init__(self, bars: StatusLineProgress) -> None:
        self._bars = bars
        self._task = bars.add_task("segments", total=None)
        self._show_line = bars.show_line if ERR.is_terminal else RepeatedLine()
        self._last_line_at = monotonic()
        self._done = self._total = 0

    def report(self, done: int, total: int) -> None:
        """Show that `done` of `total` segments are in the new index."""
        self._done, self._total = done, total
        self._bars.update(self._task, completed=done, total=total)
        if not ERR.is_terminal and monotonic() - self._last_line_at > _LINE_INTERVAL_S:
            self._last_line_at = monotonic()
            warn(f"{done} of {total} passages are in the new index")

    def show_wait(self, message: str) -> None:
        """Show the wait for an ingestion; only the last step waits, the earlier ones run beside ingestions."""
        self._show_line(message if self._done == self._total else "")

    def summary(self) -> str:
        """Return the progress in words."""
        if not self._total:
            return "no passage is in the new index yet"
        return f"{self._done:,} of {self._total:,} passages are in the new index"


def _report(fields: Mapping[str, object], line: str, *, as_json: bool) -> None:
    if as_json:
        print_json(fields)
    else:
        print_line(line)
