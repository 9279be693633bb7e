"""The composition root: the only place that picks adapters and hands them to the services.

Importing it imports no adapter: a call that only introduces the server never pays for the index.
"""

import os
from threading import Lock
from typing import TYPE_CHECKING, Final

from groundwire.domain.errors import NotFound, Unavailable
from groundwire.settings import environment
from groundwire.wiring.admin import AdminServices
from groundwire.wiring.local.services import LocalServices
from groundwire.wiring.requests import RequestServices

if TYPE_CHECKING:
    from groundwire.wiring.cloud.ingestion import IngestionServices
    from groundwire.wiring.cloud.services import CloudServices

__all__ = [
    "AdminServices",
    "LocalServices",
    "RequestServices",
    "admin_services",
    "allow_new_home",
    "cloud_services",
    "ingestion_services",
    "local_services",
    "request_services",
    "require_home",
    "reset",
]

_LOCK: Final = Lock()
_LOCAL: Final[dict[str, LocalServices]] = {}
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


def local_services() -> LocalServices:
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
            _LOCAL["services"] = LocalServices(environment.read_settings(os.environ))
        services = _LOCAL["services"]
        if _HOME["required"] and not services.has_home:
            raise NotFound(
                f"There is no Groundwire home in {services.settings.home}: `groundwire demo` or "
                "`groundwire tenant create NAME` makes one there, GROUNDWIRE_HOME names another folder."
            )
        return services


def request_services() -> RequestServices:
    """What answers calls: of the cloud in a function that was told its tables and no folder, else of this machine.

    Raises: as `current`.
    """
    return admin_services()


def admin_services() -> AdminServices:
    """As `calls`, with what owners do."""
    return (
        local_services()
        if "GROUNDWIRE_HOME" in os.environ or not environment.deployment_settings(os.environ)
        else cloud_services()
    )


def cloud_services() -> "CloudServices":
    """The services of the deployment that this function is of; the same ones on every call; Raises Invalid."""
    deployed = environment.deployment_settings(os.environ)
    with _LOCK:
        if "services" not in _CLOUD:
            from groundwire.wiring.cloud.services import CloudServices

            _CLOUD["services"] = CloudServices(environment.read_settings(os.environ), deployed)
        return _CLOUD["services"]


def ingestion_services() -> "IngestionServices":
    """The services of the deployment's ingestion function; the same ones on every call; Raises Invalid."""
    with _LOCK:
        if "services" not in _INGESTION:
            from groundwire.wiring.cloud.ingestion import IngestionServices

            _INGESTION["services"] = IngestionServices(
                environment.read_settings(os.environ), environment.deployment_settings(os.environ)
            )
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
