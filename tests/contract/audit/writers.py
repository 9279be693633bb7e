"""What a process of a race writes to an audit log."""

from pathlib import Path

from groundwire.adapters.local.audit import FileAudit


def fifty_lines(folder: Path, number: int) -> None:
    log = FileAudit(folder)
    for line in range(50):
        log.append({"writer": number, "line": line})
