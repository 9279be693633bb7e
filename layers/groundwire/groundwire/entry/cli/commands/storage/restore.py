"""`groundwire restore`: a backup takes the place of the home, and later decisions of persons hold."""

from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from groundwire import wiring
from groundwire.domain.errors import InvalidInput
from groundwire.entry.cli.console import print_json, print_line, warn
from groundwire.entry.cli.options import JsonOption, examples
from groundwire.entry.serialization.stored_members import format_utc

if TYPE_CHECKING:
    from groundwire.wiring.local.restoration import HomeSummary, PreparedHome

EXAMPLES: Final = examples("groundwire restore backups/tuesday --dry-run", "groundwire restore backups/tuesday")
_WORD: Final = "restore"
_MAX_NAMED: Final = 5


def restore(
    backup: Annotated[Path, typer.Argument(help="Folder of the backup; it stays as it is.")],
    *,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Check the backup and show the plan; change nothing.")
    ] = False,
    as_json: JsonOption = False,
) -> int:
    """Replace the home by a backup, while no server runs; the replaced home is kept beside it.

    What persons decided since the backup holds in it: deletions, limits of readers, blocks of users, revoked and
    rotated keys, suspended and deleted tenants. Further changes are named. The exit code is 1 if a decision could not
    be repeated.
    """
    # A lost disk leaves no home.
    wiring.allow_new_home()
    services = wiring.local_services()
    home, restoration = services.settings.home, wiring.home_restoration()
    with restoration.prepare(backup) as prepared:
        if not as_json:
            for line in _plan(backup, home, prepared):
                print_line(line)
        kept = None
        if not dry_run:
            if prepared.replaced is not None:
                _confirm(home)
            kept = restoration.put(prepared, services.clock())
        if as_json:
            print_json(_to_json(prepared, kept, is_restored=not dry_run))
        elif dry_run:
            print_line("Nothing was changed.")
        else:
            print_line(f"{home} is restored." + ("" if kept is None else f" The replaced home is in {kept}."))
    return _warn_of_rest(prepared)


def _confirm(home: Path) -> None:
    """Go on only if a person types the word: a restoration takes away what was written since.

    Raises:
        InvalidInput: another text was typed.
    """
    typed = str(typer.prompt(f"To replace {home}, type {_WORD}", err=True))
    if typed.strip() != _WORD:
        raise InvalidInput(f"You did not type {_WORD}. Nothing was changed.")


def _plan(backup: Path, home: Path, prepared: "PreparedHome") -> Iterator[str]:
    made = "" if prepared.made_at is None else f" of {format_utc(prepared.made_at)}"
    yield f"{backup} is a whole backup{made}: {_content(prepared.content)}."
    if prepared.replaced is None:
        yield f"There is no home in {home}, so that no decisions since the backup are known."
        return
    yield f"{home} has {_content(prepared.replaced)} and will be kept under another name."
    done = _repeated(prepared)
    repeated = [f"{len(names)} {title}" for title, names in done.items() if names]
    yield "Decided since the backup, and repeated in it: " + (", ".join(repeated) or "nothing") + "."
    if prepared.changes:
        yield "Changed since the backup, and not in it:"
        yield from (f"  {count} {name}" for name, count in sorted(prepared.changes.items()))
    goes_on = "goes on with all later lines" if prepared.is_log_continued else "is that of the backup alone"
    yield f"The audit log {goes_on}."


def _repeated(prepared: "PreparedHome") -> dict[str, list[str]]:
    deletions = prepared.deletions
    return {
        "deleted documents": [] if deletions is None else list(deletions.documents),
        "deleted collections": [] if deletions is None else [name for _, name in deletions.collections],
        "deleted tenants": prepared.ended_tenants,
        "limits of readers": [name for each in prepared.decisions for name in each.limited],
        "suspended tenants": [name for each in prepared.decisions for name in each.suspended],
        "blocked users": [name for each in prepared.decisions for name in each.blocked],
        "revoked keys": [name for each in prepared.decisions for name in each.revoked],
    }


def _content(summary: "HomeSummary") -> str:
    return f"{summary.tenants} tenants, {summary.documents} documents"


def _to_json(prepared: "PreparedHome", kept: Path | None, *, is_restored: bool) -> dict[str, object]:
    return {
        "restored": is_restored,
        "made_at": None if prepared.made_at is None else format_utc(prepared.made_at),
        "backup": asdict(prepared.content),
        "replaced": None if prepared.replaced is None else asdict(prepared.replaced),
        "kept": None if kept is None else str(kept),
        "repeated": {name.replace(" ", "_"): rows for name, rows in _repeated(prepared).items()},
        "unknown": [] if prepared.deletions is None else list(prepared.deletions.unknown),
        "failed": _failed(prepared),
        "changes": dict(sorted(prepared.changes.items())),
        "returned_tenants": prepared.returned_tenants,
        "log_continued": prepared.is_log_continued,
    }


def _failed(prepared: "PreparedHome") -> list[str]:
    deletions = () if prepared.deletions is None else prepared.deletions.failed
    limits = (failure for each in prepared.decisions for failure in each.failed)
    return [f"{each.name}: {each.reason}" for each in (*deletions, *limits)]


def _warn_of_rest(prepared: "PreparedHome") -> int:
    """Name what could not be repeated, and return the exit code."""
    unknown = () if prepared.deletions is None else prepared.deletions.unknown
    failed = _failed(prepared)
    if unknown:
        warn(
            f"{len(unknown)} deleted documents are not in the backup ({', '.join(unknown[:_MAX_NAMED])} …). If their "
            "files still exist, the next ingestion brings them in: remove the files, or delete them afterwards."
        )
    if prepared.returned_tenants:
        warn(f"The replaced home did not have these tenants: {', '.join(prepared.returned_tenants)}.")
    for each in failed:
        warn(f"Not repeated: {each} Do it by hand before the server starts.")
    return 1 if unknown or failed else 0
