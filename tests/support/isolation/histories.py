"""Recorded histories: the choices by which a machine found each seeded leak, as a database of Hypothesis.

The file `histories.json` holds them by the names of machine and bug. `make histories` draws and records all anew: it
is due where the machine or Hypothesis changed so that the recorded choices no longer show the leak. Until then such a
leak is found by drawing, which only takes longer.
"""

import base64
import fcntl
import json
import os
import zlib
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from hypothesis.database import ExampleDatabase

_FILE: Final = Path(__file__).parent / "histories.json"
RECORDS: Final = bool(os.environ.get("RECORD_HISTORIES"))
"""True where histories are drawn and recorded, not replayed."""


class RecordedHistory(ExampleDatabase):
    """Database that holds the one recorded history of a name, and takes another only from `make histories`."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self._name = name

    def fetch(self, key: bytes) -> Iterable[bytes]:
        """Yield the recorded choices; Hypothesis's secondary and Pareto corpora are empty."""
        recorded = _read().get(self._name)
        if recorded is not None and not RECORDS and not key.endswith((b".secondary", b".pareto")):
            yield zlib.decompress(base64.b64decode(recorded))

    def save(self, key: bytes, value: bytes) -> None:
        """Record the choices where histories are recorded."""
        if RECORDS and not key.endswith((b".secondary", b".pareto")):
            _record(self._name, base64.b64encode(zlib.compress(value, 9)).decode())

    def delete(self, key: bytes, value: bytes) -> None:
        """Keep the record: choices that show no leak in one product may show it in another."""


def _read() -> dict[str, str]:
    return json.loads(_FILE.read_text())


def _record(name: str, choices: str) -> None:
    with _FILE.open("r+") as file:
        # Several processes of one run record.
        fcntl.flock(file, fcntl.LOCK_EX)
        histories = json.load(file) | {name: choices}
        file.seek(0)
        file.truncate()
        json.dump(histories, file, indent=1, sort_keys=True)
        file.write("\n")
