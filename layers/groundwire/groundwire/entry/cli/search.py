"""`groundwire search`: what an agent would get for this user and these tags."""

from typing import Annotated

import typer

from groundwire import wiring
from groundwire.domain.access import Principal
from groundwire.domain.caller import Caller
from groundwire.domain.errors import Invalid
from groundwire.domain.grants import EVERY, KeyKind
from groundwire.domain.limits import DEFAULT_TOP_N, MAX_PHRASE_CHARACTERS, MAX_PHRASES, MAX_TOP_N
from groundwire.domain.policy_form import tag_set
from groundwire.domain.scopes import Scope
from groundwire.domain.tags import parse_user
from groundwire.domain.toolsets import DEFAULT_TOOLSET
from groundwire.entry.audit_record import who
from groundwire.entry.cli.console import JsonOption, TenantOption, print_json, print_line
from groundwire.services.search import Passage


def search(
    phrases: Annotated[list[str], typer.Argument(help="The user's words, then up to four other ways to say them.")],
    tenant: TenantOption,
    user: Annotated[str | None, typer.Option("--user", help="Search as this user.")] = None,
    tag: Annotated[list[str], typer.Option("--tag", help="A tag of the session; repeat for more.")] = [],
    top_n: Annotated[int, typer.Option(min=1, max=MAX_TOP_N, help="How many passages.")] = DEFAULT_TOP_N,
    *,
    as_json: JsonOption = False,
) -> None:
    """Search as a user would through an agent, without a key."""
    if len(phrases) > MAX_PHRASES or any(not 0 < len(p.strip()) <= MAX_PHRASE_CHARACTERS for p in phrases):
        raise Invalid(f"Give 1 to {MAX_PHRASES} phrases of 1 to {MAX_PHRASE_CHARACTERS} characters; quote each.")
    services = wiring.current()
    found = services.tenant_care.find(tenant).tenant
    principal = Principal(found, parse_user(user) if user else None, tag_set(tag))
    scopes = frozenset({Scope.SEARCH})
    caller = Caller(principal, "command-line", KeyKind.ACT_AS, scopes, EVERY, top_n, DEFAULT_TOOLSET)
    passages = services.search(caller, phrases, top_n)
    found_documents = sorted({f"{p.document.doc_id}@{p.document.policy_version}" for p in passages})
    services.operator_audit("search", tenant=found, documents=found_documents, **who(principal))
    if as_json:
        print_json([_row(passage) for passage in passages])
    elif not passages:
        print_line("No passage that this user may read matches.")
    else:
        for number, passage in enumerate(passages, start=1):
            _print(number, passage)


def _print(number: int, passage: Passage) -> None:
    segment, document = passage.segment, passage.document
    page = f", page {segment.page_first}" if segment.page_first else ""
    heading = f"{number}. {segment.headline}"
    print_line(heading, style="bold")
    print_line(f"   {document.source_file_name}{page}   {' > '.join(segment.heading_path)}   {passage.score:.3f}")
    print_line(f"   {segment.summary}\n")


def _row(passage: Passage) -> dict[str, object]:
    segment, document = passage.segment, passage.document
    return {
        "segment_uid": segment.uid,
        "doc_id": segment.doc_id,
        "collection": segment.collection,
        "source_file_name": document.source_file_name,
        "heading_path": list(segment.heading_path),
        "page_first": segment.page_first,
        "page_last": segment.page_last,
        "headline": segment.headline,
        "score": round(passage.score, 6),
        "text": segment.text,
    }
