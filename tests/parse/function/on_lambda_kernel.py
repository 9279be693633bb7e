"""A process that parses one document: `python -m … closed|open DOCUMENT`; it prints what came of it as JSON.

`closed` is the parser of every other process, `open` that of the parser function.
"""

import ctypes
import json
import os
import sys

from groundwire.adapters.parse import ParserLimits, WorkerParser, confinement_report
from groundwire.adapters.parse.function.own_process import OwnProcess
from groundwire.domain.errors import DomainError

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
    worker = "tests.parse.function.escaping_worker"
    with WorkerParser(ParserLimits(), worker, allow_unconfined=mode == "open") as parser:
        try:
            text = parser.parse(document.encode(), "txt").blocks[0].text
        except DomainError as error:
            return {"error": type(error).__name__}
    return {"did": json.loads(text), "outlived": process.end_descendants(), "again": process.end_descendants()}


if __name__ == "__main__":
    print(json.dumps(main(sys.argv[1], sys.argv[2])))  # noqa: T201 - what the test reads
