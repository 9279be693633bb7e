"""What a killed write leaves half-written goes with the next ingestion, and nothing that somebody is writing."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from groundwire.adapters.local.uploads import FileUploadInbox
from tests.support.isolation.policies import PUBLIC
from tests.support.worlds.world import World

KILLED_WHILE_IT_WRITES = """
import os, signal, sys
from pathlib import Path
from groundwire.adapters.local.blobs import FileBlobs

os.fsync = lambda descriptor: os.kill(os.getpid(), signal.SIGKILL)
FileBlobs(Path(sys.argv[1])).put(sys.argv[2], "leave/1", b"The ledger of a document that is deleted later.")
"""
HOURS_AGO = 2 * 3_600


@pytest.fixture
def tenant(world: World) -> str:
    return world.tenant("amber")


@pytest.fixture
def blobs(world: World, tenant: str) -> Path:
    world.ingest(tenant, "The ledger.", PUBLIC, path="/nowhere/a.txt")
    return world.services.settings.home / "tenants" / tenant / "blobs"


def parts(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.rglob(".part-*"))


def test_an_original_that_a_killed_process_was_writing_no_longer_exists_after_the_next_ingestion(
    world: World, tenant: str, blobs: Path
) -> None:
    tenants = blobs.parent.parent
    command = [sys.executable, "-c", KILLED_WHILE_IT_WRITES, str(tenants), tenant]
    assert subprocess.run(command, check=False).returncode == -signal.SIGKILL
    assert len(parts(blobs)) == 1
    world.ingest(tenant, "Another ledger.", PUBLIC, path="/nowhere/b.txt")
    assert parts(blobs) == []
    assert len(world.services.stores.documents.all(tenant, None)) == 2


def test_an_upload_that_is_being_written_stays_and_a_forgotten_one_goes(world: World, tenant: str, blobs: Path) -> None:
    forgotten, half_index = blobs / ".part-forgotten", blobs.parent / ".part-index"
    forgotten.write_bytes(b"half")
    half_index.mkdir()
    for path in (forgotten, half_index):
        os.utime(path, (time.time() - HOURS_AGO, time.time() - HOURS_AGO))
    inbox = FileUploadInbox(blobs.parent.parent)
    with inbox.open_writer(tenant, "up_1") as file:
        file.write(b"The first half, ")
        world.ingest(tenant, "Another ledger.", PUBLIC, path="/nowhere/b.txt")
        file.write(b"the second half.")
    assert inbox.read(tenant, "up_1") == b"The first half, the second half."
    assert parts(blobs.parent) == []


def test_who_waits_for_the_lock_removes_nothing_that_its_holder_writes(world: World, tenant: str, blobs: Path) -> None:
    lock = world.services.stores.ingest_lock
    with lock.hold(tenant):
        writing = blobs / ".part-original-now"
        writing.write_bytes(b"half")
        with lock.hold_if_free(tenant) as is_free:
            assert not is_free
        assert writing.exists()
    with lock.hold_if_free(tenant) as is_free:
        assert is_free
    assert not writing.exists()
