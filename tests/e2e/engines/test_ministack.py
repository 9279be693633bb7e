"""The account of the tests listens to this machine alone, begins empty, and ends with its parent."""

import socket
import subprocess
import sys
from urllib.parse import urlsplit

from tests.support.engines import ministack
from tests.support.engines.missing import Absent, answer

OPEN_AND_WAIT = """
from tests.support.engines.ministack import running
with running() as account:
    print(account.url, flush=True)
    input()
"""


def test_an_account_begins_empty() -> None:
    try:
        with ministack.running() as account:
            assert account.url.startswith("http://127.0.0.1:")
            assert account.s3.list_buckets().get("Buckets") == []
            assert account.cloudformation.list_stacks().get("StackSummaries") == []
    except Absent as absent:
        answer(absent)


def test_an_account_ends_with_a_process_that_is_killed() -> None:
    command = [sys.executable, "-c", OPEN_AND_WAIT]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        line = process.stdout.readline().strip()
        if not line:
            answer(Absent("MiniStack cannot be had here."))
        address = urlsplit(line)
        with socket.create_connection((address.hostname or "", address.port or 0), timeout=20) as connection:
            process.kill()
            assert connection.recv(1) == b""
