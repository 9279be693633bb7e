import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from groundwire.adapters.local.audit import FileAudit
from groundwire.adapters.local.audit.verification import BreakKind, ChainBreak

ENDLESS = """
import sys
from pathlib import Path
from groundwire.adapters.local.audit import FileAudit
audit = FileAudit(Path(sys.argv[1]))
number = 0
while True:
    audit.append({"number": number})
    number += 1
    if number == 20:
        print("going", flush=True)
"""


@pytest.fixture
def log(audit: FileAudit, folder: Path) -> Path:
    for number in (1, 2):
        audit.append({"number": number})
    return folder / "audit.jsonl"


def test_a_torn_line_is_reported_then_set_aside_and_the_chain_continues(log: Path, audit: FileAudit) -> None:
    torn = log.read_bytes().splitlines()[1][:40]
    with log.open("ab") as file:
        file.write(torn)
    assert audit.verify().first_break == ChainBreak(3, BreakKind.TORN)

    audit.append({"number": 3})

    assert audit.verify().is_intact
    assert log.with_suffix(".torn").read_bytes() == torn + b"\n"
    mended, after = audit.read(2)
    assert (mended["event"], mended["torn_bytes"]) == ("audit_mended", len(torn))
    assert after["number"] == 3


def test_a_torn_line_is_not_listed(log: Path, audit: FileAudit) -> None:
    with log.open("ab") as file:
        file.write(b'{"number":3,')
    assert [record["number"] for record in audit.read(5)] == [1, 2]


def test_a_line_that_was_written_but_not_counted_is_kept_and_counted(log: Path, audit: FileAudit) -> None:
    head = log.with_suffix(".head")
    before = head.read_bytes()
    audit.append({"number": 3})
    head.write_bytes(before)
    assert (audit.verify().is_intact, audit.verify().intact_lines) == (True, 3)

    audit.append({"number": 4})

    assert audit.verify().is_intact
    assert [record.get("number") for record in audit.read(9)] == [1, 2, 3, None, 4]


def test_a_log_that_holds_nothing_but_a_torn_line_restarts(folder: Path, audit: FileAudit) -> None:
    (folder / "audit.jsonl").write_bytes(b'{"numb')
    audit.append({"number": 1})
    assert audit.verify().is_intact
    assert [record.get("number") for record in audit.read(9)] == [None, 1]


def test_killed_writers_leave_a_chain_that_continues(folder: Path, audit: FileAudit) -> None:
    for _ in range(3):
        with subprocess.Popen([sys.executable, "-c", ENDLESS, str(folder)], stdout=subprocess.PIPE) as writer:
            assert writer.stdout is not None
            writer.stdout.readline()
            os.kill(writer.pid, signal.SIGKILL)
    audit.append({"number": -1})
    outcome = audit.verify()
    assert outcome.is_intact, outcome.problem
    assert outcome.intact_lines > 60
