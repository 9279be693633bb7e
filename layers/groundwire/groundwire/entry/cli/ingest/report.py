"""Report of an ingestion, for people and as JSON."""

import shlex
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Final

from groundwire import wiring
from groundwire.domain.access.policy import NO_READERS, Readers
from groundwire.domain.documents.record import Document, DocumentState
from groundwire.entry.cli.console import ERR, print_json, print_line, print_rows, warn
from groundwire.entry.serialization.readers import describe_readers, stated_policy
from groundwire.services.ingest.request import IngestResult, IngestStatus
from groundwire.services.ingest.runs.plan import PlannedAction
from groundwire_readers.contents.parsed import defects_notice

_MAX_NAMES: Final = 3
"""Maximum number of files that a message names."""

PLAN_NOTICE: Final = "This is a plan. Nothing was changed."
NOT_LISTED: Final = frozenset({PlannedAction.UNCHANGED, PlannedAction.REFUSED, PlannedAction.HELD_BACK})
"""Actions whose files are counted, or have a table of their own."""


def count_by_status(outcomes: Sequence[IngestResult], deleted: Sequence[Document]) -> dict[str, int]:
    """Return the number of files by status."""
    counts = Counter(outcome.status for outcome in outcomes)
    # In the order of the statuses: that of the results differs from run to run.
    ordered = {status.value: counts[status] for status in IngestStatus if counts[status]}
    return ordered | ({"deleted": len(deleted)} if deleted else {})


@dataclass(frozen=True, slots=True)
class RunReport:
    """Facts that a run reports at its end.

    Attributes:
        outcomes: results of the files and their attachments.
        deleted: records of the documents that the run deleted.
        repolicied: records, before and after, of documents without a file in the run whose readers it changed.
        reader_lines: who can read the documents, and what changed.
        announced: names of files of which the run said at its beginning that nobody may read them.
        copies: number of files that were left out, as the collection has their content from another source.
    """

    outcomes: Sequence[IngestResult]
    deleted: Sequence[Document]
    repolicied: Sequence[tuple[Document, Document]]
    reader_lines: Sequence[str]
    announced: Collection[str]
    copies: int


def print_report(tenant: str, report: RunReport, *, as_json: bool) -> None:
    """Print the counts and the readers, then warnings, then the refused files with their reasons."""
    outcomes = report.outcomes
    if as_json:
        rows = [_record_row(after, IngestStatus.POLICY_CHANGED.value, before) for before, after in report.repolicied]
        print_json([*outcome_rows(outcomes), *rows, *(_record_row(each, "deleted", each) for each in report.deleted)])
    else:
        counts = count_by_status(outcomes, report.deleted)
        print_line(", ".join(f"{number} {status}" for status, number in counts.items()) or no_files_line(report.copies))
        for line in report.reader_lines:
            print_line(line)
    warn_of_held_back([each.file_name for each in outcomes if each.status is IngestStatus.HELD_BACK])
    _warn_of_unreadable_documents(outcomes, report.announced)
    _warn_of_pages_without_text(outcomes)
    _warn_of_enrichment(outcomes)
    _warn_of_images_left_out(outcomes)
    _warn_of_defects(outcomes)
    _warn_of_duplicates(tenant, outcomes)
    refused = [outcome for outcome in outcomes if outcome.status.is_failure]
    if refused and not as_json:
        reasons = [{"refused": outcome.file_name, "reason": outcome.reason} for outcome in refused]
        print_rows(reasons, ["refused", "reason"], as_json=False, empty_message="")


def print_next_step(tenant_name: str, outcomes: Sequence[IngestResult], seconds: float) -> None:
    """Print, to a person at a terminal, how long the run took, and a search that finds what it has indexed."""
    if not ERR.is_terminal:
        return
    line = f"Took {seconds:,.0f} s."
    new = [each.document for each in outcomes if each.status is IngestStatus.INDEXED and each.document is not None]
    if readable := next((each for each in new if each.policy != NO_READERS and not each.ceiling), None):
        options = _reader_options(readable)
        line = f'{line} Try: groundwire search "QUESTION" --tenant {shlex.quote(tenant_name)}{options}'
    warn(line, style="dim")


def _reader_options(document: Document) -> str:
    """Return the options of a search by somebody whom the policy of the document admits."""
    policy = document.policy
    if policy.public:
        return ""
    if policy.users and not policy.all_tags:
        return f" --user {shlex.quote(min(policy.users))}"
    tags = sorted(policy.all_tags) + sorted(policy.any_tags)[:1]
    return "".join(f" --tag {shlex.quote(tag)}" for tag in tags)


def no_files_line(copies: int) -> str:
    """Return the line of a run without results: its files were copies that were left out, or no file was found."""
    return "No files were ingested." if copies else "No files were found."


def outcome_rows(outcomes: Sequence[IngestResult]) -> list[dict[str, object]]:
    """Return one row for each file and attachment, as `--json` prints them."""
    return [_row(outcome) for outcome in outcomes]


def _warn_of_unreadable_documents(outcomes: Sequence[IngestResult], announced: Collection[str]) -> None:
    names = [outcome.file_name for outcome in outcomes if _is_readable_by_nobody(outcome)]
    unreadable = [name for name in names if name not in announced]
    if unreadable:
        warn(
            f"Nobody may read these documents yet ({first_names(unreadable)}). Name the readers with "
            "options or a .policy.yaml file."
        )


