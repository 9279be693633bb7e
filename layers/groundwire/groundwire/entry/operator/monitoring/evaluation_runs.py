"""Run of an evaluation with questions that come with the call, over the documents of a tenant."""

import secrets
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from groundwire.domain.errors import InvalidInput
from groundwire.domain.keys.grants import ALL_COLLECTIONS, CollectionGrant
from groundwire.entry.operator.monitoring.evaluations import show_evaluation, stored_evaluations

if TYPE_CHECKING:
    from groundwire.services.evaluate.test_set import Question
    from groundwire.wiring.services import ApiServices

Row = dict[str, object]


class EvaluationRequest(NamedTuple):
    """Questions of a call.

    Attributes:
        name: name of the test set.
        collection: the only one that is searched; None: all.
        questions: with distinct ids.
        judgements: grades of documents by question id; a document is named by id, file name or the end of its path.
    """

    name: str
    collection: str | None
    questions: "Sequence[Question]"
    judgements: Mapping[str, Mapping[str, int]]


def run_evaluation(services: "ApiServices", tenant: str, request: EvaluationRequest) -> Row:
    """Search the questions, store the results, and return them with the names of documents that are `unknown`.

    Raises:
        InvalidInput: two questions have one id, or one has no document that answers it.
        NotFound: the deployment stores no evaluations, or there is no such collection.
        Unavailable: a configured model does not answer.
    """
    # Imported on use: no other call needs statistics.
    from groundwire.entry.operator.monitoring.evaluation_members import method_members, question_members
    from groundwire.ports.registry.evaluations import StoredEvaluation
    from groundwire.services.evaluate.measurement import summarise
    from groundwire.services.evaluate.test_set import TestSet, with_document_ids

    stored = stored_evaluations(services)
    _check(request)
    admin, name = services.administration.collection_admin, request.collection
    weight = None if name is None else admin.find(tenant, name).bm25_weight
    documents = services.stores.documents.all(tenant, name)
    judgements, unknown = with_document_ids(documents, request.judgements)
    grant: CollectionGrant = ALL_COLLECTIONS if name is None else frozenset({name})
    tests = TestSet(request.name, request.questions, judgements)
    results = services.reading.search_evaluator(tenant, grant, tests, lambda _done, _total: None)
    summary: Row = {
        "name": request.name,
        "qrels": "",
        "operator": None,
        "collection": name,
        "model": services.stores.indexes.for_tenant(tenant).model.name,
        "documents": len(documents),
        "segments": sum(each.segments for each in documents),
        "bm25_weight": weight,
        "questions": len(results),
        "rows": list(map(method_members, summarise(results))),
    }
    evaluation = StoredEvaluation(f"e_{secrets.token_hex(8)}", services.clock(), summary)
    stored.add(tenant, evaluation, list(map(question_members, results)))
    return {**show_evaluation(services, tenant, evaluation.evaluation_id), "unknown": sorted(unknown)}


def _check(request: EvaluationRequest) -> None:
    ids = [each.id for each in request.questions]
    if len(set(ids)) < len(ids):
        raise InvalidInput("Two questions have the same `id`.")
    for name in ids:
        if not any(grade > 0 for grade in request.judgements[name].values()):
            raise InvalidInput(f"The question {name!r} needs a document in `relevant` with a grade above 0.")
