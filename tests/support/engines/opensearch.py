"""OpenSearch with k-NN: one node for all test processes of a checkout."""

import hashlib
import os
import pwd
import secrets
import shutil
import socket
import subprocess
import tempfile
import time
import zipfile
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final, Literal, TypeVar

from tests.support.engines.installers import maven
from tests.support.engines.installers.java import java
from tests.support.engines.installers.locks import alone
from tests.support.engines.leases import Shared, leased, take
from tests.support.engines.missing import Absent

_VERSION: Final = "3.5.0"
_NODE: Final = maven.Artifact("org.opensearch.distribution.integ-test-zip", "opensearch", _VERSION, "zip")
_KNN: Final = maven.Artifact("org.opensearch.plugin", "opensearch-knn", f"{_VERSION}.0", "zip")
_HOME: Final = maven.CACHE / f"opensearch-{_VERSION}"
_LAUNCHER: Final = Path(__file__).with_name("Leased.java")
_START_S: Final = 240
_UNPRIVILEGED: Final = "nobody"
_MEMORY: Final = Path("/dev/shm")
_ROOM: Final = 2 * 1024**3
"""Bytes: so much is more than all tests together write."""
_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class Build:
    """What a node is for.

    Attributes:
        folder: of the nodes of this build, of which one runs at a time.
        java: how its machine runs.
        in_memory: where it keeps its data if there is room.
    """

    folder: Path
    java: tuple[str, ...]
    in_memory: bool


