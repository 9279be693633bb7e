"""Parent process that prints its worker's id and waits to be killed: `python -m … [forks]`."""

import sys
import threading

from groundwire_readers import ParserLimits, WorkerParser

if __name__ == "__main__":
    parser = WorkerParser(ParserLimits(), "tests.readers.hostile_worker", forks_workers=sys.argv[1:] == ["forks"])
    parser.parse(b"hello", "txt")
    print(parser.worker_pid, flush=True)  # noqa: T201 - what the test reads
    threading.Event().wait(60)
