"""A process that parses one document: `python -m … closed|open DOCUMENT`; it prints what came of it as JSON.

`closed` is the parser of every other process, `open` that of the parser function, which then reads a second document.
"""

import ctypes
import json
import os
import sys
from unittest.mock import patch

from groundwire.adapters.parse import ConfinedParser, ParserLimits, confinement_report
from groundwire.adapters.parse.function.own_process import OwnProcess
from groundwire.domain.errors import DomainError
from groundwire_readers.sandbox.processes import fork_server

_DROP_FROM_BOUND = 24
_READING_OTHERS = (19, 21, 38)
"""CAP_SYS_PTRACE, CAP_SYS_ADMIN and CAP_PERFMON: without them root reads other processes as any user does.

PR_CAPBSET_DROP takes them from the programs that this one starts. Lambda runs functions without any.
"""


def main(mode: str, document: str) -> dict[str, object]:
    """Parse the document by a worker that tries what it orders."""
    if mode == "report":
        return {"enforced": [restriction.enforced for restriction in confinement_report()]}
    if os.geteuid() == 0:
        for capability in _READING_OTHERS:
            ctypes.CDLL(None).prctl(_DROP_FROM_BOUND, ctypes.c_ulong(capability), 0, 0, 0)
    process = OwnProcess()
    if mode == "open":
        process.protect()
    is_open = mode == "open"
    worker = "tests.server.adapters.parse.function.escaping_worker"
    # A server that was stopped gives no answer, and held streams never end; what was not has all its time.
    limits = ParserLimits(wall_seconds=1) if "hold streams" in document else ParserLimits()
    seconds = 0.2 if "stop parent" in document else fork_server.END_SECONDS
    with (
        patch.object(fork_server, "END_SECONDS", seconds),
        ConfinedParser(limits, worker, allow_unconfined=is_open, forks_workers=is_open) as parser,
    ):
        try:
            did = _did(parser, document)
        except DomainError as error:
            if not is_open:
                return {"error": type(error).__name__}
            did = {"error": str(error)}
        parser.end_worker()
        lost, server = parser.lost_workers, parser.fork_server_pid
        found = [process.end_descendants(server) for _ in range(2)]
        after = _did(parser, json.dumps([["folder"], ""]))
        return {"did": did, "lost": lost, "outlived": found[0], "again": found[1], "after": list(after)}


def _did(parser: ConfinedParser, document: str) -> dict[str, object]:
    return json.loads(parser.parse(document.encode(), "txt").blocks[0].text)


if __name__ == "__main__":
    print(json.dumps(main(sys.argv[1], sys.argv[2])))  # noqa: T201 - what the test reads
