"""`groundwire search`: what an agent would get for this user and these tags, and why."""

from typing import Annotated

import typer

from groundwire import wiring
from groundwire.domain.access import Principal
from groundwire.domain.caller import Caller
from groundwire.domain.errors import Invalid
from groundwire.domain.filter_text import parse_filter
from groundwire.domain.filters import Filter
from groundwire.domain.grants import EVERY, CollectionGrant, KeyKind
from groundwire.domain.limits import DEFAULT_TOP_N, MAX_EXPAND_TOKENS, MAX_PHRASES, MAX_TOP_N
from groundwire.domain.policy_form import tag_set
from groundwire.domain.scopes import Scope
from groundwire.domain.tags import parse_user
from groundwire.domain.toolsets import DEFAULT_TOOLSET
from groundwire.entry.audit_record import who
from groundwire.entry.cli.console import JsonOption, TenantOption, print_json, warn
from groundwire.entry.cli.place import RemotePlace, here
from groundwire.entry.cli.remote_search import headers_for, search_there
from groundwire.entry.cli.search_report import print_explained, print_passages
from groundwire.entry.rows import passage_row
from groundwire.entry.search_rows import explained
from groundwire.services.search import named_documents


def search(
    phrases: Annotated[list[str], typer.Argument(help="The user's words, then up to four other ways to say them.")],
    tenant: TenantOption,
    user: Annotated[str | None, typer.Option("--user", help="Search as this user.")] = None,
    tag: Annotated[list[str], typer.Option("--tag", help="A tag of the session; repeat for more.")] = [],
    collection: Annotated[
        list[str], typer.Option("--collection", "-c", help="Only this collection; repeat for more.")
    ] = [],
    where: Annotated[
        str | None, typer.Option("--where", help="Only documents with such metadata, e.g. 'year >= 2024'.")
    ] = None,
    top_n: Annotated[int, typer.Option(min=1, max=MAX_TOP_N, help="How many passages.")] = DEFAULT_TOP_N,
    expand: Annotated[
        int, typer.Option(min=0, max=MAX_EXPAND_TOKENS, help="Tokens of the text around it that each passage brings.")
    ] = 0,
    *,
    explain: Annotated[bool, typer.Option("--explain", help="Show why each passage stands where it does.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Search as a user would through an agent, without a key."""
    if len(phrases) > MAX_PHRASES or not all(phrase.strip() for phrase in phrases):
        raise Invalid(f"Give 1 to {MAX_PHRASES} phrases, none of them blank; quote each.")
    narrowed = None if where is None else parse_filter(where)
    if isinstance(place := here(), RemotePlace):
        if collection or expand:
            raise Invalid("With --url the key decides about collections and the text around: make another key.")
        asked = {"phrases": phrases, "top_n": top_n, "where": where, "explain": explain}
        search_there(place, tenant, asked, headers_for(user, tag), as_json=as_json)
        return
    services = wiring.current()
    found = services.tenant_care.find(tenant).tenant
    grant = frozenset(services.collection_care.find(found, name).name for name in collection) or EVERY
    caller = _caller(Principal(found, parse_user(user) if user else None, tag_set(tag)), grant, top_n, expand)
    _print_search(caller, phrases, narrowed, explain=explain, as_json=as_json)


def _print_search(caller: Caller, phrases: list[str], narrowed: Filter | None, *, explain: bool, as_json: bool) -> None:
    services, principal = wiring.current(), caller.principal
    trace = services.search.traced(caller, phrases, caller.top_n, narrowed)
    facts = {"tenant": principal.tenant, "documents": named_documents(trace.answer)}
    services.operator_audit("search", **facts, **who(principal))
    for notice in trace.notices:
        warn(notice)
    if explain and as_json:
        print_json(explained(trace))
    elif explain:
        print_explained(trace)
    elif as_json:
        print_json([passage_row(passage) for passage in trace.answer])
    else:
        print_passages(trace.answer, with_context=caller.expand_tokens > 0)


def _caller(principal: Principal, grant: CollectionGrant, top_n: int, expand_tokens: int) -> Caller:
    return Caller(
        principal=principal,
        kid="command-line",
        kind=KeyKind.ACT_AS,
        scopes=frozenset({Scope.SEARCH}),
        collections=grant,
        top_n=top_n,
        toolset=DEFAULT_TOOLSET,
        expand_tokens=expand_tokens,
    )
