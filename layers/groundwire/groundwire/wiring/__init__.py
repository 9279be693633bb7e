"""Composition root: the only place that selects adapters and passes them to the services.

Importing it imports no adapter, so that MCP discovery does not load the index.
"""

import os
from threading import Lock
from typing import TYPE_CHECKING, Final

from groundwire.domain.errors import NotFound, Unavailable
from groundwire.settings import environment

if TYPE_CHECKING:
    from groundwire.adapters.parse.function.parser_function import ParserFunction
    from groundwire.wiring.admin import AdminServices
    from groundwire.wiring.authorizer import AuthorizerServices
    from groundwire.wiring.cloud.ingestion import IngestionServices
    from groundwire.wiring.cloud.services import CloudServices
    from groundwire.wiring.local.services import LocalServices
    from groundwire.wiring.mcp import McpServices

__all__ = [
    "admin_services",
    "allow_new_home",
    "authorizer_services",
    "cloud_services",
    "ingestion_services",
    "local_services",
    "mcp_services",
    "parser_function",
    "require_home",
    "reset",
]

_LOCK: Final = Lock()
_LOCAL: Final["dict[str, LocalServices]"] = {}
_HOME: Final = {"required": False}
"""Setting by which a missing home folder is an error instead of a first start."""
_CLOUD: Final["dict[str, CloudServices]"] = {}
_INGESTION: Final["dict[str, IngestionServices]"] = {}
_PARSING: Final["dict[bool, ParserFunction]"] = {}


def require_home() -> None:
    """Make `local_services` reject a missing home, until `allow_new_home` or `reset`."""
    _HOME["required"] = True


def allow_new_home() -> None:
    """Allow `local_services` to create a missing home."""
    _HOME["required"] = False


def local_services() -> "LocalServices":
    """Return the services of this machine by the environment's settings; the same object on every call.

    Raises:
        InvalidInput: a setting is invalid.
        NotFound: there is no home, and `require_home` was called.
        Unavailable: this is a Lambda function without a home folder.
    """
    with _LOCK:
        if "services" not in _LOCAL:
            if _is_function() and "GROUNDWIRE_HOME" not in os.environ:
                raise Unavailable("This function has neither tables nor a folder: deploy the stack again.")
            from groundwire.wiring.local.services import LocalServices

            _LOCAL["services"] = LocalServices(environment.read_settings(os.environ))
        services = _LOCAL["services"]
        if _HOME["required"] and not services.has_home:
            raise NotFound(
                f"There is no Groundwire home in {services.settings.home}. Create one with `groundwire "
                "tenant create NAME` or `groundwire demo`, or set GROUNDWIRE_HOME to another folder."
            )
        return services


def authorizer_services() -> "AuthorizerServices":
    """Return the services of the authorizer function; errors as in `admin_services`."""
    return admin_services()


def mcp_services() -> "McpServices":
    """Return the services of the mcp function; errors as in `admin_services`."""
    return admin_services()


def admin_services() -> "AdminServices":
    """Return the services of the api function, which answer calls and administer tenants.

    In a function with deployment settings and no home folder these are the cloud's, else this machine's.

    Raises:
        InvalidInput, NotFound, Unavailable: see `local_services`.
    """
    return (
        local_services()
        if "GROUNDWIRE_HOME" in os.environ or not environment.deployment_settings(os.environ)
        else cloud_services()
    )


def cloud_services() -> "CloudServices":
    """Return the services of this function's deployment; the same object on every call.

    Raises:
        InvalidInput: a setting is invalid.
    """
    deployment_settings = environment.deployment_settings(os.environ)
    with _LOCK:
        if "services" not in _CLOUD:
            from groundwire.wiring.cloud.services import CloudServices

            _CLOUD["services"] = CloudServices(environment.read_settings(os.environ), deployment_settings)
        return _CLOUD["services"]


def ingestion_services() -> "IngestionServices":
    """Return the services of the deployment's ingestion function; the same object on every call.

    Raises:
        InvalidInput: a setting is invalid.
    """
    with _LOCK:
        if "services" not in _INGESTION:
            from groundwire.wiring.cloud.ingestion import IngestionServices

            _INGESTION["services"] = IngestionServices(
                environment.read_settings(os.environ), environment.deployment_settings(os.environ)
            )
        return _INGESTION["services"]


def parser_function(*, allow_unconfined: bool) -> "ParserFunction":
    """Return the use case of the parser function; the same object on every call.

    Its first call hides this process from workers.

    Args:
        allow_unconfined: read documents even where the kernel refuses to confine the worker.

    Raises:
        InvalidInput: a setting is missing or invalid.
    """
    with _LOCK:
        if allow_unconfined not in _PARSING:
            from groundwire.adapters.parse.function.own_process import OwnProcess
            from groundwire.wiring.cloud.parsing import build_parser_function

            process = OwnProcess()
            process.protect()
            _PARSING[allow_unconfined] = build_parser_function(os.environ, process, allow_unconfined=allow_unconfined)
        return _PARSING[allow_unconfined]


def reset() -> None:
    """Close the local services and the parser, and drop all others; the next call reads the environment again."""
    with _LOCK:
        _HOME["required"] = False
        services = _LOCAL.pop("services", None)
        _CLOUD.clear()
        _INGESTION.clear()
        parsers = list(_PARSING.values())
        _PARSING.clear()
    for parser in parsers:
        parser.close()
    if services is not None:
        services.close()


def _is_function() -> bool:
    return "AWS_LAMBDA_FUNCTION_NAME" in os.environ
