"""Options of `groundwire serve` for its operator: metrics, access log and readiness."""

import re
from collections.abc import Generator
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING, Final, NamedTuple

from groundwire.domain.errors import InvalidInput

if TYPE_CHECKING:
    from groundwire.entry.local_server.watch import ServerWatch
    from groundwire.wiring.local.services import LocalServices

_ADDRESS: Final = re.compile(r"(?:\[(?P<v6>[0-9a-fA-F:]+)\]|(?P<host>[\w.-]+)):(?P<port>\d{1,5})")
_LAST_PORT: Final = 65_535
_NOBODY: Final = "-"
"""Id that no tenant has: looking for it is the smallest read of the registry."""


class MetricsAddress(NamedTuple):
    """Address on which metrics are served."""

    host: str
    port: int


def address_of_metrics(option: str) -> MetricsAddress:
    """Return the host and port of `--metrics`.

    Raises:
        InvalidInput: it is no HOST:PORT.
    """
    found = _ADDRESS.fullmatch(option)
    if found is None or int(found["port"]) > _LAST_PORT:
        raise InvalidInput(f"--metrics takes HOST:PORT, such as 127.0.0.1:9464, not {option!r}.")
    return MetricsAddress(found["v6"] or found["host"], int(found["port"]))


@contextmanager
def watching(
    services: "LocalServices", metrics: MetricsAddress | None, *, access_log: bool
) -> Generator["ServerWatch"]:
    """Watch a server within the block: readiness always, metrics and an access log where they are requested.

    Raises:
        Conflict: the metrics' address is taken.
    """
    # Imported on use, as the server itself.
    from groundwire.entry.local_server.watch import (
        Readiness,
        RequestMetrics,
        ServerWatch,
        metrics_served,
        write_access_log,
    )

    def is_registry_readable() -> bool:
        # Models and indexes were loaded before the server took requests. Any answer of the registry will do.
        services.stores.tenants.get(_NOBODY)
        return True

    with ExitStack() as served:
        observers = [write_access_log] if access_log else []
        if metrics is not None:
            counted = RequestMetrics()
            served.enter_context(metrics_served(counted, metrics.host, metrics.port))
            observers.append(counted.observe)
        yield ServerWatch(Readiness(is_registry_readable), observers)
