"""Stored evaluations of search: list, show, comparison question by question, deletion."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final, cast

from groundwire.domain.errors import NotFound
from groundwire.entry.operator.action_result import ActionResult
from groundwire.entry.operator.monitoring.evaluation_members import comparison_members, difference_members
from groundwire.entry.serialization.stored_members import format_utc

if TYPE_CHECKING:
    from groundwire.entry.serialization.object_reader import ObjectReader
    from groundwire.ports import Evaluations
    from groundwire.ports.registry.evaluations import StoredEvaluation
    from groundwire.wiring.services import ApiServices

Row = dict[str, object]
Questions = Sequence[Mapping[str, object]]

SUMMARY_MEMBERS: Final = (
    *("name", "qrels", "operator", "collection", "model", "documents", "segments", "bm25_weight", "questions", "rows"),
)
"""Members of a stored summary that are shown; a later release may store more."""
_QUESTION_MEMBERS: Final = ("id", "text", "scores", "top")
_NOT_HERE: Final = (
    "This deployment stores no evaluations. Run `groundwire eval` with a copy of the documents on a machine."
)


def list_evaluations(services: "ApiServices", tenant: str) -> Row:
    """Return the tenant's evaluations as `evaluations`, the latest first.

    Raises:
        NotFound: the deployment stores none.
    """
    return {"evaluations": [_summary(each) for each in stored_evaluations(services).all(tenant)]}


def show_evaluation(services: "ApiServices", tenant: str, evaluation_id: str) -> Row:
    """Return an evaluation with the results of its questions as `per_question`.

    Raises:
        NotFound: there is none of this id.
    """
    evaluation, questions = _find(services, tenant, evaluation_id)
    rows = [{name: question.get(name) for name in _QUESTION_MEMBERS} for question in questions]
    return {"evaluation": _summary(evaluation), "per_question": rows}


def compare_evaluations(
    services: "ApiServices", tenant: str, evaluation_id: str, earlier_id: str, max_loss: float | None
) -> Row:
    """Return the differences of nDCG@10 between two evaluations, with the gate where a loss is allowed up to a bound.

    Args:
        services: services of the call.
        tenant: owner of both evaluations.
        evaluation_id: the evaluation.
        earlier_id: the one that it is compared with.
        max_loss: bound of the loss of the mean, 0 to 1; None: no gate.

    Raises:
        NotFound: there is none of one id. InvalidInput: they have no question in common.
    """
    # Imported on use: no other call of a function needs statistics.
    from groundwire.services.evaluate.comparison import compare

    (_, questions), (_, earlier) = (_find(services, tenant, each) for each in (evaluation_id, earlier_id))
    before = {str(each["id"]): _ndcg(each) for each in earlier}
    after = {str(each["id"]): (str(each["text"]), _ndcg(each)) for each in questions}
    found = compare(before, after)
    gate = None if max_loss is None else {"max_loss": max_loss, "passed": found.change.mean >= -max_loss}
    unmatched = len(before) + len(after) - 2 * found.questions
    # The largest loss first: it is what somebody who changed a setting has to read.
    differences = list(map(difference_members, found.differences))
    return {
        "evaluation": evaluation_id,
        "earlier": earlier_id,
        **comparison_members(found),
        "differences": differences,
        "unmatched": unmatched,
        "gate": gate,
    }


def delete_evaluation(services: "ApiServices", tenant: str, evaluation_id: str) -> Row:
    """Delete an evaluation, and return its id.

    Raises:
        NotFound: there is none of this id.
    """
    if not stored_evaluations(services).delete(tenant, evaluation_id):
        raise _unknown(evaluation_id)
    return {"id": evaluation_id}


def execute_list(services: "ApiServices", fields: "ObjectReader") -> ActionResult:
    """Return the evaluations of the tenant `tenant`."""
    tenant = fields.text("tenant")
    fields.reject_unread()
    return ActionResult(list_evaluations(services, tenant), {"tenant": tenant})


def execute_show(services: "ApiServices", fields: "ObjectReader") -> ActionResult:
    """Return the evaluation `id`."""
    tenant, evaluation_id = fields.text("tenant"), fields.text("id")
    fields.reject_unread()
    return ActionResult(show_evaluation(services, tenant, evaluation_id), {"tenant": tenant})


def execute_compare(services: "ApiServices", fields: "ObjectReader") -> ActionResult:
    """Return the comparison of the evaluation `id` with `earlier`."""
    tenant, evaluation_id, earlier = fields.text("tenant"), fields.text("id"), fields.text("earlier")
    max_loss = fields.optional_number("max_loss")
    fields.reject_unread()
    return ActionResult(compare_evaluations(services, tenant, evaluation_id, earlier, max_loss), {"tenant": tenant})


def execute_delete(services: "ApiServices", fields: "ObjectReader") -> ActionResult:
    """Delete the evaluation `id`."""
    tenant, evaluation_id = fields.text("tenant"), fields.text("id")
    fields.reject_unread()
    return ActionResult(
        delete_evaluation(services, tenant, evaluation_id), {"tenant": tenant, "evaluation": evaluation_id}
    )


def stored_evaluations(services: "ApiServices") -> "Evaluations":
    """Return the store of evaluations.

    Raises:
        NotFound: the deployment has none.
    """
    evaluations = services.installation.evaluations
    if evaluations is None:
        raise NotFound(_NOT_HERE)
    return evaluations


def _find(services: "ApiServices", tenant: str, evaluation_id: str) -> "tuple[StoredEvaluation, Questions]":
    found = stored_evaluations(services).find(tenant, evaluation_id)
    if found is None:
        raise _unknown(evaluation_id)
    return found


def _unknown(evaluation_id: str) -> NotFound:
    return NotFound(f"There is no evaluation {evaluation_id!r}.", "evaluation")


def _summary(evaluation: "StoredEvaluation") -> Row:
    members = {name: evaluation.summary.get(name) for name in SUMMARY_MEMBERS}
    return {"id": evaluation.evaluation_id, "created_at": format_utc(evaluation.created_at), **members}


def _ndcg(question: Mapping[str, object]) -> float:
    scores = cast("Mapping[str, Mapping[str, float]]", question["scores"])
    return scores["search"]["ndcg_at_10"]