def _is_readable_by_nobody(outcome: IngestResult) -> bool:
    """Return whether an ingested document has no readers; the reason of a refused file covers its earlier version."""
    document = outcome.document
    if document is None or outcome.status.is_failure:
        return False
    return document.state is DocumentState.INDEXED and document.policy == NO_READERS


def _warn_of_pages_without_text(outcomes: Sequence[IngestResult]) -> None:
    """Warn of scanned pages in files that this run indexed; unchanged files are not reported again."""
    documents = [outcome.document for outcome in outcomes if outcome.status is IngestStatus.INDEXED]
    lacking = {each.source_file_name: each.pages_without_text for each in documents if each and each.pages_without_text}
    if lacking:
        named = first_names([f"{name} ({pages})" for name, pages in lacking.items()])
        pages = _count_text(sum(lacking.values()), "page")
        warn(f"{pages} without text: {named}. Scanned pages need text recognition: set GROUNDWIRE_OCR.")


def _warn_of_enrichment(outcomes: Sequence[IngestResult]) -> None:
    lacking = [outcome for outcome in outcomes if outcome.enrichment_failure]
    if lacking:
        named = first_names([outcome.file_name for outcome in lacking])
        warn(f"Not enriched; the next run tries again: {named}. {lacking[0].enrichment_failure}")


def _warn_of_defects(outcomes: Sequence[IngestResult]) -> None:
    new = [each.document for each in outcomes if each.status is IngestStatus.INDEXED and each.document is not None]
    notices = [f"{each.source_file_name} ({notice})" for each in new if (notice := defects_notice(each.defects))]
    if notices:
        warn(f"Not read completely: {first_names(notices)}. `groundwire documents show` lists the defects.")


def _warn_of_images_left_out(outcomes: Sequence[IngestResult]) -> None:
    lacking = [outcome for outcome in outcomes if outcome.images_left_out]
    if lacking:
        named = first_names([f"{outcome.file_name} ({outcome.images_left_out})" for outcome in lacking])
        warn(f"Images that searches do not find: {named}.")


def _warn_of_duplicates(tenant: str, outcomes: Sequence[IngestResult]) -> None:
    new = {each.document.doc_id for each in outcomes if each.status is IngestStatus.INDEXED and each.document}
    if not new:
        return
    pairs = wiring.local_services().ingestion.duplicate_finder(tenant, new)
    if pairs:
        named = first_names([f"{each.first.source_file_name} and {each.second.source_file_name}" for each in pairs])
        statement = (
            f"{_count_text(len(pairs), 'pair')} of documents "
            f"{'has' if len(pairs) == 1 else 'have'} nearly the same text"
        )
        warn(f"{statement}: {named}. `groundwire documents duplicates` lists them.")


def _count_text(number: int, thing: str) -> str:
    return f"{number} {thing}{'' if number == 1 else 's'}"


def warn_of_held_back(names: Sequence[str]) -> None:
    """Print which files are left out, and how they return."""
    if names:
        warn(
            f"{len(names)} deleted earlier, left out ({first_names(names)}): `--restore` brings them back. "
            "`groundwire documents list --deleted` shows who deleted what."
        )


def first_names(names: Sequence[str]) -> str:
    """Return the first names, with an ellipsis for the others."""
    return ", ".join(names[:_MAX_NAMES]) + (" …" if len(names) > _MAX_NAMES else "")


def _row(outcome: IngestResult) -> dict[str, object]:
    document = outcome.document
    return {
        "file": outcome.file_name,
        "status": outcome.status.value,
        "doc_id": document.doc_id if document else None,
        "parent": document.parent if document else None,
        "segments": document.segments if document else 0,
        "embedded": outcome.embedded_count,
        "pages_without_text": document.pages_without_text if document else 0,
        "reason": outcome.reason,
        "path": document.source_path if document else None,
        **reader_members(
            readers_before(outcome), document.readers if document is not None and _is_indexed(document) else None
        ),
    }


def _record_row(document: Document, status: str, before: Document) -> dict[str, object]:
    """Return the row of a document without a file in the run."""
    return {
        "file": document.source_file_name,
        "status": status,
        "doc_id": document.doc_id,
        "parent": document.parent,
        "segments": document.segments if _is_indexed(document) else 0,
        "embedded": 0,
        "pages_without_text": document.pages_without_text if _is_indexed(document) else 0,
        "reason": None,
        "path": document.source_path,
        **reader_members(before.readers, document.readers if _is_indexed(document) else None),
    }


def _is_indexed(document: Document) -> bool:
    return document.state is DocumentState.INDEXED


def readers_before(outcome: IngestResult) -> Readers | None:
    """Return the readers of the version before the run, under the ceiling, which only a person changes."""
    if outcome.previous_policy is None:
        return None
    ceiling = None if outcome.document is None else outcome.document.ceiling
    return Readers(outcome.previous_policy, None if ceiling is None else ceiling.policy)


def reader_members(before: Readers | None, after: Readers | None) -> dict[str, object]:
    """Return who could read a document before the run, and who can now; null where no version can be read.

    A policy is null also where only two policies together name these readers.
    """
    return {
        "readers": None if after is None else describe_readers(after),
        "policy": stated_policy(after),
        "policy_before": stated_policy(before),
    }
