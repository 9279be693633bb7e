"""Rate limit of callers without a credential, by their address, in the memory of one process.

Nothing is stored: such a caller must cause no write. Each process counts for itself, so the limit of a deployment is
this one for each running instance of the function, within the rate of the gateway's stage.
"""

import threading
from collections import OrderedDict
from typing import TYPE_CHECKING

from groundwire.domain.limits import DISCOVERY_BURST, DISCOVERY_RATE_PER_MINUTE, MAX_DISCOVERY_ADDRESSES

if TYPE_CHECKING:
    from groundwire.ports import Clock


class AddressLimit:
    """Admission of calls by address; addresses of one IPv6 network of 64 bits count as one.

    Args:
        clock: epoch seconds.
    """

    def __init__(self, clock: "Clock") -> None:
        self._clock = clock
        self._arrival_times: OrderedDict[str, float] = OrderedDict()
        self._lock = threading.Lock()

    def seconds_until_admitted(self, address: str) -> float:
        """Return 0 and count the call if it is within the rate of its address; an empty address is one, too."""
        # Not before: a function whose callers all have keys starts without it.
        from groundwire.domain.keys.rate_limit import RateExceeded, spend

        source = network_of(address)
        with self._lock:
            decision = spend(self._arrival_times.get(source), self._clock(), DISCOVERY_RATE_PER_MINUTE, DISCOVERY_BURST)
            if isinstance(decision, RateExceeded):
                return decision.retry_after_seconds
            self._arrival_times[source] = decision.arrival_time
            self._arrival_times.move_to_end(source)
            if len(self._arrival_times) > MAX_DISCOVERY_ADDRESSES:
                self._arrival_times.popitem(last=False)
        return 0.0


def network_of(address: str) -> str:
    """Return the address that counts for a caller: an IPv6 network of 64 bits, which one customer has, is one."""
    if ":" not in address:
        return address
    # Not before: few callers without a credential have such an address.
    from ipaddress import IPv6Address, ip_network

    plain = address.partition("%")[0]
    try:
        mapped = IPv6Address(plain).ipv4_mapped
    except ValueError:
        return address
    return str(mapped) if mapped is not None else str(ip_network(f"{plain}/64", strict=False))
