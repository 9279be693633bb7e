"""When a write is seen: the engine's own refresh, kept for the moments at which the service has one."""

from threading import RLock
from typing import Any, Final

from tests.support.opensearch.emulator.clock import Clock
from tests.support.opensearch.emulator.generations import Generation
from tests.support.opensearch.emulator.node.node import Node

_SOON: Final = "20ms"
"""Between refreshes of an ordinary index, so that who waits for one does not wait for long."""


class Visibility:
    """Which writes searches see.

    Args:
        delay: seconds between refreshes of the service; 0: whatever was written before a search is seen by it.
    """

    def __init__(self, generation: Generation, node: Node, clock: Clock, delay: float) -> None:
        self._generation = generation
        self._node = node
        self._clock = clock
        self._delay = delay
        self._unseen: set[str] = set()
        self._born: dict[str, float] = {}
        self._lock = RLock()

    def put_into(self, settings: dict[str, Any]) -> None:
        """Settings of a new index: who refreshes it."""
        settings.setdefault("index.refresh_interval", "-1" if self._generation.serverless else _SOON)

    def made(self, index: str) -> None:
        """There is a new index."""
        with self._lock:
            self._born[index] = self._clock.now

    def wrote(self, index: str) -> None:
        """Something was written that searches do not see yet."""
        with self._lock:
            self._unseen.add(index)

    def before_reading(self) -> None:
        """Where nothing delays it, what was written is seen by now."""
        if not self._delay:
            self.become_visible()

    def is_searched(self, index: str) -> bool:
        """Whether the index is not too new for that."""
        born = self._born.get(index)
        return not self._delay or born is None or self._clock.now >= born + self._generation.visible_in

    def advance(self, seconds: float) -> None:
        """Later: the refreshes that fall into that time have been."""
        before = self._clock.now
        self._clock.advance(seconds)
        if self._delay and before // self._delay < self._clock.now // self._delay:
            self.become_visible()

    def become_visible(self) -> None:
        """All that was written until now is seen from now on."""
        with self._lock:
            for index in self._unseen:
                self._node.ask("POST", index, "_refresh")
            self._unseen.clear()
