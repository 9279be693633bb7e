"""`groundwire access prove`: whether the policy files of a folder admit anybody without a tag."""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Annotated, Final

import typer

from groundwire import wiring
from groundwire.domain.access.policy import NO_READERS, AccessReason, Policy
from groundwire.domain.access.policy_input import parse_tags
from groundwire.domain.access.similar_tags import nearest_tag
from groundwire.domain.errors import InvalidInput
from groundwire.entry.cli.console import Row, print_json, print_line, warn
from groundwire.entry.cli.ingest.file_requests import FileRequests, warn_of_left_out
from groundwire.entry.cli.options import JsonOption, examples, warn_of_spaces
from groundwire.services.documents.browse.access.required_tag import (
    Counterexample,
    DeclaredFile,
    TagProof,
    prove_required,
)

EXAMPLES: Final = examples(
    "groundwire access prove samples/documents/hr --never-readable-without department:hr",
    "groundwire access prove samples/documents/hr --never-readable-without level:manager --json",
)
_EVERYONE: Final = (
    "Everyone is each user of the tenant, with any tags but the one in question. A user whom a policy names counts as "
    "without it. Readers by an option or by `set-policy` are not in files, so they are not proved. Ceilings are not in "
    "files either; a ceiling only takes readers away."
)


def prove(
    folder: Annotated[Path, typer.Argument(help="Folder with documents and their policy files.")],
    tag: Annotated[
        list[str],
        typer.Option(
            "--never-readable-without",
            metavar="TAG",
            help="Tag that every reader of every file must hold; repeat for more.",
            callback=warn_of_spaces,
        ),
    ],
    *,
    as_json: JsonOption = False,
) -> int:
    """Prove from policy files that nobody without a tag can read a folder; exit code 1 if somebody could.

    It reads the policy files as `ingest` does, and asks about every user with all other tags. Of several tags, each one
    must be needed. Options of a run and ceilings are not in files; a ceiling only takes readers away.
    """
    tags = sorted(parse_tags(tag))
    files = _declared_files(folder)
    proofs = [prove_required(each, files) for each in tags]
    if as_json:
        print_json(_to_json(files, proofs))
    else:
        for line in _lines(folder, files, proofs):
            print_line(line)
        _warn_of_misspelt(tags, files)
    return 1 if any(each.counterexamples for each in proofs) else 0


def _declared_files(folder: Path) -> Sequence[DeclaredFile]:
    """Return the files that `ingest` would take in, each with the policy that a new document would have.

    Raises:
        InvalidInput: a policy file is invalid, a folder cannot be listed, or there is no file.
    """
    # A check of policy files also runs where nothing is installed but the command.
    wiring.allow_new_home()
    files = FileRequests("", "default").for_paths([folder])
    if unlisted := [path for path in files.listed.documents if path.endswith("/")]:
        raise InvalidInput(f"{unlisted[0]} cannot be listed, so nothing is proved about its files.")
    if not files.requests:
        raise InvalidInput(f"{folder} has no file to ingest, so there is nothing to prove.")
    warn_of_left_out(files)
    resolver = files.new_resolver()
    return [
        DeclaredFile(
            request.source_path,
            resolver.nearest_policy(request.source_path).path,
            request.policy_for(None).policy,
        )
        for request in files.requests
    ]


def _lines(folder: Path, files: Sequence[DeclaredFile], proofs: Iterable[TagProof]) -> Iterator[str]:
    for proof in proofs:
        if not proof.counterexamples:
            yield f"Proved: nobody reads a file of {folder} without {proof.tag}."
            continue
        yield f"Not proved: files of {folder} can be read without {proof.tag}."
        yield from (f"  {_counterexample_line(each, files)}" for each in proof.counterexamples)
    unreadable, undeclared = _counts(files)
    yield f"Files: {len(files):,}. Without readers: {unreadable:,}, of which without a policy file: {undeclared:,}."
    yield _EVERYONE


def _counterexample_line(example: Counterexample, files: Iterable[DeclaredFile]) -> str:
    more = f" (and {example.files - 1:,} more with this policy file)" if example.files > 1 else ""
    clause = _clause(example, next(each.policy for each in files if each.path == example.file))
    return f"{_reader_name(example)} can read {example.file}{more}, by {clause} in {example.policy_file}."


def _reader_name(example: Counterexample) -> str:
    reader = example.reader
    if reader.user is not None:
        return f"The user {reader.user} without any tag"
    if not reader.tags:
        return "Everybody of the tenant"
    return f"Somebody with {'the tag' if len(reader.tags) == 1 else 'the tags'} {', '.join(sorted(reader.tags))} alone"


def _clause(example: Counterexample, policy: Policy) -> str:
    """Return the clause as the policy file states it, with the names that admit the reader."""
    if example.clause is AccessReason.PUBLIC:
        return "public: true"
    if example.clause is AccessReason.NAMED_USER:
        return f"users: [{example.reader.user}]"
    fields = {"any_tags": policy.any_tags, "all_tags": policy.all_tags}
    named = {field: sorted(names & example.reader.tags) for field, names in fields.items()}
    return " and ".join(f"{field}: [{', '.join(names)}]" for field, names in named.items() if names)


def _counts(files: Sequence[DeclaredFile]) -> tuple[int, int]:
    """Return the number of files that nobody reads, and of those without a policy file."""
    return sum(each.policy == NO_READERS for each in files), sum(each.policy_file is None for each in files)


def _warn_of_misspelt(tags: Iterable[str], files: Iterable[DeclaredFile]) -> None:
    """Warn of a tag that no policy names, as a slip would look like a hole."""
    known = {tag for each in files for tag in each.policy.any_tags | each.policy.all_tags}
    for tag in tags:
        if tag not in known and (nearest := nearest_tag(tag, known)) is not None:
            warn(f"No policy file names the tag {tag!r}. Did you mean {nearest!r}?")


def _to_json(files: Sequence[DeclaredFile], proofs: Sequence[TagProof]) -> Row:
    unreadable, undeclared = _counts(files)
    return {
        "proved": not any(each.counterexamples for each in proofs),
        "files": len(files),
        "files_without_readers": unreadable,
        "files_without_policy_file": undeclared,
        "tags": [
            {
                "tag": proof.tag,
                "proved": not proof.counterexamples,
                "counterexamples": [
                    {
                        "file": each.file,
                        "files": each.files,
                        "policy_file": each.policy_file,
                        "clause": each.clause.value,
                        "user": each.reader.user,
                        "tags": sorted(each.reader.tags),
                    }
                    for each in proof.counterexamples
                ],
            }
            for proof in proofs
        ],
    }
