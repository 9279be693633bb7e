"""The composition root: the only place that picks adapters and hands them to the services.

Importing it imports no adapter: a call that only introduces the server never pays for the index.
"""

import os
from threading import Lock
from typing import TYPE_CHECKING, Final

from groundwire import settings
from groundwire.domain.errors import NotFound, Unavailable
from groundwire.wiring.calls import CallServices
from groundwire.wiring.care import CareServices
from groundwire.wiring.services import Services

if TYPE_CHECKING:
    from groundwire.wiring.cloud import CloudServices
    from groundwire.wiring.ingestion_function import IngestionServices

__all__ = [
    "CallServices",
    "CareServices",
    "Services",
    "administration",
    "allow_new_home",
    "calls",
    "current",
    "deployment",
    "ingestion",
    "require_home",
    "reset",
]

_LOCK: Final = Lock()
_LOCAL: Final[dict[str, Services]] = {}
_HOME: Final = {"required": False}
"""Set where a home that does not exist is a mistake rather than a first start."""
_CLOUD: Final["dict[str, CloudServices]"] = {}
_INGESTION: Final["dict[str, IngestionServices]"] = {}


def require_home() -> None:
    """From now on `current` refuses a home that does not exist, until `allow_new_home` or `reset`."""
    _HOME["required"] = True


def allow_new_home() -> None:
    """From now on a home that does not exist may be made."""
    _HOME["required"] = False


def current() -> Services:
    """The services of this machine, as the environment asks for them; the same ones on every call.

    Raises:
        Invalid: a setting that cannot be.
        NotFound: there is no home, and `require_home` was called.
        Unavailable: this is a Lambda function without a home folder.
    """
    with _LOCK:
        if "services" not in _LOCAL:
            if _is_function() and "GROUNDWIRE_HOME" not in os.environ:
                raise Unavailable("This function has neither tables nor a folder: deploy the stack again.")
            _LOCAL["services"] = Services(settings.read(os.environ))
        services = _LOCAL["services"]
        if _HOME["required"] and not services.has_home:
            raise NotFound(
                f"There is no Groundwire home in {services.settings.home}: `groundwire demo` or "
                "`groundwire tenant create NAME` makes one there, GROUNDWIRE_HOME names another folder."
            )
        return services


def calls() -> CallServices:
    """What answers calls: of the cloud in a function that was told its tables and no folder, else of this machine.

    Raises: as `current`.
    """
    return administration()


def administration() -> CareServices:
    """As `calls`, with what owners do."""
    return current() if "GROUNDWIRE_HOME" in os.environ or not settings.deployed(os.environ) else deployment()


def deployment() -> "CloudServices":
    """The services of the deployment that this function is of; the same ones on every call; Raises Invalid."""
    deployed = settings.deployed(os.environ)
    with _LOCK:
        if "services" not in _CLOUD:
            from groundwire.wiring.cloud import CloudServices

            _CLOUD["services"] = CloudServices(settings.read(os.environ), deployed)
        return _CLOUD["services"]


def ingestion() -> "IngestionServices":
    """The services of the deployment's ingestion function; the same ones on every call; Raises Invalid."""
    with _LOCK:
        if "services" not in _INGESTION:
            from groundwire.wiring.ingestion_function import IngestionServices

            _INGESTION["services"] = IngestionServices(settings.read(os.environ), settings.deployed(os.environ))
        return _INGESTION["services"]


def reset() -> None:
    """The next call reads the environment anew; what the old services hold is closed."""
    with _LOCK:
        _HOME["required"] = False
        services = _LOCAL.pop("services", None)
        _CLOUD.clear()
        _INGESTION.clear()
    if services is not None:
        services.close()


def _is_function() -> bool:
    return "AWS_LAMBDA_FUNCTION_NAME" in os.environ
