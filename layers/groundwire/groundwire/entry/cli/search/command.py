"""`groundwire search`: the passages that an agent gets for a user and tags, with an explanation."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Annotated, Final, cast

import typer

from groundwire import wiring
from groundwire.domain.access.policy import Principal
from groundwire.domain.access.policy_input import parse_tags
from groundwire.domain.access.scopes import Scope
from groundwire.domain.access.similar_tags import nearest_tag
from groundwire.domain.access.tags import parse_user
from groundwire.domain.audit.lines import person_facts
from groundwire.domain.errors import InvalidInput, NotFound
from groundwire.domain.filters.own.parser import parse_filter
from groundwire.domain.keys.caller import Caller
from groundwire.domain.keys.grants import ALL_COLLECTIONS, CollectionGrant, KeyKind
from groundwire.domain.keys.options import USUAL_OPTIONS
from groundwire.domain.limits import DEFAULT_TOP_N, MAX_EXPAND_TOKENS, MAX_PHRASES, MAX_TOP_N
from groundwire.domain.search.request import ALL_DOCUMENTS, SearchRequest
from groundwire.entry.cli.console import Row, print_json, print_line, warn
from groundwire.entry.cli.keys.tag_questions import name_new_tags
from groundwire.entry.cli.options import JsonOption, TenantOption, examples, warn_of_spaces
from groundwire.entry.cli.search.explanation import print_explanation
from groundwire.entry.cli.search.report import notice_for_people, print_passage_rows, print_passages
from groundwire.entry.cli.target import RestTarget, current_target
from groundwire.entry.serialization.entities import passage_to_json
from groundwire.entry.serialization.search_explanation import explanation_to_json
from groundwire.services.search import audited_documents


def search_remotely(
    target: RestTarget,
    tenant: str,
    request: Mapping[str, object],
    identity_headers: Mapping[str, str],
    *,
    as_json: bool,
) -> None:
    """Search through a service's REST API and print the passages.

    Raises:
        InvalidInput: an explanation was requested without JSON.
        DomainError: the error that the service returns.
    """
    target.tenant(tenant)
    if request.get("explain") and not as_json:
        raise InvalidInput("With --url, use --explain only together with --json.")
    response = target.api.post("/v1/search", request, identity_headers)
    notice = notice_for_people(cast("str | None", response.get("notice")))
    if notice:
        warn(notice)
    passages = cast("Sequence[Row]", response["passages"])
    if request.get("explain"):
        print_json({name: value for name, value in response.items() if name != "notice"})
    elif as_json:
        print_json(passages)
    else:
        print_passage_rows(passages, cast("Sequence[str]", request["phrases"]), notice)
        if passages:
            print_line("")


def identity_headers(user: str | None, tags: list[str]) -> dict[str, str]:
    """Return the identity headers for a key that acts for others; none without a user and tags."""
    headers = {"x-user-id": user, "x-session-tags": json.dumps(sorted(parse_tags(tags))) if tags else None}
    return {name: value for name, value in headers.items() if value is not None}


EXAMPLES: Final = examples(
    'groundwire search "How many days of annual leave do I get?" --tenant acme',
    'groundwire search "price of a Sandpiper 400" --tenant acme --tag department:sales --explain',
)


def search(
    phrases: Annotated[list[str], typer.Argument(help="The question, then up to four other wordings of it.")],
    tenant: TenantOption,
    user: Annotated[str | None, typer.Option("--user", help="Search with the rights of this user.")] = None,
    tag: Annotated[
        list[str], typer.Option("--tag", help="Session tag of the user; repeat for more.", callback=warn_of_spaces)
    ] = [],
    collection: Annotated[
        list[str], typer.Option("--collection", "-c", help="Search only this collection; repeat for more.")
    ] = [],
    where: Annotated[str | None, typer.Option("--where", help="Filter by metadata, such as 'year >= 2024'.")] = None,
    top_n: Annotated[int, typer.Option(min=1, max=MAX_TOP_N, help="Number of passages.")] = DEFAULT_TOP_N,
    expand: Annotated[
        int, typer.Option(min=0, max=MAX_EXPAND_TOKENS, help="Tokens of surrounding text for each passage.")
    ] = 0,
    min_relevance: Annotated[
        float | None,
        typer.Option(min=0.0, max=1.0, help="Leave out less relevant passages, 0 to 1; 0 turns off the floor, too."),
    ] = None,
    *,
    explain: Annotated[bool, typer.Option("--explain", help="Show how each passage got its rank.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Search as a user does through an agent; no key is needed."""
    if len(phrases) > MAX_PHRASES or not all(phrase.strip() for phrase in phrases):
        raise InvalidInput(f"Give 1 to {MAX_PHRASES} phrases that are not blank, each in quotes.")
    filter_expression = None if where is None else parse_filter(where)
    name_new_tags(current_target().tenant(tenant), parse_tags(tag))
    if isinstance(target := current_target(), RestTarget):
        if expand:
            raise InvalidInput("With --url, the key sets the surrounding text. Create a key with another number.")
        body: dict[str, object] = {"phrases": phrases, "top_n": top_n, "where": where, "explain": explain}
        if min_relevance is not None:
            body["min_relevance"] = min_relevance
        if collection:
            body["collections"] = collection
        search_remotely(target, tenant, body, identity_headers(user, tag), as_json=as_json)
        return
    services = wiring.local_services()
    tenant_id = services.administration.tenant_admin.find(tenant).tenant
    grant = frozenset(_existing_collection(tenant_id, name) for name in collection) or ALL_COLLECTIONS
    principal = Principal(tenant_id, parse_user(user) if user else None, parse_tags(tag))
    caller = local_caller(principal, grant, top_n, expand)
    request = SearchRequest.for_caller(
        caller, phrases, collections=ALL_COLLECTIONS, documents=ALL_DOCUMENTS, where=filter_expression
    )
    _print_search(caller, replace(request, min_relevance=min_relevance), explain=explain, as_json=as_json)


