"""One engine for all test processes of a checkout: the first to come starts it, it ends with the last to go."""

import json
import socket
from collections.abc import Callable, Generator
from contextlib import closing, contextmanager, suppress
from dataclasses import asdict, dataclass
from pathlib import Path

from tests.support.engines.installers.locks import alone


@dataclass(frozen=True, slots=True)
class Shared:
    """Engine that runs: the port for leases, the word that identifies it, and its own address."""

    door: int
    word: str
    url: str


@contextmanager
def leased(folder: Path, start: Callable[[], tuple[Shared, socket.socket]]) -> Generator[str]:
    """The address of the engine that keeps its files in the folder, running for as long as the block.

    Args:
        folder: one per engine.
        start: makes it run, and holds the first lease.
    """
    with alone(folder):
        held = _join(folder) or _begin(folder, start)
    url, lease = held
    with closing(lease):
        yield url


def take(door: int, word: str) -> socket.socket | None:
    """A lease, to be closed when it is no longer needed; None where nobody gives one."""
    try:
        lease = socket.create_connection(("127.0.0.1", door), timeout=10)
    except OSError:
        return None
    # An engine whose last lease is ending can still accept; it says nothing more.
    with suppress(OSError):
        if lease.makefile("rb").readline().decode().strip() == word:
            lease.settimeout(None)
            return lease
    lease.close()
    return None


def _join(folder: Path) -> tuple[str, socket.socket] | None:
    try:
        shared = Shared(**json.loads(_note(folder).read_text(encoding="utf-8")))
    except FileNotFoundError:
        return None
    lease = take(shared.door, shared.word)
    return None if lease is None else (shared.url, lease)


def _begin(folder: Path, start: Callable[[], tuple[Shared, socket.socket]]) -> tuple[str, socket.socket]:
    shared, lease = start()
    _note(folder).write_text(json.dumps(asdict(shared)), encoding="utf-8")
    return shared.url, lease


def _note(folder: Path) -> Path:
    return folder.with_name(f"{folder.name}.json")
