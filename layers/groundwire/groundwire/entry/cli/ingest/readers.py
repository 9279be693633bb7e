"""Readers of a run's documents: how many documents each group reads, and what the run changed."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from groundwire.domain.access.policy import (
    Policy,
    Readers,
    have_same_readers,
    narrowest_policy,
    removes_readers,
    simplest_readers,
)
from groundwire.domain.access.policy_source import PolicySource
from groundwire.domain.documents.record import Document, DocumentState
from groundwire.entry.cli.ingest.report import first_names
from groundwire.services.ingest.request import IngestResult

_EVERYONE: Final = "everyone"
_NOBODY: Final = "nobody"
MAX_UNCONFIRMED_LOSSES: Final = 10
"""Maximum number of documents from which a run may remove readers without confirmation."""
_MAX_GROUPS: Final = 8
"""Maximum number of groups that a line names; the others are summed up."""


@dataclass(frozen=True, slots=True)
class ReaderChange:
    """Readers of a document before a run and after it.

    Attributes:
        before: None where no version could be read before.
        after: None where the document is deleted.
    """

    file: str
    before: Readers | None
    after: Readers | None

    @property
    def is_different(self) -> bool:
        """True if the document has other readers after the run; policies of another form may mean the same."""
        if self.before is None or self.after is None:
            return self.before is not self.after
        return not have_same_readers(self.before, self.after)

    @property
    def has_more_readers(self) -> bool:
        """True if the document can be read before and after the run, afterwards by somebody else too."""
        return self.before is not None and self.after is not None and removes_readers(self.after, self.before)

    @property
    def has_fewer_readers(self) -> bool:
        """True if the document can be read before and after the run, afterwards not by everybody of before."""
        return self.before is not None and self.after is not None and removes_readers(self.before, self.after)


def reader_label(readers: Readers) -> str:
    """Return a short name of the readers, such as `department:finance`, `everyone`, `nobody` or `hr (at most eu)`.

    The last one names both policies, where no list of tags and users means the readers of both.
    """
    stated = simplest_readers(readers)
    declared = _policy_label(stated.declared)
    return declared if stated.ceiling is None else f"{declared} (at most {_policy_label(stated.ceiling)})"


def _policy_label(policy: Policy) -> str:
    if policy.public:
        return _EVERYONE
    any_tags = " or ".join(sorted(policy.any_tags))
    all_tags = " and ".join(sorted(policy.all_tags))
    if any_tags and all_tags:
        any_tags = f"({any_tags})" if len(policy.any_tags) > 1 else any_tags
        tags = f"{any_tags} and {all_tags}"
    else:
        tags = any_tags or all_tags
    return " or ".join([*sorted(policy.users), *([tags] if tags else [])]) or _NOBODY


def count_readers(readers: Iterable[Readers]) -> dict[str, int]:
    """Return the number of documents by the label of their readers: everyone, then the largest groups, then nobody."""
    counts = Counter(map(reader_label, readers))
    groups = sorted((-number, label) for label, number in counts.items() if label not in {_EVERYONE, _NOBODY})
    return {
        _EVERYONE: counts[_EVERYONE],
        **{label: -number for number, label in groups},
        _NOBODY: counts[_NOBODY],
    }


def readers_line(readers: Iterable[Readers]) -> str:
    """Return the line `readers: 17 everyone, 4 department:finance, 0 nobody`."""
    counts = count_readers(readers)
    everyone, nobody = counts.pop(_EVERYONE), counts.pop(_NOBODY)
    groups = list(counts.items())
    named = [f"{number:,} {label}" for label, number in groups[:_MAX_GROUPS]]
    others = sum(number for _, number in groups[_MAX_GROUPS:])
    rest = [f"{others:,} others"] if others else []
    return ", ".join([f"readers: {everyone:,} {_EVERYONE}", *named, *rest, f"{nobody:,} {_NOBODY}"])


def changes_line(changes: Sequence[ReaderChange]) -> str:
    """Return the line of what a run changes, such as `changed: 12 new, 1 from team:legal to nobody (rent.md)`."""
    new = sum(each.before is None and each.after is not None for each in changes)
    deleted = sum(each.after is None for each in changes)
    parts = [f"{new:,} new"] if new else []
    if deleted:
        parts.append(f"{deleted:,} deleted")
    moves: dict[tuple[str, str], list[str]] = defaultdict(list)
    for each in changes:
        if each.before is not None and each.after is not None and each.is_different:
            moves[reader_label(each.before), reader_label(each.after)].append(each.file)
    ordered = sorted(moves.items(), key=lambda move: (-len(move[1]), move[0]))
    parts += [f"{len(files):,} from {before} to {after} ({first_names(files)})" for (before, after), files in ordered]
    return f"changed: {', '.join(parts) or 'nothing'}"


def gainers(changes: Iterable[ReaderChange]) -> list[str]:
    """Return the files of the indexed documents to which a run adds readers."""
    return [each.file for each in changes if each.has_more_readers]


def losers(changes: Iterable[ReaderChange]) -> list[str]:
    """Return the files of the documents from which a run removes readers."""
    return [each.file for each in changes if each.has_fewer_readers]


def reader_notices(changes: Sequence[ReaderChange]) -> Iterable[str]:
    """Yield which documents get readers, from which a run removes some, and whether it asks first."""
    gaining, losing = gainers(changes), losers(changes)
    if gaining:
        yield f"readers gained: {_count_documents(gaining)} ({first_names(gaining)})"
    if losing:
        yield f"readers lost: {_count_documents(losing)} ({first_names(losing)})"
    if len(losing) > MAX_UNCONFIRMED_LOSSES:
        yield "The run asks before it removes these readers; without a terminal it needs --yes."


def copies_notice(copies: Mapping[str, str]) -> Iterable[str]:
    """Yield what a run does with new files whose content the collection has from another source.

    Args:
        copies: the id of one such document by the path of the file.
    """
    if copies:
        files, them = ("file", "it") if len(copies) == 1 else ("files", "them")
        yield (
            f"The collection has the content of {len(copies):,} new {files} from another source "
            f"({first_names([*copies.values()])}). Without `--copies`, the run leaves {them} out, "
            "or asks on a terminal."
        )


def _count_documents(files: Sequence[str]) -> str:
    return f"{len(files):,} {'document' if len(files) == 1 else 'documents'}"


def run_changes(
    outcomes: Iterable[IngestResult],
    before: Mapping[str, Document],
    present: Mapping[str, Document],
    deleted: Iterable[Document],
) -> list[ReaderChange]:
    """Return the readers of a run's documents before it and now, attachments included.

    Args:
        outcomes: results of the files.
        before: the tenant's living documents before the run, by id.
        present: those at its end.
        deleted: records of the documents that the run deleted.
    """
    previous = {each.document.doc_id: each.previous_policy for each in outcomes if each.document is not None}
    changes = [ReaderChange(each.source_file_name, each.readers, None) for each in deleted]
    for document in present.values():
        if document.state is not DocumentState.INDEXED or root_of(document, present).doc_id not in previous:
            continue
        declared = previous.get(document.doc_id)
        # An attachment has no result of its own where its mail is unchanged.
        earlier = readers_of(before.get(document.doc_id))
        if declared is not None:
            # Beside a person, the run itself sets a ceiling: that of a file which was moved onto the path.
            earlier = replace(earlier or document.readers, declared=declared)
        changes.append(ReaderChange(document.source_file_name, earlier, document.readers))
    return changes


def root_of(document: Document, documents: Mapping[str, Document]) -> Document:
    """Return the document that an attachment finally belongs to; a document itself otherwise."""
    while document.parent is not None and document.parent in documents:
        document = documents[document.parent]
    return document


def readers_of(document: Document | None) -> Readers | None:
    """Return who reads a version of the document; None where none can be read."""
    return None if document is None or document.state is not DocumentState.INDEXED else document.readers


def public_by_file(documents: Iterable[Document]) -> dict[str, bool]:
    """Return by path whether everybody reads the document by a policy file; attachments follow their mails."""
    return {
        each.source_path: narrowest_policy(each.readers).public and each.policy_source is PolicySource.FILE
        for each in documents
        if each.source_path is not None and each.parent is None
    }


def open_folders(files: Mapping[str, bool], folders: Sequence[str]) -> dict[str, int]:
    """Return the outermost folders of which everybody can read all documents by a policy file, with their numbers.

    Args:
        files: by path, whether everybody reads the document by a policy file.
        folders: the folders that were named, each with a slash at its end.
    """
    total, public = Counter[str](), Counter[str]()
    for path, is_public in files.items():
        for folder in _folders_of(path, folders):
            total[folder] += 1
            public[folder] += is_public
    is_open = {folder for folder, number in total.items() if public[folder] == number}
    outermost = [
        folder for folder in is_open if not any(folder != each and folder.startswith(each) for each in is_open)
    ]
    return {folder: total[folder] for folder in sorted(outermost)}


def open_folder_lines(folders: Mapping[str, int]) -> list[str]:
    """Return one line per folder that everybody of the tenant can read."""
    return [
        f"Everybody of the tenant can read {folder} ({number:,} {'document' if number == 1 else 'documents'})."
        for folder, number in folders.items()
    ]


def _folders_of(path: str, folders: Sequence[str]) -> list[str]:
    """Return the folders of a file, from its own up to the named one."""
    root = next((folder for folder in folders if path.startswith(folder)), None)
    if root is None:
        return []
    names = path.removeprefix(root).split("/")[:-1]
    return [root + "".join(f"{name}/" for name in names[:count]) for count in range(len(names) + 1)]
