"""Questions about access: may a person read a document and why, who can read it, what can a person read, what if."""

from typing import TYPE_CHECKING, Final

from fastapi import APIRouter

from groundwire.entry.rest.access_schema import (
    AccessAnswer,
    AccessQuestion,
    ChangeQuestion,
    DocumentsAnswer,
    DocumentsEffectAnswer,
    DocumentsQuestion,
    PersonBody,
    ReadersAnswer,
    ReadersEffectAnswer,
    ReadersQuestion,
    SearchOutcomeAnswer,
    SearchQuestionBody,
)
from groundwire.entry.rest.middleware.context import CurrentContext, RestContext
from groundwire.entry.rest.middleware.scoped_route import ScopedRoute
from groundwire.entry.rest.routes.cursors import next_cursor, position_of
from groundwire.entry.rest.schema import declared_errors
from groundwire.entry.serialization.access import (
    effect_to_json,
    explanation_to_json,
    read_change,
    read_search,
    readable_to_json,
    readers_to_json,
    search_explanation_to_json,
)
from groundwire.entry.serialization.access_facts import (
    answer_facts,
    change_facts,
    document_facts,
    effect_facts,
    query_facts,
)
from groundwire.entry.serialization.object_reader import ObjectReader
from groundwire.services.documents.browse.access.view import caller_access

if TYPE_CHECKING:
    from groundwire.services.documents.browse.access.person import PersonQuery

router: Final = APIRouter(prefix="/v1/access", tags=["access"], route_class=ScopedRoute)

JsonObject = dict[str, object]

_LIST: Final = "access-documents"


@router.post("/check", response_model=AccessAnswer, responses=declared_errors(404, 413))
async def check_access(question: AccessQuestion, context: CurrentContext) -> JsonObject:
    """Return whether a person may read a document, why, and what would change it."""
    view = caller_access(context.caller)
    found = context.services.administration.explanations.check(view, _person(context, question), question.document)
    context.note(**answer_facts(found.person, found.document))
    return explanation_to_json(found, view)


@router.post("/readers", response_model=ReadersAnswer, responses=declared_errors(404, 413))
async def list_readers(question: ReadersQuestion, context: CurrentContext) -> JsonObject:
    """List who can read a document: users, sets of tags, groups and keys within the bounds of this key."""
    view = caller_access(context.caller)
    found = context.services.administration.explanations.readers(view, question.document)
    context.note(**document_facts(found.document))
    return readers_to_json(found)


@router.post("/documents", response_model=DocumentsAnswer, responses=declared_errors(404, 413))
async def list_readable(question: DocumentsQuestion, context: CurrentContext) -> JsonObject:
    """List the documents that a person can read, among those that this key manages, by id."""
    view, person = caller_access(context.caller), _person(context, question)
    after = position_of(context, _LIST, question.after)
    page = context.services.administration.explanations.documents(
        view, person, question.collection, after, question.limit
    )
    context.note(**answer_facts(page.person))
    following = None if page.next_after is None else next_cursor(context, _LIST, page.next_after)
    return {**readable_to_json(page, view), "next": following}


@router.post(
    "/what-if", response_model=ReadersEffectAnswer | DocumentsEffectAnswer, responses=declared_errors(404, 409, 413)
)
async def simulate_change(question: ChangeQuestion, context: CurrentContext) -> JsonObject:
    """Return who would gain and lose what by a change; nothing is changed."""
    view, fields = caller_access(context.caller), ObjectReader(question.model_dump(exclude_none=True))
    change = read_change(fields)
    fields.reject_unread()
    context.note(**change_facts(change))
    effect = context.services.administration.explanations.what_if(view, change)
    context.note(**effect_facts(effect))
    return effect_to_json(effect)


@router.post("/why-not", response_model=SearchOutcomeAnswer, responses=declared_errors(404, 413))
async def explain_search(question: SearchQuestionBody, context: CurrentContext) -> JsonObject:
    """Return why a search of a person does not show a document: the step at which it fell away."""
    view, person = caller_access(context.caller), _person(context, question)
    members = question.model_dump(
        include={"phrases", "collections", "where", "top_n", "min_relevance"}, exclude_none=True
    )
    explain = context.services.administration.explanations.missing_document(context.services.reading)
    found = explain(view, person, question.document, read_search(ObjectReader(members)))
    context.note(**answer_facts(found.access.person, found.access.document))
    return search_explanation_to_json(found, view)


def _person(context: RestContext, body: PersonBody) -> "PersonQuery":
    from groundwire.services.documents.browse.access.person import PersonQuery

    query = PersonQuery(body.user, body.tags, body.kid)
    # Before the answer, as a refused question was put, too.
    context.note(**query_facts(query))
    return query
