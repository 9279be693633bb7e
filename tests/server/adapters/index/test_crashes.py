import signal
import subprocess
import sys
from pathlib import Path

import pytest

from groundwire.adapters.local.index import EmbeddedIndexes
from groundwire.ports import DocumentVersion, Index
from tests.server.adapters.index.killed_writer import CHANGES, NEW, OLD
from tests.support.documents.index_documents import MODEL, TENANT, for_tags, put, readable, someone

ROOT = Path(__file__).parents[4]
State = tuple[list[str], list[str], int, bool, bool]


def state(index: Index) -> State:
    versions = [[one.text for one in index.segments(DocumentVersion("d", version))] for version in (1, 2)]
    old, new = ("d" in readable(index, someone(tag)) for tag in ("old", "new"))
    return versions[0], versions[1], index.count_rows(), old, new


OUTCOMES: dict[str, State] = {
    "put": (NEW, [], len(NEW), False, True),
    "next_version": (OLD, NEW, len(OLD) + len(NEW), True, True),
    "prune": ([], [], 0, False, False),
    "set_readers": (OLD, [], len(OLD), False, True),
}

BEFORE_ITS_END = {"put": (4, 12, 18), "next_version": (4, 12), "prune": (3, 5), "set_readers": (3, 5)}
"""Statements after which the process dies, the transaction being open."""


def died(folder: Path, change: str, statements: int) -> bool:
    """Whether the process was killed before it had finished."""
    command = [sys.executable, "-m", "tests.server.adapters.index.killed_writer", str(folder), change, str(statements)]
    code = subprocess.run(command, cwd=ROOT, check=False).returncode
    assert code in (0, -signal.SIGKILL)
    return code != 0


@pytest.mark.parametrize("change", CHANGES)
def test_a_process_killed_in_a_change_leaves_the_old_state_and_one_that_ended_the_new(
    folder: Path, change: str
) -> None:
    indexes = EmbeddedIndexes(folder, MODEL)
    put(indexes.for_tenant(TENANT), "d", OLD, for_tags("old"))
    old = state(indexes.for_tenant(TENANT))
    assert old == (OLD, [], len(OLD), True, False)
    for statements in BEFORE_ITS_END[change]:
        assert died(folder, change, statements)
        assert state(indexes.for_tenant(TENANT)) == old
        indexes.close()
    assert not died(folder, change, 1_000)
    assert state(indexes.for_tenant(TENANT)) == OUTCOMES[change]
    indexes.close()


def test_a_process_killed_while_it_keeps_writing_leaves_whole_versions(folder: Path) -> None:
    for round_ in range(3):
        command = [sys.executable, "-m", "tests.server.adapters.index.endless_writer", str(folder)]
        with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE) as process:
            assert process.stdout is not None
            for _ in range(3 + 4 * round_):
                assert process.stdout.readline() == b"written\n"
            process.kill()
        indexes = EmbeddedIndexes(folder, MODEL)
        index = indexes.for_tenant(TENANT)
        counts = [len(index.segments(DocumentVersion("d", version))) for version in (1, 2)]
        assert sum(counts) > 0
        assert all(count in (0, 25) for count in counts)
        assert readable(index, someone("odd", "even")) == {"d"}
        indexes.close()
