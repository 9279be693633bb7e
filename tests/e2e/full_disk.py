"""Searches on a full disk: `unshare -rm python -m tests.e2e.full_disk FOLDER`.

Mounts a small disk on the folder, which this process alone sees. Prints an object: whether there was a reserve, the
statuses of searches before and after the disk became full, whether the reserve is left, and what the audit log has.
"""

import json
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

from groundwire.adapters.local.filesystem import disk_reserve, os_errors
from tests.support.isolation.policies import PUBLIC
from tests.support.worlds.world import caller, open_world

_SEARCHES: Final = 200


def fill_disk(folder: Path) -> None:
    """Write until the disk takes no further byte."""
    with (folder / "other-files").open("wb", buffering=0) as file:
        for size in (1 << 20, 1 << 12, 1):
            try:
                while file.write(bytes(size)):
                    pass
            except OSError:
                continue


def main() -> None:
    """Fill the disk of a home and search in it."""
    folder = Path(sys.argv[1])
    size = 12 * disk_reserve.RESERVE_BYTES
    subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", folder], check=True)
    home = folder / "home"
    with pytest.MonkeyPatch.context() as patch, open_world(home, patch) as world:
        tenant = world.tenant("acme")
        world.ingest(tenant, "The rent of the depot is 4,100 euros.", PUBLIC, path="/nowhere/rent.txt")
        headers = caller(world.acting_key(tenant), "maria", frozenset())
        before = world.search(headers, "rent").status
        disk_reserve.keep(home)
        kept = (home / "reserve").exists()
        fill_disk(folder)
        is_full = os_errors.has_no_space(home)
        statuses = [world.search(headers, "rent").status for _ in range(_SEARCHES)]
        found = {
            "kept": kept,
            "is_full": is_full,
            "before": before,
            "statuses": statuses,
            "left": (home / "reserve").exists(),
            "answered_lines": sum(line.get("status") == 200 for line in world.services.stores.audit.read_all()),
            "is_intact": world.services.stores.audit.verify().is_intact,
        }
    print(json.dumps(found))  # noqa: T201 - the answer of this program


if __name__ == "__main__":
    main()
