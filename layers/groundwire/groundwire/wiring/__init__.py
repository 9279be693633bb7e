"""The composition root: the only place that picks adapters and hands them to the services.

Importing it imports no adapter: a call that only introduces the server never pays for the index.
"""

import os
from threading import Lock
from typing import Final

from groundwire import settings
from groundwire.domain.errors import Unavailable
from groundwire.wiring.services import Services

__all__ = ["Services", "current", "reset"]

_LOCK: Final = Lock()
_PROCESS: Final[dict[str, Services]] = {}


def current() -> Services:
    """The services of this process, as its environment asks for them; the same ones on every call.

    Raises:
        Invalid: a setting that cannot be.
        Unavailable: this is a Lambda function, for which this version has no stores.
    """
    with _LOCK:
        if "services" not in _PROCESS:
            if "AWS_LAMBDA_FUNCTION_NAME" in os.environ and "GROUNDWIRE_HOME" not in os.environ:
                raise Unavailable("This version keeps its data in a local folder: set GROUNDWIRE_HOME to one.")
            _PROCESS["services"] = Services(settings.read(os.environ))
        return _PROCESS["services"]


def reset() -> None:
    """The next `current()` reads the environment anew; what the old services hold is closed."""
    with _LOCK:
        services = _PROCESS.pop("services", None)
    if services is not None:
        services.close()
