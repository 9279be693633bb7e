"""`groundwire documents set-policy`: readers of one document, or of several after a plan."""

import json
from collections.abc import Sequence
from fnmatch import fnmatchcase
from typing import Annotated, Final

import typer

from groundwire.domain.access.policy import NO_READERS, Policy, removes_readers, single_policy
from groundwire.domain.access.policy_source import PolicySource
from groundwire.domain.documents import metadata
from groundwire.domain.errors import InvalidInput
from groundwire.domain.filters.expression import matches
from groundwire.domain.filters.own.parser import parse_filter
from groundwire.entry.cli.commands.documents.copies import CopiesOption, change_copies
from groundwire.entry.cli.console import Row, print_line, print_rows, warn
from groundwire.entry.cli.ingest.report import first_names
from groundwire.entry.cli.keys.tag_questions import confirm_tags
from groundwire.entry.cli.options import (
    AllTagsOption,
    AnyTagsOption,
    PublicOption,
    ReasonOption,
    TenantOption,
    UsersOption,
    examples,
    policy_from_options,
)
from groundwire.entry.cli.target import current_target
from groundwire.entry.cli.target.document_operations import DocumentOperations
from groundwire.entry.serialization.readers import describe_policy, readers_from_json

SET_POLICY_EXAMPLES: Final = examples(
    "groundwire documents set-policy $DOC --tenant acme --any-tag department:sales --user ana@acme.example",
    "groundwire documents set-policy $DOC --tenant acme --nobody",
    "groundwire documents set-policy --name '*.pptx' --tenant acme --any-tag department:sales --yes",
)
IdsArgument = Annotated[
    list[str], typer.Argument(metavar="[DOC_ID]...", help="Ids of the documents.", show_default=False)
]
_MOST_SHOWN: Final = 20
_NEEDS_BOTH: Final = (
    "The declared policy stays, and a reader needs both. To add readers, change the file or option that declares them, "
    "or use --until-next-run."
)
_FILE_APPLIES_AGAIN: Final = (
    "A .policy.yaml file named the readers of {files}. The next ingestion applies it again: change that file, too."
)


def set_policy(
    tenant: TenantOption,
    doc_ids: IdsArgument = [],
    user: UsersOption = [],
    any_tag: AnyTagsOption = [],
    all_tag: AllTagsOption = [],
    collection: Annotated[str | None, typer.Option("--collection", "-c", help="Documents of this collection.")] = None,
    name: Annotated[
        str | None, typer.Option(help="Documents whose file name or path matches, such as '*.pdf' or '*/hr/*'.")
    ] = None,
    where: Annotated[str | None, typer.Option(help="Documents whose metadata match, such as 'year < 2020'.")] = None,
    *,
    public: PublicOption = False,
    nobody: Annotated[bool, typer.Option("--nobody", help="Nobody may read the document.")] = False,
    until_next_run: Annotated[
        bool, typer.Option("--until-next-run", help="A run that declares a policy replaces this one.")
    ] = False,
    reason: ReasonOption = "",
    copies: CopiesOption = False,
    yes: Annotated[
        bool, typer.Option("--yes", "-y", help="Skip the questions about new tags and about several documents.")
    ] = False,
) -> None:
    """Set the readers of a document, and name other documents with the same content.

    Several ids, or --collection, --name and --where, change several documents: the command prints them and asks first.

    Where a policy file or an option declares readers, these become a ceiling: a reader needs both, whatever is ingested
    afterwards, until `documents lift`.
    """
    policy = policy_from_options(public=public, users=user, any_tags=any_tag, all_tags=all_tag)
    # No default: a forgotten option must neither close a document nor open it.
    if (policy is None) != nobody:
        raise InvalidInput("Give the readers (--public, --user, --any-tag, --all-tag) or --nobody.")
    conditions = (collection, name, where)
    if bool(doc_ids) == any(each is not None for each in conditions):
        raise InvalidInput("Name documents by their ids, or select them with --collection, --name and --where.")
    target = current_target().tenant(tenant)
    documents, chosen = target.documents, policy or NO_READERS
    rows = [documents.show(each, 1) for each in dict.fromkeys(doc_ids)] or _selected(documents, *conditions)
    others = _copies(documents, rows)
    allows_new = confirm_tags(target, [*any_tag, *all_tag], is_confirmed=yes)
    if not doc_ids or len(rows) > 1:
        _confirm_plan(rows, chosen, is_confirmed=yes)

    change = _ReadersChange(documents, chosen, reason, allows_new=allows_new, until_next_run=until_next_run)
    for row in rows:
        print_line(change(str(row["doc_id"])))
    change_copies(others, change, takes_copies=copies, verb="sets their readers")
    change.warn_of_declared_policies(rows)


