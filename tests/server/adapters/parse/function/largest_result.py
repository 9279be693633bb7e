"""A parser function that reads the largest document with the largest result: `python -m …`.

It prints the peak memory of its own process and of the fork server in megabytes, and the bytes of the result.
"""

import json
import os
from pathlib import Path

from groundwire.adapters.parse import ConfinedParser
from groundwire.adapters.parse.function.document_parsing import DocumentParsing
from groundwire.adapters.parse.function.limits import PARSER_LIMITS
from groundwire.adapters.parse.function.messages import ParseInvocation
from groundwire.adapters.parse.function.own_process import OwnProcess
from groundwire.adapters.parse.function.presigned import PresignedObjects


class LargestObject(PresignedObjects):
    """A document of the largest size, and the bytes of the result."""

    def __init__(self) -> None:
        super().__init__(None)
        self.stored = 0

    def read(self, url: str, limit: int) -> bytes:
        return b"x" * limit

    def write(self, url: str, headers: object, content: bytes) -> None:
        self.stored = len(content)


def main() -> tuple[int, int, int]:
    """Return what is printed."""
    objects = LargestObject()
    parser = ConfinedParser(PARSER_LIMITS, "tests.server.adapters.parse.function.generous_worker", forks_workers=True)
    parsing = DocumentParsing(objects, lambda: parser, OwnProcess().end_descendants)
    invocation = ParseInvocation("nonce", "content", "result", {}, "txt", with_images=False, with_thumbnails=False)
    parsing(invocation)
    server = parser.fork_server_pid
    assert server is not None
    peaks = _peak_mb(os.getpid()), _peak_mb(server)
    parsing.close()
    return (*peaks, objects.stored)


def _peak_mb(pid: int) -> int:
    status = Path(f"/proc/{pid}/status").read_text(encoding="utf-8")
    return int(status.partition("VmHWM:")[2].split()[0]) // 1024


if __name__ == "__main__":
    print(json.dumps(main()))  # noqa: T201 - what the test reads
