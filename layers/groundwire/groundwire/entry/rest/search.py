"""`/v1/search`: the search that agents have, for people and scripts."""

from typing import Final

from fastapi import APIRouter

from groundwire.domain.errors import Denied, Invalid
from groundwire.domain.filter_text import parse_filter
from groundwire.domain.scopes import Scope, missing_scope
from groundwire.entry.rest.models.search import SearchAnswer, SearchBody
from groundwire.entry.rest.scoped_route import ScopedRoute
from groundwire.entry.rest.work import Asked, Work
from groundwire.entry.rows import passage_row
from groundwire.entry.search_rows import course, explained_passages
from groundwire.services.search import Found, Trace

router: Final = APIRouter(prefix="/v1/search", tags=["search"], route_class=ScopedRoute)

Row = dict[str, object]


@router.post("", response_model=SearchAnswer, response_model_exclude_unset=True)
async def search(asked: SearchBody, work: Asked) -> Row:
    """Ranked passages, and only those that the caller may read at this moment."""
    if asked.explain and missing_scope(work.caller.scopes, Scope.ADMIN) is not None:
        # It counts candidates, among them some that the caller may not read any more.
        raise Denied("`explain` needs a key with the scope `admin`.")
    phrases = [phrase for phrase in asked.phrases if phrase.strip()]
    if not phrases:
        raise Invalid("`phrases` holds no text.")
    where = None if asked.where is None else parse_filter(asked.where)
    trace = work.services.search.traced(work.caller, phrases, asked.top_n or work.caller.top_n, where)
    found = Found(tuple(trace.answer), " ".join(trace.notices) or None, trace.acl_mismatches)
    work.note(phrases=len(phrases), **found.facts(found.passages))
    rows = explained_passages(trace) if asked.explain else [passage_row(each) for each in trace.answer]
    explanation = {**course(trace), "tags_ignored": work.caller.tags_ignored} if asked.explain else {}
    return {**explanation, "passages": _linked(work, trace, rows), "notice": found.notice}


def _linked(work: Work, trace: Trace, rows: list[Row]) -> list[Row]:
    """Each with where the caller can open its document."""
    link_to, caller = work.services.links.to, work.caller
    urls = {each.document.doc_id: link_to(each.document, caller) for each in trace.answer}
    return [{**row, "source_url": urls[str(row["doc_id"])]} for row in rows]
