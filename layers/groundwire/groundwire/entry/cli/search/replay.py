"""`groundwire replay`: the passages that every dialect answers one question with."""

from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from typing import TYPE_CHECKING, Annotated, Final

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

if TYPE_CHECKING:
    from groundwire.dialects.declaration.replay import ReplayedQuestion
    from groundwire.dialects.replay import ReplayedAnswer
    from groundwire.domain.keys.caller import Caller

EXAMPLES: Final = examples(
    'groundwire replay "How many days of annual leave do I get?" --tenant acme --collection handbook',
    'groundwire replay "How many days of annual leave do I get?" --tenant acme --collection handbook --no-floor',
)


def replay(
    question: Annotated[str, typer.Argument(help="The question.")],
    tenant: TenantOption,
    collection: Annotated[str, typer.Option("--collection", "-c", help="Collection to search.")],
    user: Annotated[str | None, typer.Option("--user", help="Search as this user.")] = None,
    tag: Annotated[
        list[str], typer.Option("--tag", help="A tag of the session; repeat for more.", callback=warn_of_spaces)
    ] = [],
    other_user: Annotated[
        str | None, typer.Option("--other-user", help="Search as this user, too, at the same time.")
    ] = None,
    top_n: Annotated[int, typer.Option(min=1, max=MAX_TOP_N, help="Number of passages.")] = DEFAULT_TOP_N,
    *,
    no_floor: Annotated[
        bool, typer.Option("--no-floor", help="Compare complete answers, without floors, thresholds and limits.")
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Send one question through every dialect and compare the passages of the answers."""
    from groundwire.dialects.declaration.replay import ReplayedQuestion
    from groundwire.dialects.replay import comparable, first_difference

    name_new_tags(current_target().tenant(tenant), parse_tags(tag))
    services = wiring.local_services()
    tenant_id = services.administration.tenant_admin.find(tenant).tenant
    name = services.administration.collection_admin.find(tenant_id, collection).name
    people = [Principal(tenant_id, parse_user(user) if user else None, parse_tags(tag))]
    if other_user is not None:
        people.append(Principal(tenant_id, parse_user(other_user), frozenset()))
    callers = [local_caller(each, frozenset({name}), top_n, 0) for each in people]
    replayed = ReplayedQuestion(question, name, top_n, has_floor=not no_floor)
    answers = _answers(callers, replayed)
    for each in people:
        services.administration.audit_operator_action("replay", tenant=tenant_id, **person_facts(each))
    ranks = [first_difference(comparable(each, replayed)) for each in answers]
    _print(answers, ranks, [each.user for each in people], as_json=as_json)


def _answers(callers: "Sequence[Caller]", question: "ReplayedQuestion") -> "list[list[ReplayedAnswer]]":
    """Return the answers for each caller; all callers ask at the same time.

    Raises:
        Unavailable: a dialect answers with an error, or with a passage that its caller may not read.
    """
    from groundwire.dialects.declaration.replay import PassagePlace
    from groundwire.dialects.replay import DialectReplay

    services = wiring.local_services()
    read = services.reading.document_reader.segment

    def place(caller: "Caller", passage_id: str) -> PassagePlace | None:
        found = read(caller, passage_id)
        return None if found is None else PassagePlace(found.document.source_file_name, found.segment.ordinal)

    agents = services.agents
    compared = DialectReplay(agents.dialects, agents.mcp_server, agents.dialect_services, place)
    with ThreadPoolExecutor(len(callers)) as pool:
        return [each.result() for each in [pool.submit(copy_context().run, compared, one, question) for one in callers]]


def _print(
    answers: "Sequence[Sequence[ReplayedAnswer]]",
    ranks: Sequence[int | None],
    users: Sequence[str | None],
    *,
    as_json: bool,
) -> None:
    """Print the answers of each person.

    Raises:
        Conflict: answers differ that should be equal.
    """
    if as_json:
        people = [
            {"user": user, "answers": [_answer_to_json(each) for each in own], "first_difference": rank}
            for user, own, rank in zip(users, answers, ranks, strict=True)
        ]
        print_json({"people": people})
    else:
        for user, own in zip(users, answers, strict=True):
            print_line(f"As {user or 'nobody'}:")
            print_rows(
                [_row(each) for each in own],
                ["dialect", "passages", "left out"],
                as_json=False,
                empty_message="No dialect that is switched on can be compared.",
            )
    # After the output: whoever compares needs the lists to see the difference.
    if rank := next((rank for rank in ranks if rank is not None), None):
        raise Conflict(f"The dialects return different passages at rank {rank}: their answers should agree.")
    if not as_json:
        print_line("The compared dialects return the same passages in the same order.")


def _row(answer: "ReplayedAnswer") -> Mapping[str, object]:
    """Return the row of an answer; ordinals of neighbouring passages of one file are under one name."""
    by_file: list[tuple[str, list[str]]] = []
    for each in answer.passages:
        if not by_file or by_file[-1][0] != each.file_name:
            by_file.append((each.file_name, []))
        by_file[-1][1].append(str(each.ordinal))
    passages = ", ".join(f"{name} {'+'.join(ordinals)}" for name, ordinals in by_file)
    return {"dialect": answer.dialect, "passages": passages, "left out": len(answer.left_out)}


def _answer_to_json(answer: "ReplayedAnswer") -> Mapping[str, object]:
    return {
        "dialect": answer.dialect,
        "has_floor": answer.form.has_floor,
        "passages": [each._asdict() for each in answer.passages],
        "left_out": [each._asdict() for each in answer.left_out],
    }
