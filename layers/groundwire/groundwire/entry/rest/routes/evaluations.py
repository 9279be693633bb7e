"""Stored evaluations of search, for administrators of the whole tenant."""

from typing import Annotated, Final

from fastapi import APIRouter, Query
from pydantic import Field

from groundwire.domain.errors import Forbidden
from groundwire.domain.keys.sharing import is_bounded
from groundwire.domain.limits import MAX_EVALUATED_QUESTIONS, MAX_NAME_CHARACTERS, MAX_PHRASE_CHARACTERS
from groundwire.domain.text.json_values import mapping_or_empty
from groundwire.entry.operator.monitoring import evaluations
from groundwire.entry.rest.middleware.context import CurrentContext
from groundwire.entry.rest.middleware.scoped_route import ScopedRoute
from groundwire.entry.rest.schema import (
    CollectionName,
    RequestModel,
    ResponseModel,
    StrictInteger,
    Tags,
    Timestamp,
    User,
    declared_errors,
)

router: Final = APIRouter(prefix="/v1/evaluations", tags=["evaluations"], route_class=ScopedRoute)

_BOUNDED: Final = (
    "Evaluations have questions and ids of documents of the whole tenant, so this needs a key for all collections and "
    "all dialects."
)
_NOT_FOUND: Final = declared_errors(404)
_Name = Annotated[str, Field(min_length=1, max_length=MAX_NAME_CHARACTERS)]


class EstimateRecord(ResponseModel):
    """A mean over questions with its 95 % interval."""

    mean: float
    low: float
    high: float


class MethodRecord(ResponseModel):
    """Means of one ranking method over the questions."""

    ranked_by: str = Field(description="`search`, or another ranking of the same candidates.")
    ndcg_at_10: EstimateRecord
    recall_at_100: EstimateRecord
    mrr_at_10: EstimateRecord


class EvaluationRecord(ResponseModel):
    """A stored evaluation."""

    id: str
    created_at: Timestamp | None
    name: str = Field(description="Name of the test set.")
    qrels: str = Field(description="Name of its file of judgements.")
    operator: str | None = Field(description="User of the operating system that ran it.")
    collection: str | None = Field(description="Collection that was searched; null: all.")
    model: str = Field(description="Embedding model of the index.")
    documents: int = Field(description="Number of documents that were searched.")
    segments: int = Field(description="Number of their passages.")
    bm25_weight: float | None = Field(description="Weight of the collection; null where several were searched.")
    questions: int
    rows: list[MethodRecord]


class QuestionScoresRecord(ResponseModel):
    """Scores of one question with one ranking method."""

    ndcg_at_10: float
    recall_at_100: float
    mrr_at_10: float


class QuestionRecord(ResponseModel):
    """Result of one question."""

    id: str
    text: str
    scores: dict[str, QuestionScoresRecord] = Field(description="By ranking method.")
    top: list[str] = Field(description="Ids of the first ten documents of the search.")


class EvaluationList(ResponseModel):
    """The last evaluations of the tenant, the latest first."""

    evaluations: list[EvaluationRecord]


class EvaluationQuestion(RequestModel):
    """A question, searched with the rights of a user and tags, and the documents that answer it."""

    id: _Name
    text: Annotated[str, Field(min_length=1, max_length=MAX_PHRASE_CHARACTERS)]
    user: User | None = None
    tags: Tags = Field(default_factory=list)
    relevant: Annotated[dict[_Name, Annotated[StrictInteger, Field(ge=0, le=10)]], Field(max_length=100)] = Field(
        description="Grades of documents, each named by its id, its file name or the end of its path."
    )


class EvaluationBody(RequestModel):
    """Questions of a new evaluation, and the documents that are searched."""

    name: _Name = Field(description="Name of the test set.")
    collection: CollectionName | None = Field(default=None, description="Default: all collections.")
    questions: Annotated[list[EvaluationQuestion], Field(min_length=1, max_length=MAX_EVALUATED_QUESTIONS)]


class EvaluationAnswer(ResponseModel):
    """An evaluation with the results of its questions."""

    evaluation: EvaluationRecord
    per_question: list[QuestionRecord]


class NewEvaluation(EvaluationAnswer):
    """A new evaluation with the results of its questions."""

    unknown: list[str] = Field(description="Names in `relevant` that are not those of one document.")


