"""Composition root: the only place that selects adapters and passes them to the services.

Importing it imports no adapter, so that MCP discovery does not load the index.
"""

import os
from typing import TYPE_CHECKING, Final

from groundwire.settings import environment
from groundwire.wiring.runtime import Runtime

if TYPE_CHECKING:
    from groundwire.adapters.parse.function.parser_function import ParserFunction
    from groundwire.wiring.cloud.services import ApiFunction, IngestionFunction
    from groundwire.wiring.local.restoration import HomeRestoration
    from groundwire.wiring.services import ApiServices, McpServices
    from groundwire.wiring.use_cases.access import AccessUseCases
    from groundwire.wiring.use_cases.sources import SourceUseCases

__all__ = [
    "RUNTIME",
    "admin_services",
    "allow_new_home",
    "authorizer_services",
    "cloud_services",
    "home_restoration",
    "ingestion_services",
    "local_services",
    "mcp_services",
    "parser_function",
    "require_home",
    "reset",
    "source_services",
]

# One for the process, because a Lambda environment keeps it from call to call.
RUNTIME: Final = Runtime()
"""State of this process."""

require_home = RUNTIME.require_home
allow_new_home = RUNTIME.allow_new_home
local_services = RUNTIME.local
reset = RUNTIME.reset


def authorizer_services() -> "AccessUseCases":
    """Return the services of the authorizer function; errors as in `admin_services`."""
    return RUNTIME.authorizer if _is_deployed() else RUNTIME.local().access


def mcp_services() -> "McpServices":
    """Return the services of the mcp function; errors as in `admin_services`."""
    return RUNTIME.mcp if _is_deployed() else RUNTIME.local()


def admin_services() -> "ApiServices":
    """Return the services of the api function, which answer calls and administer tenants.

    In a function with deployment settings and no home folder these are the cloud's, else this machine's.

    Raises:
        InvalidInput, NotFound, Unavailable: see `Runtime.local`.
    """
    return RUNTIME.api if _is_deployed() else RUNTIME.local()


def cloud_services() -> "ApiFunction":
    """Return the services of the api and operator functions of this deployment; errors as in `Runtime.api`."""
    return RUNTIME.api


def home_restoration() -> "HomeRestoration":
    """Return the restoration of a backup in the place of this machine's home; errors as in `Runtime.local`."""
    from groundwire.wiring.local.restoration import HomeRestoration

    return HomeRestoration(RUNTIME.local().settings)


def source_services() -> "SourceUseCases":
    """Return the services of the deployment's sources function; errors as in `Runtime.api`."""
    return RUNTIME.sources


def ingestion_services() -> "IngestionFunction":
    """Return the services of the deployment's ingestion function; errors as in `Runtime.api`."""
    return RUNTIME.ingestion


def parser_function(*, allow_unconfined: bool) -> "ParserFunction":
    """Return the use case of the parser function.

    Its first call hides this process from workers.

    Args:
        allow_unconfined: read documents even where the kernel refuses to confine the worker.

    Raises:
        InvalidInput: a setting is missing or invalid.
    """
    return RUNTIME.unconfined_parser if allow_unconfined else RUNTIME.confined_parser


def _is_deployed() -> bool:
    # A home that is named counts, so that a function can run on the folder of a laptop.
    return "GROUNDWIRE_HOME" not in os.environ and bool(environment.deployment_settings(os.environ))
