"""Search: phrases and passages."""

from dataclasses import replace
from typing import Annotated, Final, Literal

from fastapi import APIRouter, Query

from groundwire.domain.access.scopes import Scope, missing_scope
from groundwire.domain.audit.lines import person_facts
from groundwire.domain.documents.links import safe_url_or_none
from groundwire.domain.errors import Forbidden, InvalidInput
from groundwire.domain.filters.own.parser import parse_filter
from groundwire.domain.keys.caller import Caller
from groundwire.domain.keys.grants import ALL_COLLECTIONS
from groundwire.domain.search.request import ALL_DOCUMENTS, SearchRequest
from groundwire.entry.rest.access_schema import PersonBody
from groundwire.entry.rest.middleware.context import CurrentContext, RestContext
from groundwire.entry.rest.middleware.scoped_route import ScopedRoute
from groundwire.entry.rest.routes.search.blocks import SearchResultAnswer, search_result_block
from groundwire.entry.rest.routes.search.schema import SearchAnswer, SearchBody
from groundwire.entry.rest.schema import declared_errors
from groundwire.entry.serialization.entities import passage_to_json
from groundwire.entry.serialization.search_explanation import readable_passages_to_json, readable_steps_to_json
from groundwire.services.search import Trace

router: Final = APIRouter(prefix="/v1/search", tags=["search"], route_class=ScopedRoute)

JsonObject = dict[str, object]


@router.post(
    "",
    response_model=SearchAnswer | SearchResultAnswer,
    response_model_exclude_unset=True,
    responses=declared_errors(404, 413),
)
async def search(
    body: SearchBody,
    context: CurrentContext,
    form: Annotated[
        Literal["passages", "search_result"],
        Query(alias="as", description="`search_result`: blocks for Anthropic's Messages API, in `content`."),
    ] = "passages",
) -> JsonObject:
    """Search; the answer has only passages that the caller, or the person of `as`, can read now."""
    for name, is_given in (("explain", body.explain), ("as", body.person is not None)):
        if is_given and form == "search_result":
            raise InvalidInput(f"`{name}` has no place in `search_result` blocks: leave one of them out.")
    if body.explain and missing_scope(context.caller.scopes, Scope.ADMIN) is not None:
        raise Forbidden("`explain` needs a key with the scope `admin`.")
    phrases = [phrase for phrase in body.phrases if phrase.strip()]
    if not phrases:
        raise InvalidInput("`phrases` contains no text.")
    caller = context.caller if body.person is None else _person(context, body.person)
    named = ALL_COLLECTIONS if body.collections is None else frozenset(body.collections)
    request = SearchRequest.for_caller(
        caller,
        phrases,
        collections=named,
        documents=ALL_DOCUMENTS,
        where=None if body.where is None else parse_filter(body.where),
        top_n=body.top_n,
    )
    reading = context.services.reading
    trace = reading.search.traced(caller, replace(request, min_relevance=body.min_relevance))
    result = trace.result
    if not trace.answer:
        result = replace(result, unreadable=reading.unreadable_names(caller, named))
    context.note(phrases=len(phrases))
    context.note(**result.audit_fields(result.passages))
    if form == "search_result":
        blocks = [
            search_result_block(passage, url) for passage, url in zip(trace.answer, _urls(context, trace), strict=True)
        ]
        return {"content": blocks, "notice": result.notice}
    urls = _urls(context, trace) if body.person is None else _own_urls(trace)
    rows, explanation = _rows(caller, trace, is_explained=body.explain)
    passages = [{**row, "source_url": url} for row, url in zip(rows, urls, strict=True)]
    return {**explanation, "passages": passages, "notice": result.notice}


def _person(context: RestContext, body: PersonBody) -> Caller:
    """Return the caller that the person's own call would have; the audit line names both, also after a refusal."""
    from groundwire.services.documents.browse.access.person import PersonQuery

    context.note(as_user=body.user)
    if body.kid is not None:
        context.note(as_key=body.kid)
    query = PersonQuery(body.user, body.tags, body.kid)
    caller = context.services.administration.explanations.search_as(context.caller, query)
    facts = person_facts(caller.principal)
    context.note(as_user=facts["user"], as_tags_hash=facts["tags_hash"])
    return caller


def _rows(caller: Caller, trace: Trace, *, is_explained: bool) -> tuple[list[JsonObject], JsonObject]:
    """Return the passages, and the members of the answer that explain all of them."""
    if not is_explained:
        return [passage_to_json(each) for each in trace.answer], {}
    steps = {**readable_steps_to_json(trace), "tags_ignored": caller.tags_ignored}
    return readable_passages_to_json(trace, caller.principal), steps


def _own_urls(trace: Trace) -> list[str | None]:
    """Return the documents' own URLs: a link of this server would outlive the administrator's right to search so."""
    return [safe_url_or_none(passage.document.source_url) for passage in trace.answer]


def _urls(context: RestContext, trace: Trace) -> list[str]:
    """Return the URL of each passage, where the caller can open its document at the passage."""
    cite, caller = context.services.reading.source_links.cite, context.caller
    return [
        cite(passage.document, caller, passage.segment.page_first, passage.segment.uid).url for passage in trace.answer
    ]
