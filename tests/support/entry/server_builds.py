"""Builds of the server behind the real gateway, authorizer and handler: the product's own, and one with fixtures."""

from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import pytest

from groundwire import wiring
from groundwire.dialects.declaration.dialect import Dialect
from groundwire.dialects.declaration.services import DialectServices
from groundwire.dialects.library import library_of
from groundwire.domain.access.toolsets import DEFAULT_TOOLSET
from groundwire.entry.local_server.background_server import run_in_background
from groundwire.services.call_context import CallContext
from groundwire.settings import environment as settings
from groundwire.wiring.local.services import LocalServices, open_home
from groundwire_mcp.definitions.server import ServerDefinition, ServerDependencies
from groundwire_mcp.server import McpServer
from tests.support.entry import conformance_fixtures, key_proxy
from tests.support.entry.command import Command
from tests.support.worlds.exchange import exchange

_TEMPLATE: Final = Path(__file__).parents[3] / "template.yaml"
_UNHINDERED: Final = ("--rate", "100000", "--burst", "10000")


def open_with_fixtures(chosen: settings.Settings) -> LocalServices:
    """The services of a process that offers the fixtures instead of the product's own tools, prompts and resources.

    Keys of the default toolset see them. Everything else is the product's: who calls, who may what, what is sealed and
    what is kept.
    """
    services = open_home(chosen)
    library = library_of("rag_search")
    fixtures = Dialect("fixtures", (), DEFAULT_TOOLSET, library=library, serve_mcp=_serve_fixtures)
    exchange(services, dialects=(fixtures,))
    return services


def _serve_fixtures(
    definition: ServerDefinition[CallContext],
    dependencies: ServerDependencies[CallContext],
    _services: DialectServices,
) -> McpServer[CallContext]:
    """Every key sees the fixtures and may call them: no toolset and no scope names them."""
    offered = conformance_fixtures.server_definition(definition.server_info)
    names = frozenset(tool.name for tool in offered.tools)

    def visible(_call: CallContext) -> frozenset[str]:
        return names

    def authorize(call: CallContext, name: str) -> str | None:
        return None if name in names else dependencies.missing_scope(call, name)

    return McpServer(offered, dependencies._replace(visible_tools=visible, missing_scope=authorize))


@contextmanager
def serving(build: Callable[[settings.Settings], LocalServices], home: Path, key: str) -> Generator[str]:
    """The address of a proxy before a server of this home; whoever calls it holds the key."""
    with key_proxy.listening() as front, pytest.MonkeyPatch.context() as patch:
        environment = {"HOME": str(home), "PUBLIC_URL": front.url}
        services = build(settings.read_settings({f"GROUNDWIRE_{name}": value for name, value in environment.items()}))
        wiring.RUNTIME.use_local(services)
        # As `groundwire serve` has it: what failed is to be seen, not a line for every call.
        patch.setenv("POWERTOOLS_METRICS_DISABLED", "true")
        patch.setenv("POWERTOOLS_LOG_LEVEL", "WARNING")
        try:
            with run_in_background(_TEMPLATE, front.url) as url:
                front.forward(url, key)
                yield f"{front.url}/mcp"
        finally:
            wiring.reset()
            services.close()


def company(home: Path) -> tuple[str, str]:
    """A new tenant in this home, and the key of a person there: tenant id, key."""
    command = Command(home, {})
    tenant = command.tenant("conformance")
    return tenant, command.personal_key(tenant, "maria", *_UNHINDERED)
