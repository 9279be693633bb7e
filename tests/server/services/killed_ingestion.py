"""Runs `groundwire ingest` in processes that are killed: each is a fork, so that nothing is imported anew.

Reads one JSON object per line (`home`, `folder`, `calls`, `seconds`) and answers each with the exit code of its
process, negative for a signal, and how many calls of ports it made, when it came to its end.
"""

import io
import json
import os
import signal
import sys
import tempfile
from collections.abc import Mapping
from contextlib import redirect_stdout, suppress
from pathlib import Path
from typing import Any, Final

from groundwire import wiring
from groundwire.adapters.local import audit, blobs, index
from groundwire.adapters.local.ingest import folder_objects, lock
from groundwire.adapters.local.registry import documents, tenants
from groundwire.entry.cli.main import main
from groundwire.settings.environment import Settings
from groundwire.wiring.local import services as local_services
from groundwire.wiring.local.services import LocalServices
from tests.server.services.crashing import Fuse
from tests.support.documents.mail_parser import Mails
from tests.support.worlds.exchange import exchange, owner
from tests.support.worlds.world import plain_services

_IMPORTED_ONCE: Final = (
    *(audit, blobs, index, folder_objects, lock),
    *(documents, tenants),
)
"""The product imports them where it needs them first, which would be in each fork."""
_PORTS: Final = ("documents", "indexes", "blobs", "collections")


class Kill(Fuse):
    """Ends the process at the call after the last one that it lets through, as nothing but a power cut does."""

    def __init__(self, calls: int) -> None:
        super().__init__(calls)
        self.made = 0

    def burn(self) -> None:
        """One call."""
        self.made += 1
        if not self._left:
            os.kill(os.getpid(), signal.SIGKILL)
        self._left -= 1


def _die(_number: int, _frame: object) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def run(order: Mapping[str, Any], made: Path) -> None:
    """The command, to its end or to the call that it dies at."""
    fuse = Kill(order["calls"])

    def services(settings: Settings) -> LocalServices:
        made = plain_services(settings)
        exchange(made, parser=Mails())
        exchange(made, **{name: fuse.on(getattr(owner(made, name), name)) for name in _PORTS})
        return made

    local_services.open_home = services  # pyright: ignore[reportAttributeAccessIssue, reportPrivateImportUsage]
    os.environ["GROUNDWIRE_HOME"] = order["home"]
    sys.argv = ["groundwire", "ingest", order["folder"], "-t", "acme", "--sync", "--yes"]
    sys.stdout = sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: PTH123, SIM115
    if order["seconds"] is not None:
        # The kernel's own kill, at whatever instruction the process is.
        signal.setitimer(signal.ITIMER_REAL, order["seconds"])
        signal.signal(signal.SIGALRM, _die)
    try:
        main()
    except SystemExit as left:
        made.write_text(str(fuse.made), encoding="ascii")
        os._exit(int(left.code or 0))


def answer(order: Mapping[str, Any], made: Path) -> dict[str, int]:
    """What became of the process."""
    made.unlink(missing_ok=True)
    child = os.fork()
    if child == 0:
        try:
            run(order, made)
        finally:
            os._exit(99)
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    # The kill may come between the making of the file and its content.
    calls = made.read_text(encoding="ascii") if made.exists() else ""
    return {"code": code, "calls": int(calls or 0)}


def warm(home: str) -> None:
    """What a command imports on its way is imported here, once and for all forks."""
    os.environ["GROUNDWIRE_HOME"] = home
    sys.argv = ["groundwire", "tenant", "list", "--json"]
    with suppress(SystemExit), redirect_stdout(io.StringIO()):
        main()
    wiring.reset()


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        warm(folder)
        for line in sys.stdin:
            sys.stdout.write(json.dumps(answer(json.loads(line), Path(folder) / "made")) + "\n")
            sys.stdout.flush()
