"""`groundwire replay-deletions`: deletions of a later audit log in a home that was restored without it."""

from collections.abc import Iterator, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Final

import typer

from groundwire import wiring
from groundwire.domain.audit.deletions import later_deletions
from groundwire.domain.errors import InvalidInput
from groundwire.domain.text.json_values import load_mapping
from groundwire.entry.cli.console import print_json, print_line, warn
from groundwire.entry.cli.options import JsonOption, examples
from groundwire.services.ingest.deletions.replay import DeletionReplay

EXAMPLES: Final = examples("groundwire replay-deletions home.before/audit.jsonl")


def replay_deletions(
    log: Annotated[Path, typer.Argument(help="Audit log that was written after the backup, or a copy of it.")],
    *,
    as_json: JsonOption = False,
) -> int:
    """Delete again, after the restoration of a backup, what persons deleted since, as the later audit log records it.

    The exit code is 1 if the log names documents that the backup does not have, or if a deletion fails.
    """
    services = wiring.local_services()
    # Lines of the restored log are known; what follows them happened after the backup.
    known = frozenset(str(each.get("hash")) for each in services.stores.audit.read_all())
    replay = DeletionReplay(services.administration.document_admin, services.stores.documents)
    result = replay(later_deletions(_lines(log), known))
    counts = {"unknown": len(result.unknown), "failed": len(result.failed)}
    services.administration.audit_operator_action("replay-deletions", documents=[*result.documents], counts=counts)
    if as_json:
        print_json(asdict(result))
    else:
        print_line(f"{len(result.documents)} documents and {len(result.collections)} collections deleted again.")
        if result.unknown:
            warn(
                f"{len(result.unknown)} are not in this home ({', '.join(result.unknown[:3])} …). If their files still "
                "exist, the next ingestion brings them in: remove the files, or delete the documents afterwards."
            )
        for each in result.failed:
            warn(f"{each.name} was not deleted again: {each.reason} Run the command again, or delete it by hand.")
    return 1 if result.unknown or result.failed else 0


def _lines(log: Path) -> Iterator[Mapping[str, object]]:
    """Yield the records of an audit log, oldest first; a line that is cut off is left out.

    Raises:
        InvalidInput: the file cannot be read.
    """
    try:
        with log.open("rb") as file:
            for line in file:
                record = load_mapping(line)
                if record is not None:
                    yield record
    except OSError as error:
        raise InvalidInput(f"{log} cannot be read: name the audit log that was written after the backup.") from error
