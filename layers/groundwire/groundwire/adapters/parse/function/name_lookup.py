"""Trial of a name that the closed network of the parser function must not look up: its DNS firewall blocks it.

Started as `python -m groundwire.adapters.parse.function.name_lookup NAME`; it writes the outcome as JSON. A process of
its own tries, since nothing else bounds the time of a lookup. It is not confined, so the network alone decides.
"""

import json
import socket
import subprocess
import sys
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from groundwire_readers.sandbox.processes.program import worker_environment

FOREIGN_NAME: Final = "example.com."
"""A name that is nobody's (RFC 2606), that has addresses, and that is no name of AWS.

The dot at its end keeps a resolver from trying it within search domains.
"""
_TIMEOUT_SECONDS: Final = 5.0


class LookupOutcome(StrEnum):
    """Result of a lookup.

    `BLOCKED`: the resolver answered that the name has no address, as the firewall does (NODATA). `ANSWERED`: it gave
    an address. `UNKNOWN`: anything else, which a missing network or a broken resolver also gives.
    """

    BLOCKED = "blocked"
    ANSWERED = "answered"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class NameLookup:
    """A lookup that was tried.

    Attributes:
        name: without the dot at its end.
        detail: the answer in words.
    """

    name: str
    outcome: LookupOutcome
    detail: str


def try_lookup(name: str = FOREIGN_NAME, seconds: float = _TIMEOUT_SECONDS) -> NameLookup:
    """Return what came of looking a name up in the network of this process.

    Args:
        name: a host that has an address.
        seconds: after which the trial ends without an outcome.
    """
    command, name = [sys.executable, "-m", __name__, name], name.removesuffix(".")
    try:
        tried = subprocess.run(command, env=worker_environment(), capture_output=True, timeout=seconds, check=True)
        outcome, detail = json.loads(tried.stdout)
        return NameLookup(name, LookupOutcome(outcome), detail)
    except subprocess.TimeoutExpired:
        return NameLookup(name, LookupOutcome.UNKNOWN, f"no answer within {seconds:g} s")
    except (OSError, subprocess.SubprocessError, ValueError, TypeError) as error:
        return NameLookup(name, LookupOutcome.UNKNOWN, f"the trial failed: {type(error).__name__}")


def look_up(name: str) -> tuple[LookupOutcome, str]:
    """Return the outcome and the answer in words; a lookup may take as long as the system's resolver does."""
    try:
        socket.getaddrinfo(name, None, socket.AF_INET, socket.SOCK_STREAM)
    except socket.gaierror as error:
        # glibc: NODATA is EAI_NODATA, NXDOMAIN is EAI_NONAME, SERVFAIL, REFUSED and silence are EAI_AGAIN.
        is_blocked = error.errno == socket.EAI_NODATA
        return LookupOutcome.BLOCKED if is_blocked else LookupOutcome.UNKNOWN, str(error.strerror)
    return LookupOutcome.ANSWERED, "it has an address"


if __name__ == "__main__":
    sys.stdout.write(json.dumps(look_up(sys.argv[1])))
