"""A process of one thread that forks while it has a registry open; ends with 0 when parent and child could go on."""

import os
import sys
from pathlib import Path

from groundwire.adapters.local.registry.database import Database
from groundwire.adapters.local.registry.tenants import SqliteTenants
from tests.support.registry.records import tenant


def child_uses_its_own_connection(registry: Database) -> bool:
    with registry.read() as parents:
        pass
    child = os.fork()
    if child == 0:
        with registry.read() as own:
            os._exit(int(own is parents))
    return os.waitpid(child, 0)[1] == 0


def both_write(registry: Database) -> bool:
    tenants = SqliteTenants(registry)
    tenants.add(tenant("t-parent"))
    child = os.fork()
    if child == 0:
        tenants.add(tenant("t-child"))
        os._exit(0)
    ended_well = os.waitpid(child, 0)[1] == 0
    tenants.add(tenant("t-after"))
    names = [each.name for each in tenants.all()]
    return ended_well and names == ["after", "child", "parent"] and registry.integrity_errors() == []


if __name__ == "__main__":
    opened = Database(Path(sys.argv[1]))
    sys.exit(not {"connections": child_uses_its_own_connection, "writes": both_write}[sys.argv[2]](opened))
