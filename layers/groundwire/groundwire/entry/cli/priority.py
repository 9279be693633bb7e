"""Commands that embed for minutes or hours run beside servers on the same machine."""

import os
from typing import Final

_NICENESS: Final = 10


def let_servers_go_first() -> None:
    """Who waits for an answer should not wait for this; processes that are started from here inherit it."""
    if hasattr(os, "setpriority"):
        os.setpriority(os.PRIO_PROCESS, 0, max(_NICENESS, os.getpriority(os.PRIO_PROCESS, 0)))