TESTED: Final = Build(
    maven.CACHE / f"opensearch-{_VERSION}.node",
    ("-Xms1g", "-Xmx1g", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"),
    in_memory=True,
)
"""Ready soon, and quick with small indexes: each new one waits several times until it is safe on a disk."""

MEASURED: Final = Build(
    maven.CACHE / f"opensearch-{_VERSION}.measured",
    ("-Xms2g", "-Xmx2g", "--add-modules=jdk.incubator.vector"),
    in_memory=False,
)
"""As people run it: compiled to the end, dot products by the processor's vector instructions, data on a disk."""


@contextmanager
def running(build: Build = TESTED) -> Generator[str]:
    """The address of a node that runs for as long as the block: that of OPENSEARCH_URL, else one of this checkout.

    Raises:
        Absent: OpenSearch cannot be had here.
    """
    given = os.environ.get("OPENSEARCH_URL")
    if given:
        yield given.rstrip("/")
        return
    with leased(build.folder, partial(_start, build)) as url:
        yield url


def launch(folder: Path, word: str, build: Build = TESTED) -> subprocess.Popen[bytes]:
    """A node that begins to start in the folder, which is made anew; it ends unless somebody takes a lease.

    Raises:
        Absent: OpenSearch cannot be had here.
    """
    machine = java(21, "OPENSEARCH_JAVA_HOME", "JAVA_HOME")
    home = _distribution()
    data = _data(folder, build)
    _prepare(folder, data, home)
    with (folder / "output").open("wb") as output:
        return subprocess.Popen(
            _command([str(machine), *build.java], home, folder, data),
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            cwd=folder,
            env={"LEASE_WORD": word, "LEASE_DATA": str(data)},
            # What stops the test process that came first shall not stop the others' engine.
            start_new_session=True,
            user=_UNPRIVILEGED if os.geteuid() == 0 else None,
            extra_groups=[] if os.geteuid() == 0 else None,
        )


def first_lease(folder: Path, process: subprocess.Popen[bytes], word: str) -> socket.socket:
    """The lease that keeps the node of the folder; Raises Absent."""

    def given() -> socket.socket | None:
        for line in _output(folder):
            name, _, door = line.partition(" ")
            if name == "lease":
                return take(int(door), word)
        return None

    return _awaited(given, folder, process)


def _start(build: Build) -> tuple[Shared, socket.socket]:
    word, folder = secrets.token_hex(8), build.folder
    process = launch(folder, word, build)
    lease = first_lease(folder, process, word)
    written = folder / "logs" / "http.ports"
    address = _awaited(lambda: written.is_file() and written.read_text(encoding="utf-8").strip(), folder, process)
    # It ends with its last holder, which may be another process: nobody waits for it here.
    process.returncode = 0
    return Shared(lease.getpeername()[1], word, f"http://{address}"), lease


def _awaited(given: Callable[[], _T | Literal[False, ""] | None], folder: Path, process: subprocess.Popen[bytes]) -> _T:
    impatient_at = time.monotonic() + _START_S
    while time.monotonic() < impatient_at and process.poll() is None:
        if found := given():
            return found
        time.sleep(0.05)
    process.kill()
    raise Absent(f"OpenSearch did not begin to listen: {_complaint(folder)}")


def _output(folder: Path) -> list[str]:
    return (folder / "output").read_text(encoding="utf-8", errors="replace").splitlines()


def _complaint(folder: Path) -> str:
    lines = [line for line in _output(folder) if line.strip()]
    errors = [line for line in lines if "rror" in line or "xception" in line]
    return (errors or lines or ["it said nothing"])[0][:300]


def _distribution() -> Path:
    """The node's programs with the plugin, read by whoever runs it and written by nobody."""
    with alone(_HOME):
        if not _HOME.is_dir():
            with tempfile.TemporaryDirectory(dir=_HOME.parent) as made:
                fetched = maven.fetch([_NODE, _KNN], Path(made), alone=True)
                unpacked = Path(made) / _HOME.name
                _unpack(fetched / _NODE.file, Path(made))
                _unpack(fetched / _KNN.file, unpacked / "plugins" / _KNN.name)
                unpacked.rename(_HOME)
    return _HOME


def _unpack(archive: Path, folder: Path) -> None:
    with zipfile.ZipFile(archive) as opened:
        opened.extractall(folder)


def _prepare(folder: Path, data: Path, home: Path) -> None:
    """What the node writes to: its settings, data, logs; nothing of the node before it."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    shutil.copytree(home / "config", folder / "config")
    shutil.rmtree(data, ignore_errors=True)
    for made in (data, folder / "logs", folder / "temporary"):
        made.mkdir(mode=0o700)
    if os.geteuid() == 0:
        owner = pwd.getpwnam(_UNPRIVILEGED)
        for path in (data, folder, *folder.rglob("*")):
            os.chown(path, owner.pw_uid, owner.pw_gid)


def _data(folder: Path, build: Build) -> Path:
    in_memory = _MEMORY / f"opensearch-{hashlib.sha256(bytes(folder.resolve())).hexdigest()[:16]}"
    has_room = build.in_memory and _MEMORY.is_dir() and shutil.disk_usage(_MEMORY).free >= _ROOM
    return in_memory if has_room else folder / "data"


def _command(machine: Sequence[str], home: Path, folder: Path, data: Path) -> list[str]:
    settings = {
        "discovery.type": "single-node",
        "network.host": "127.0.0.1",
        "http.port": "0",
        "transport.port": "0",
        "path.data": data,
        "path.logs": folder / "logs",
        # It writes down which port it got.
        "node.portsfile": "true",
        # A disk that is nearly full makes indexes read-only; tests fill none.
        "cluster.routing.allocation.disk.threshold_enabled": "false",
        "cluster.max_shards_per_node": "10000",
    }
    return [
        *machine,
        "--enable-native-access=ALL-UNNAMED",
        f"-Djava.io.tmpdir={folder / 'temporary'}",
        f"-Dopensearch.path.home={home}",
        f"-Dopensearch.path.conf={folder / 'config'}",
        "-Dopensearch.distribution.type=tar",
        "-Dopensearch.bundled_jdk=false",
        *("-cp", f"{home}/lib/*:{home}/agent/*", str(_LAUNCHER)),
        *(f"-E{name}={value}" for name, value in settings.items()),
    ]
