"""Builds of the server behind the real gateway, authorizer and handler: the product's own, and one with fixtures."""

from collections.abc import Generator
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from typing import Final

import pytest

from groundwire import settings, wiring
from groundwire.entry.gateway.background import running_gateway
from groundwire.protocol.offer import Offer, Rules
from groundwire.services.call import Call
from tests.cli.command import Command
from tests.conformance import fixtures, proxy

_TEMPLATE: Final = Path(__file__).parents[2] / "template.yaml"
_UNHINDERED: Final = ("--rate", "100000", "--burst", "10000")


class FixtureServices(wiring.Services):
    """The services of a process that offers the fixtures instead of the product's own tools, prompts and resources.

    Everything else is the product's: who calls, who may what, what is sealed and what is kept.
    """

    @cached_property
    def mcp_offer(self) -> Offer[Call]:
        """The fixtures."""
        return fixtures.offer(super().mcp_offer.info)

    @cached_property
    def mcp_rules(self) -> Rules[Call]:
        """As ever, but that every key sees the fixtures and may call them: no toolset and no scope names them."""
        rules = super().mcp_rules
        names = frozenset(tool.name for tool in self.mcp_offer.tools)

        def visible(_call: Call) -> frozenset[str]:
            return names

        def authorize(call: Call, name: str) -> str | None:
            return None if name in names else rules.authorize(call, name)

        return rules._replace(visible=visible, authorize=authorize)


@contextmanager
def serving(build: type[wiring.Services], home: Path, key: str) -> Generator[str]:
    """The address of a proxy before a server of this home; whoever calls it holds the key."""
    with proxy.listening() as front, pytest.MonkeyPatch.context() as patch:
        environment = {"HOME": str(home), "PUBLIC_URL": front.url, "ALLOWED_ORIGINS": front.url}
        services = build(settings.read({f"GROUNDWIRE_{name}": value for name, value in environment.items()}))
        patch.setattr(wiring, "current", lambda: services)
        # As `groundwire serve` has it: what failed is to be seen, not a line for every call.
        patch.setenv("POWERTOOLS_METRICS_DISABLED", "true")
        patch.setenv("POWERTOOLS_LOG_LEVEL", "WARNING")
        try:
            with running_gateway(_TEMPLATE, front.url) as url:
                front.forward(url, key)
                yield f"{front.url}/mcp"
        finally:
            services.close()


def company(home: Path) -> tuple[str, str]:
    """A new tenant in this home, and the key of a person there: tenant id, key."""
    command = Command(home, {})
    tenant = command.tenant("conformance")
    return tenant, command.personal_key(tenant, "maria", *_UNHINDERED)
