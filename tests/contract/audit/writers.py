"""Entry points of processes that write to one audit log concurrently."""

from pathlib import Path

from groundwire.adapters.local.audit import FileAudit


def fifty_lines(folder: Path, number: int) -> None:
    log = FileAudit(folder)
    for line in range(50):
        log.append({"writer": number, "line": line})
