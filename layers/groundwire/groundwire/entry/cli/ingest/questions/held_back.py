"""Files that a person deleted earlier: a run leaves them out, names them, and asks where somebody can answer."""

import sys
from collections.abc import Collection, Sequence
from dataclasses import replace

import typer

from groundwire.entry.cli.ingest.report import first_names
from groundwire.services.ingest.request import IngestRequest


def with_restoration(requests: Sequence[IngestRequest]) -> list[IngestRequest]:
    """Return the requests of files that come back although a person deleted them."""
    return [replace(each, restores=True, restores_content=True) for each in requests]


def can_ask() -> bool:
    """Return whether a person sees the question and can answer it."""
    return sys.stdin.isatty() and sys.stderr.isatty()


def requests_to_restore(requests: Sequence[IngestRequest], held_paths: Collection[str]) -> list[IngestRequest]:
    """Ask whether the held back files shall come back; return their requests, or none.

    Nobody is asked where nobody can answer, such as in a scheduled run.

    Args:
        requests: the files of the run.
        held_paths: paths of the files that are held back; that of an attachment begins with the path of its mail.
    """
    if not held_paths or not can_ask():
        return []
    mails = {path.partition("#")[0] for path in held_paths}
    held = [each for each in requests if each.source_path in held_paths or each.source_path in mails]
    names = first_names([each.file_name for each in held])
    if not held or not typer.confirm(f"Deleted earlier: {names}. Bring back {len(held)} of the files?", err=True):
        return []
    return with_restoration(held)