class _ReadersChange:
    """Change of the readers of documents, one at a time."""

    def __init__(
        self, documents: DocumentOperations, policy: Policy, reason: str, *, allows_new: bool, until_next_run: bool
    ) -> None:
        self._documents = documents
        self._policy = policy
        self._reason = reason
        self._allows_new = allows_new
        self._until_next_run = until_next_run
        self._removes_readers = False

    def __call__(self, doc_id: str) -> str:
        """Set the readers of a document, and return a line on it."""
        record = self._documents.set_policy(
            doc_id,
            self._policy,
            self._reason,
            allows_new=self._allows_new,
            until_next_run=self._until_next_run,
        )
        if not self._until_next_run and removes_readers(single_policy(self._policy), readers_from_json(record)):
            self._removes_readers = True
        return f"Readers of {record['file']}: {record['readers']}."

    def warn_of_declared_policies(self, before: Sequence[Row]) -> None:
        """Say where the policy of a file or an option still counts, or counts again; once for all documents."""
        if self._removes_readers:
            warn(_NEEDS_BOTH)
        files = [str(row["file"]) for row in before if _is_from_file(row)]
        if files and self._until_next_run:
            warn(_FILE_APPLIES_AGAIN.format(files=first_names(files)))


def _selected(documents: DocumentOperations, collection: str | None, name: str | None, where: str | None) -> list[Row]:
    """Return the documents that fulfil each condition; their attachments change with them.

    Raises:
        InvalidInput: no document does, or the filter cannot be read. NotFound: there is no such collection.
    """
    condition = None if where is None else parse_filter(where)
    found = [
        row
        for row in documents.all(collection)
        if matches_name(row, name)
        and (condition is None or matches(condition, metadata.from_json(json.dumps(row["metadata"]))))
    ]
    own = [row for row in found if row["parent"] is None]
    if len(own) < len(found):
        warn(f"{len(found) - len(own)} attachments change with their documents alone.", style="dim")
    if not own:
        raise InvalidInput("No document matches: `groundwire documents list` shows them.")
    return own


def matches_name(row: Row, pattern: str | None) -> bool:
    """Return whether file name or path match a pattern of a shell; None matches each."""
    return pattern is None or any(fnmatchcase(str(row[field] or ""), pattern) for field in ("file", "source_path"))


def _copies(documents: DocumentOperations, rows: Sequence[Row]) -> list[Row]:
    """Return the documents beside `rows` with the same bytes."""
    chosen = {row["doc_id"] for row in rows}
    if len(rows) == 1:
        return documents.copies(str(rows[0]["doc_id"]))
    # One list: over REST, each question about the copies of a document reads all of them.
    digests = {row["content_hash"] for row in rows if row["content_hash"]}
    return [
        row
        for row in documents.all(None)
        if row["doc_id"] not in chosen and row["state"] == "indexed" and row["content_hash"] in digests
    ]


def _confirm_plan(rows: Sequence[Row], policy: Policy, *, is_confirmed: bool) -> None:
    """Print the documents with their present readers, and go on if a person confirms.

    Raises:
        Abort: the person does not.
    """
    shown = rows[:_MOST_SHOWN]
    print_rows(shown, ["doc_id", "collection", "file", "readers"], as_json=False, empty_message="")
    if len(shown) < len(rows):
        print_line(f"{len(rows) - len(shown):,} more documents.", style="dim")
    documents = "1 document" if len(rows) == 1 else f"{len(rows):,} documents"
    question = f"New readers of {documents}: {describe_policy(policy)}."
    if is_confirmed:
        print_line(question)
    else:
        typer.confirm(f"{question} Go on?", abort=True, err=True)


def _is_from_file(row: Row) -> bool:
    return row.get("policy_source") == PolicySource.FILE and row["readers"] != describe_policy(NO_READERS)
