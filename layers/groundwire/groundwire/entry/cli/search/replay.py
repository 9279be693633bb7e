"""`groundwire replay`: the documents that every dialect answers one question with."""

from typing import Annotated, Final

import typer

from groundwire import wiring
from groundwire.domain.access.policy import Principal
from groundwire.domain.access.policy_input import parse_tags
from groundwire.domain.access.tags import parse_user
from groundwire.domain.audit.lines import person_facts
from groundwire.domain.errors import Conflict
from groundwire.domain.limits import DEFAULT_TOP_N, MAX_TOP_N
from groundwire.entry.cli.console import print_json, print_line, print_rows
from groundwire.entry.cli.keys.tag_questions import name_new_tags
from groundwire.entry.cli.options import JsonOption, TenantOption, examples, warn_of_spaces
from groundwire.entry.cli.search.command import local_caller
from groundwire.entry.cli.target import current_target

EXAMPLES: Final = examples(
    'groundwire replay "How many days of annual leave do I get?" --tenant acme --collection handbook'
)


def replay(
    question: Annotated[str, typer.Argument(help="The question.")],
    tenant: TenantOption,
    collection: Annotated[str, typer.Option("--collection", "-c", help="Collection to search.")],
    user: Annotated[str | None, typer.Option("--user", help="Search as this user.")] = None,
    tag: Annotated[
        list[str], typer.Option("--tag", help="A tag of the session; repeat for more.", callback=warn_of_spaces)
    ] = [],
    top_n: Annotated[int, typer.Option(min=1, max=MAX_TOP_N, help="Number of passages.")] = DEFAULT_TOP_N,
    *,
    as_json: JsonOption = False,
) -> None:
    """Send one question through every dialect and compare the documents of the answers."""
    from groundwire.dialects.declaration.replay import ReplayedQuestion
    from groundwire.dialects.replay import DialectReplay, first_difference

    name_new_tags(current_target().tenant(tenant), parse_tags(tag))
    services = wiring.local_services()
    tenant_id = services.administration.tenant_admin.find(tenant).tenant
    name = services.administration.collection_admin.find(tenant_id, collection).name
    principal = Principal(tenant_id, parse_user(user) if user else None, parse_tags(tag))
    caller = local_caller(principal, frozenset({name}), top_n, 0)

    def file_name(doc_id: str) -> str | None:
        document = services.reading.document_reader.document(caller, doc_id)
        return None if document is None else document.source_file_name

    compared = DialectReplay(
        services.agents.dialects, services.agents.mcp_server, services.agents.dialect_services, file_name
    )
    answers = compared(caller, ReplayedQuestion(question, name, top_n))
    services.administration.audit_operator_action("replay", tenant=tenant_id, **person_facts(principal))
    rank = first_difference(answers)
    rows = [{"dialect": each.dialect, "documents": list(each.documents)} for each in answers]
    if as_json:
        print_json({"answers": rows, "first_difference": rank})
    else:
        shown = [{**row, "documents": ", ".join(row["documents"])} for row in rows]
        print_rows(
            shown,
            ["dialect", "documents"],
            as_json=False,
            empty_message="No dialect that is switched on can be compared.",
        )
    # After the output: whoever compares needs the lists to see the difference.
    if rank is not None:
        raise Conflict(f"The dialects return different documents at rank {rank}: their answers should agree.")
    if not as_json:
        print_line("Every dialect returns the same documents in the same order.")
