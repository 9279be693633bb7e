"""`groundwire evaluation`: the evaluations that `groundwire eval` stored."""

from collections.abc import Iterator, Mapping
from typing import Annotated, Final, cast

import typer

from groundwire.entry.cli.console import Row, print_json, print_line, print_rows
from groundwire.entry.cli.options import JsonOption, TenantOption, examples
from groundwire.entry.cli.target import current_target
from groundwire.entry.cli.target.action_client import row_of, rows_of

app = typer.Typer(no_args_is_help=True)

_COLUMNS: Final = ["id", "created_at", "name", "collection", "questions", "bm25_weight", "nDCG@10"]
_MOST_LOSSES: Final = 10
IdArgument = Annotated[str, typer.Argument(metavar="ID", help="Id of an evaluation, of `groundwire evaluation list`.")]


@app.command("list", epilog=examples("groundwire evaluation list --tenant acme"))
def list_evaluations(tenant: TenantOption, *, as_json: JsonOption = False) -> None:
    """List the stored evaluations, the latest first."""
    rows = current_target().tenant(tenant).evaluations.all()
    shown = rows if as_json else [{**row, "nDCG@10": f"{_mean(row):.4f}"} for row in rows]
    print_rows(shown, _COLUMNS, as_json=as_json, empty_message="No evaluation is stored. Run `groundwire eval` first.")


@app.command(epilog=examples("groundwire evaluation show $EVALUATION --tenant acme"))
def show(evaluation: IdArgument, tenant: TenantOption, *, as_json: JsonOption = False) -> None:
    """Show an evaluation with its questions, the worst ones first."""
    found = current_target().tenant(tenant).evaluations.show(evaluation)
    if as_json:
        print_json(found)
        return
    summary = row_of(found, "evaluation")
    print_line(f"{summary['name']}: {summary['questions']} questions, nDCG@10 {_mean(summary):.4f}", style="bold")
    questions = sorted(rows_of(found, "per_question"), key=_ndcg)
    rows = [{"nDCG@10": f"{_ndcg(each):.3f}", "question": each["text"], "id": each["id"]} for each in questions]
    print_rows(rows, ["nDCG@10", "question", "id"], as_json=False, empty_message="It has no questions.")


@app.command(epilog=examples("groundwire evaluation compare $EVALUATION $EARLIER --max-loss 0.02 --tenant acme"))
def compare(
    evaluation: IdArgument,
    earlier: Annotated[str, typer.Argument(metavar="EARLIER", help="Id of the evaluation to compare with.")],
    tenant: TenantOption,
    max_loss: Annotated[
        float | None,
        typer.Option(min=0.0, max=1.0, help="Exit with code 1 if the mean of nDCG@10 fell by more than this."),
    ] = None,
    *,
    as_json: JsonOption = False,
) -> int:
    """Compare an evaluation with an earlier one, question by question, the largest loss first."""
    found = current_target().tenant(tenant).evaluations.compare(evaluation, earlier, max_loss)
    gate = None if found["gate"] is None else row_of(found, "gate")
    if as_json:
        print_json(found)
    else:
        for line in _comparison_lines(found, gate):
            print_line(line)
    return 0 if gate is None or gate["passed"] else 1


@app.command(epilog=examples("groundwire evaluation delete $EVALUATION --tenant acme"))
def delete(evaluation: IdArgument, tenant: TenantOption) -> None:
    """Delete an evaluation with its questions."""
    current_target().tenant(tenant).evaluations.delete(evaluation)
    print_line(f"The evaluation {evaluation} is deleted.")


def _comparison_lines(found: Row, gate: Row | None) -> Iterator[str]:
    change = cast("Mapping[str, float]", found["change"])
    interval = f"{change['low']:+.4f} to {change['high']:+.4f}"
    yield f"{found['questions']} questions: nDCG@10 {change['mean']:+.4f} ({interval}, p {found['p']:.3f})."
    yield f"{found['better']} better, {found['worse']} worse, {found['equal']} equal."
    if found["unmatched"]:
        yield f"Questions that only one of the two has: {found['unmatched']}."
    changed = [each for each in rows_of(found, "differences") if each["before"] != each["after"]]
    for each in changed[:_MOST_LOSSES]:
        yield f"  {each['before']:.3f} -> {each['after']:.3f}  {each['text']} ({each['id']})"
    if len(changed) > _MOST_LOSSES:
        yield f"  and {len(changed) - _MOST_LOSSES} more, which --json has"
    if gate is not None:
        decision = "passed" if gate["passed"] else "failed"
        yield f"The gate {decision}: the mean may fall by {gate['max_loss']:g}."


def _mean(row: Row) -> float:
    """Return the mean nDCG@10 of the search, which is the first row of every evaluation."""
    first = rows_of(row, "rows")[0]
    return cast("Mapping[str, float]", first["ndcg_at_10"])["mean"]


def _ndcg(question: Row) -> float:
    scores = cast("Mapping[str, Mapping[str, float]]", question["scores"])
    return scores["search"]["ndcg_at_10"]
