"""`make image-trial`: the server's image built and served without Docker, each promise of its page as a line.

    unshare --mount python -m tests.e2e.image CONTEXT WORKSHOP

The base image is Debian with Debian's Python. What a container engine does beyond that is not tried: its seccomp
profile, its storage and its network. The server runs in a network of its own, so that it fetches nothing.
"""

import ctypes
import fcntl
import json
import os
import signal
import socket
import struct
import subprocess
import sys
import time
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from tests.e2e.image.root_file_system import Image, base_image, build, inside

_NEW_NETWORK: Final = 0x40000000
"""CLONE_NEWNET of Linux, sched.h."""
_GET_FLAGS: Final = 0x8913
_SET_FLAGS: Final = 0x8914
_IS_UP: Final = 0x1
"""SIOCGIFFLAGS, SIOCSIFFLAGS and IFF_UP of Linux, netdevice(7)."""
_DEADLINE_S: Final = 120
_TEXT: Final = "The warranty of the pump Kestrel lasts 31 months.\n"


def _say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


class Trial:
    """Promises that were tried, in order."""

    def __init__(self) -> None:
        self.failed: list[str] = []

    def expect(self, promise: str, evidence: str = "", *, is_kept: bool) -> None:
        """Print the promise with its outcome; one that is not kept is listed with its evidence."""
        _say(f"{'ok ' if is_kept else 'BAD'} {promise}")
        if not is_kept:
            self.failed.append(promise)
            _say(evidence)

    def succeed(self, promise: str, done: subprocess.CompletedProcess[str]) -> None:
        """Print the promise, which is kept if the program ended with 0."""
        self.expect(promise, done.stdout + done.stderr, is_kept=done.returncode == 0)


def main(context: Path, workshop: Path) -> int:
    """Build the image of the context in the workshop, serve it, and return 0 if every promise is kept."""
    workshop.mkdir(parents=True, exist_ok=True)
    image = build(context / "Dockerfile", base_image(workshop / "base"), workshop, _say)
    _leave_network()
    _make_read_only(image)
    trial = Trial()
    _try_rights(image, trial)
    with _serving(image) as server:
        _try_health(image, server, trial)
        _try_work(image, trial)
        server.send_signal(signal.SIGTERM)
        code = server.wait(_DEADLINE_S)
        trial.expect("the server ends by SIGTERM", f"exit code {code}", is_kept=code == 0)
    return 1 if trial.failed else 0


def _leave_network() -> None:
    if ctypes.CDLL(None, use_errno=True).unshare(_NEW_NETWORK):
        raise OSError(ctypes.get_errno(), "no network of its own")
    with socket.socket() as opened:
        request = fcntl.ioctl(opened, _GET_FLAGS, struct.pack("16sh22x", b"lo", 0))
        (flags,) = struct.unpack_from("h", request, 16)
        fcntl.ioctl(opened, _SET_FLAGS, struct.pack("16sh22x", b"lo", flags | _IS_UP))


def _make_read_only(image: Image) -> None:
    """Mount the root read-only, with a writable /tmp and writable volumes, as the compose file does."""
    number, _, group = image.user.partition(":")
    places = {volume: image.root.with_name("volume" + volume.replace("/", "-")) for volume in image.volumes}
    for volume, folder in places.items():
        # As an engine fills a new volume: with the owner and the mode that the image's folder has.
        subprocess.run(["rm", "-rf", str(folder)], check=True)
        subprocess.run(["cp", "--archive", str(image.root / volume.lstrip("/")), str(folder)], check=True)
    subprocess.run(["mount", "--rbind", str(image.root), str(image.root)], check=True)
    subprocess.run(["mount", "-o", "remount,bind,ro", str(image.root)], check=True)
    subprocess.run(["mount", "-t", "proc", "proc", str(image.root / "proc")], check=True)
    owner = f"uid={number},gid={group},mode=1777"
    subprocess.run(["mount", "-t", "tmpfs", "-o", owner, "tmpfs", str(image.root / "tmp")], check=True)
    for volume, folder in places.items():
        subprocess.run(["mount", "--bind", str(folder), str(image.root / volume.lstrip("/"))], check=True)


def _run(image: Image, *command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        inside(image, command), env=image.variables, capture_output=True, text=True, check=False, timeout=_DEADLINE_S
    )


def _try_rights(image: Image, trial: Trial) -> None:
    number = _run(image, "id", "--user").stdout.strip()
    trial.expect("the user is not root", number, is_kept=number == image.user.partition(":")[0] != "0")
    for folder in ("/", "/opt/groundwire", "/etc", "/usr"):
        written = _run(image, "touch", f"{folder}/written")
        trial.expect(f"nothing can be written in {folder}", is_kept=written.returncode != 0)
    for volume in image.volumes:
        mode = _run(image, "stat", "--format=%U %a", volume).stdout.strip()
        trial.expect(f"only the user can read {volume}", mode, is_kept=mode == "groundwire 700")


@contextmanager
def _serving(image: Image) -> Generator[subprocess.Popen[str]]:
    command = inside(image, [*image.entry, *image.command])
    with subprocess.Popen(command, env=image.variables, text=True) as server:
        try:
            yield server
        finally:
            server.kill()


def _try_health(image: Image, server: subprocess.Popen[str], trial: Trial) -> None:
    until = time.monotonic() + _DEADLINE_S
    health = _run(image, *image.health)
    while health.returncode and server.poll() is None and time.monotonic() < until:
        health = _run(image, *image.health)
    trial.succeed("the health check holds", health)


def _try_work(image: Image, trial: Trial) -> None:
    def groundwire(*words: str) -> subprocess.CompletedProcess[str]:
        return _run(image, *image.entry, *words)

    groundwire("tenant", "create", "acme")
    issued = groundwire(
        "key", "create", "--tenant", "acme", "--user", "ana", "--scope", "search", "--name", "ana", "--json"
    )
    trial.succeed("a key is created beside the running server", issued)
    file = image.root / "tmp" / "pump.md"
    file.write_text(_TEXT, encoding="utf-8")
    ingested = groundwire("ingest", "/tmp/pump.md", "--tenant", "acme", "--public")
    trial.succeed("a file is ingested", ingested)
    secret = json.loads(issued.stdout)["key"]
    call = (
        "import json, urllib.request as u; print(u.urlopen(u.Request('http://127.0.0.1:8080/v1/search',"
        f"json.dumps({{'phrases': ['warranty of Kestrel']}}).encode(), {{'x-api-key': '{secret}',"
        "'content-type': 'application/json'})).read().decode())"
    )
    answer = _run(image, "python", "-c", call)
    trial.expect("the server answers from it", answer.stdout + answer.stderr, is_kept="31 months" in answer.stdout)
    trial.succeed("doctor finds no failure", groundwire("doctor"))


if __name__ == "__main__":
    if os.geteuid():
        sys.exit("Run it as root: a root file system is made and entered.")
    sys.exit(main(Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve()))