def _existing_collection(tenant: str, name: str) -> str:
    """Return the name of a collection.

    Raises:
        NotFound: there is no such collection; the operator may know which ones there are.
    """
    services = wiring.local_services()
    names = [each.name for each in services.stores.collections.all(tenant)]
    if name in names:
        return name
    nearest = nearest_tag(name, names)
    meant = "" if nearest is None else f" Did you mean {nearest!r}?"
    raise NotFound(f"There is no collection {name!r}.{meant}", "collection")


def _print_search(caller: Caller, request: SearchRequest, *, explain: bool, as_json: bool) -> None:
    services, principal = wiring.local_services(), caller.principal
    trace = services.reading.search.traced(caller, request)
    documents = audited_documents(trace.answer)
    # The operator reads as somebody else, which the audit log must show.
    services.administration.audit_operator_action(
        "search", tenant=principal.tenant, documents=documents, **person_facts(principal)
    )
    best = max((each.relevance for each in trace.ordered if each.relevance is not None), default=None)
    if (notice := notice_for_people(trace.result.notice, best)) is not None:
        warn(notice)
    if explain and as_json:
        print_json(explanation_to_json(trace))
    elif explain:
        print_explanation(trace, notice)
    elif as_json:
        print_json([passage_to_json(passage) for passage in trace.answer])
    else:
        print_passages(trace.answer, request.phrases, with_context=caller.options.expand_tokens > 0, notice=notice)


def local_caller(principal: Principal, collections: CollectionGrant, top_n: int, expand_tokens: int) -> Caller:
    """Return the caller of a search without a key."""
    return Caller(
        principal=principal,
        kid="command-line",
        kind=KeyKind.ACT_AS,
        scopes=frozenset({Scope.SEARCH}),
        collections=collections,
        options=replace(USUAL_OPTIONS, top_n=top_n, expand_tokens=expand_tokens),
    )
