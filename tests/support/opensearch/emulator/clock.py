"""A clock that moves when a test moves it."""

from threading import Condition


class Clock:
    """Seconds since the emulator was opened."""

    def __init__(self) -> None:
        self._changed = Condition()
        self._now = 0.0
        self._stopped = False

    @property
    def now(self) -> float:
        """The moment."""
        with self._changed:
            return self._now

    def advance(self, seconds: float) -> None:
        """That much later."""
        with self._changed:
            self._now += seconds
            self._changed.notify_all()

    def stop(self) -> None:
        """Nobody waits any more."""
        with self._changed:
            self._stopped = True
            self._changed.notify_all()

    def wait_until(self, moment: float) -> None:
        """It is that moment, or the clock was stopped."""
        with self._changed:
            self._changed.wait_for(lambda: self._stopped or self._now >= moment)
