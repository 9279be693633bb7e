"""A parent that tells its worker's id and waits to be killed."""

import threading

from groundwire.adapters.parse import ParserLimits, WorkerParser

if __name__ == "__main__":
    parser = WorkerParser(ParserLimits(), "tests.parse.hostile_worker")
    parser.parse(b"hello", "txt")
    print(parser.worker_pid, flush=True)  # noqa: T201 - what the test reads
    threading.Event().wait(60)
