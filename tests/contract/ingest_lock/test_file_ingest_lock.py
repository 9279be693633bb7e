"""The note that the holder of a lock file leaves for those who wait."""

import fcntl
import os
import stat
import threading
from pathlib import Path

from groundwire.adapters.local.ingest.lock import FileIngestLock
from groundwire.ports import LockHolder

HALF_DONE = LockHolder(os.getpid(), 302, 2_022)


def lock_file(folder: Path) -> Path:
    return folder / "t-acme" / "ingest.lock"


def wait_for_waiter(folder: Path) -> None:
    """Return as soon as another holder has locked the turnstile."""
    with (folder / "t-acme" / "ingest.turnstile").open("rb") as turnstile:
        while True:
            try:
                fcntl.flock(turnstile, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                return
            fcntl.flock(turnstile, fcntl.LOCK_UN)


def test_those_who_wait_learn_the_process_and_how_far_it_is(tmp_path: Path) -> None:
    lock, other = FileIngestLock(tmp_path), FileIngestLock(tmp_path)
    with lock.hold("t-acme"):
        assert other.holder("t-acme") == LockHolder(os.getpid(), None, None)
        lock.report("t-acme", 1_302, 12_022)
        lock.report("t-acme", 302, 2_022)
        assert other.holder("t-acme") == HALF_DONE


def test_a_report_of_who_holds_nothing_is_ignored(tmp_path: Path) -> None:
    lock, other = FileIngestLock(tmp_path), FileIngestLock(tmp_path)
    lock.report("t-acme", 1, 2)
    assert other.holder("t-acme") is None
    with lock.hold("t-acme"):
        other.report("t-acme", 1, 2)
        assert other.holder("t-acme") == LockHolder(os.getpid(), None, None)


def test_whoever_comes_while_it_is_held_leaves_the_note_alone(tmp_path: Path) -> None:
    lock, other = FileIngestLock(tmp_path), FileIngestLock(tmp_path)
    with lock.hold("t-acme"):
        lock.report("t-acme", 302, 2_022)
        with other.hold_if_free("t-acme") as is_free:
            assert not is_free
        assert other.holder("t-acme") == HALF_DONE


def test_the_note_of_a_holder_that_was_killed_names_nobody(tmp_path: Path) -> None:
    lock = FileIngestLock(tmp_path)
    with lock.hold("t-acme"):
        left = lock_file(tmp_path).read_bytes()
    assert left.strip()
    lock_file(tmp_path).write_bytes(left)
    assert lock.holder("t-acme") is None


def test_a_holder_whose_note_cannot_be_read_is_a_holder(tmp_path: Path) -> None:
    lock, other = FileIngestLock(tmp_path), FileIngestLock(tmp_path)
    for note in ("a word", "[1, 2]", '{"pid": "1"}', "\xff"):
        with lock.hold("t-acme"):
            lock_file(tmp_path).write_bytes(note.encode("latin-1").ljust(200))
            assert other.holder("t-acme") == LockHolder(None, None, None)


def test_only_its_owner_reads_the_note(tmp_path: Path) -> None:
    with FileIngestLock(tmp_path).hold("t-acme"):
        assert stat.S_IMODE(lock_file(tmp_path).stat().st_mode) == 0o600


def test_a_run_that_takes_it_for_each_file_lets_those_who_wait_in_between(tmp_path: Path) -> None:
    place = FileIngestLock(tmp_path)
    came_in = threading.Event()
    round_trips = 0

    def wait() -> None:
        with FileIngestLock(tmp_path).hold("t-acme"):
            came_in.set()

    with place.hold("t-acme"):
        waiting = threading.Thread(target=wait)
        waiting.start()
        wait_for_waiter(tmp_path)
    while not came_in.is_set() and round_trips < 3:
        with place.hold("t-acme"):
            round_trips += 1
    waiting.join()
    assert round_trips <= 1
