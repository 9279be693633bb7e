"""Budget of tokens for each tenant, counted in this process."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from threading import Lock
from typing import Final

_MINUTE: Final = 60.0
_DAY: Final = 86_400.0
_MOST_TENANTS: Final = 10_000


@dataclass(slots=True)
class _Window:
    """Tokens that were used in a period."""

    ends_at: float
    used: int = 0


class TokenBudget:
    """Budget of a minute and of a day; a period begins with the first call after the one before.

    Args:
        clock: monotonic seconds.
    """

    def __init__(self, per_minute: int, per_day: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._limits = ((_MINUTE, per_minute), (_DAY, per_day))
        self._clock = clock
        self._lock = Lock()
        self._windows: dict[tuple[str, float], _Window] = {}

    def take(self, tenant: str, tokens: int) -> bool:
        """Count the tokens and return True, if the tenant has so many left in both periods; else count nothing."""
        with self._lock:
            windows = [(self._window(tenant, length), most) for length, most in self._limits]
            if any(window.used + tokens > most for window, most in windows):
                return False
            for window, _ in windows:
                window.used += tokens
            return True

    def correct(self, tenant: str, tokens: int) -> None:
        """Add the difference between what a call took and what it then used; it may be negative."""
        with self._lock:
            for length, _ in self._limits:
                window = self._window(tenant, length)
                # The call may have taken its tokens in the period before.
                window.used = max(0, window.used + tokens)

    def _window(self, tenant: str, length: float) -> _Window:
        now = self._clock()
        window = self._windows.get((tenant, length))
        if window is None or window.ends_at <= now:
            if len(self._windows) >= _MOST_TENANTS * len(self._limits):
                self._windows = {key: each for key, each in self._windows.items() if each.ends_at > now}
            window = self._windows[tenant, length] = _Window(now + length)
        return window
