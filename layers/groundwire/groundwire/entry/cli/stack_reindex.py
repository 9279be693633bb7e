"""`groundwire --stack NAME reindex`: the work is done in the stack, a stretch at a time, and watched from here."""

from collections.abc import Mapping

from groundwire.entry.cli.place.stack import Operator
from groundwire.entry.cli.progress import counted_progress


def reindex_there(operator: Operator, tenant: str, model: str | None) -> tuple[Mapping[str, object], str]:
    """Facts and a line about what was done; without a model, a change that was begun is given up."""
    if model is None:
        answer = operator.order("reindex.abandon", tenant=tenant)
        return _facts(answer), "No change of model is under way any more; the index that answers stays."
    after = ""
    with counted_progress() as progress:
        while True:
            answer = operator.order("reindex.run", tenant=tenant, model=model, after=after)
            if answer["state"] == "done":
                break
            after = str(answer["after"])
            progress("segments", int(str(answer["done"])), int(str(answer["total"])))
    line = f"{answer['model']} answers for {answer['documents']} documents."
    return _facts(answer), line


def _facts(answer: Mapping[str, object]) -> dict[str, object]:
    return {name: value for name, value in answer.items() if name not in {"ok", "state"}}