class DifferenceRecord(ResponseModel):
    """nDCG@10 of one question in both evaluations."""

    id: str
    text: str
    before: float
    after: float


class GateRecord(ResponseModel):
    """Decision whether the mean lost more than it may."""

    max_loss: float
    passed: bool


class EvaluationComparison(ResponseModel):
    """Differences of nDCG@10 between an evaluation and an earlier one, over the questions of both."""

    evaluation: str
    earlier: str
    questions: int
    unmatched: int = Field(description="Number of questions that only one of the two has.")
    change: EstimateRecord = Field(description="Mean difference with its paired interval; above 0 means better.")
    p: float = Field(description="Probability of such a difference by chance: two-sided permutation test.")
    better: int
    worse: int
    equal: int
    differences: list[DifferenceRecord] = Field(description="The largest loss first.")
    gate: GateRecord | None = Field(description="Null without `max_loss`.")


class DeletedEvaluation(ResponseModel):
    """The evaluation that was deleted."""

    id: str


class ComparisonQuery(RequestModel):
    """The other evaluation, and the gate."""

    # Longer than an id, so that an id of a later release is unknown and not malformed.
    earlier: str = Field(max_length=64, description="Id of the evaluation to compare with.")
    max_loss: Annotated[float, Field(ge=0, le=1)] | None = Field(
        default=None, description="The gate passes if the mean of nDCG@10 fell by at most this. Default: no gate."
    )


def _tenant(context: CurrentContext) -> str:
    """Return the tenant of a key without bounds.

    Raises:
        Forbidden: the key has bounds.
    """
    # Before anything is read, so that nothing stored changes this answer.
    if is_bounded(context.caller):
        raise Forbidden(_BOUNDED)
    return context.tenant


@router.get("", response_model=EvaluationList, responses=_NOT_FOUND)
async def list_evaluations(context: CurrentContext) -> dict[str, object]:
    """List the evaluations that `groundwire eval` stored, the latest first."""
    return evaluations.list_evaluations(context.services, _tenant(context))


@router.post("", status_code=201, response_model=NewEvaluation, responses=declared_errors(404, 413))
async def run_evaluation(context: CurrentContext, body: EvaluationBody) -> dict[str, object]:
    """Search judged questions, store the results as `groundwire eval` does, and return them."""
    tenant = _tenant(context)
    # Loaded by this route alone, so that no other cold start pays for it.
    from groundwire.entry.operator.monitoring.evaluation_runs import EvaluationRequest
    from groundwire.entry.operator.monitoring.evaluation_runs import run_evaluation as run
    from groundwire.services.evaluate.test_set import Question

    context.note(questions=len(body.questions))
    # The ranks tell what the person of a question may read, as a search as this person does.
    if any(each.user or each.tags for each in body.questions):
        context.services.administration.explanations.search_as.check(context.caller)
    questions = [Question(each.id, each.text, each.user, frozenset(each.tags)) for each in body.questions]
    judgements = {each.id: each.relevant for each in body.questions}
    made = run(context.services, tenant, EvaluationRequest(body.name, body.collection, questions, judgements))
    context.note(evaluation=str(mapping_or_empty(made["evaluation"])["id"]))
    return made


@router.get("/{evaluation_id}", response_model=EvaluationAnswer, responses=_NOT_FOUND)
async def show_evaluation(context: CurrentContext, evaluation_id: str) -> dict[str, object]:
    """Show an evaluation with the results of its questions."""
    return evaluations.show_evaluation(context.services, _tenant(context), evaluation_id)


@router.get("/{evaluation_id}/comparison", response_model=EvaluationComparison, responses=_NOT_FOUND)
async def compare_evaluations(
    context: CurrentContext, evaluation_id: str, query: Annotated[ComparisonQuery, Query()]
) -> dict[str, object]:
    """Compare an evaluation with an earlier one by question."""
    tenant = _tenant(context)
    return evaluations.compare_evaluations(context.services, tenant, evaluation_id, query.earlier, query.max_loss)


@router.delete("/{evaluation_id}", response_model=DeletedEvaluation, responses=_NOT_FOUND)
async def delete_evaluation(context: CurrentContext, evaluation_id: str) -> dict[str, object]:
    """Delete an evaluation with its questions."""
    deleted = evaluations.delete_evaluation(context.services, _tenant(context), evaluation_id)
    # The file is deleted, so that the line alone shows who did it.
    context.note(evaluation=evaluation_id)
    return deleted
