"""What the suite expects to find on a server under test: names and payloads are the suite's own.

Nothing of it is part of the product: it is offered by the build in `tests/support/entry/server_builds.py` alone.
"""

from typing import Final

from groundwire.services.call_context import CallContext
from groundwire_mcp.definitions.server import ServerDefinition, ServerInfo
from tests.support.entry.conformance_fixtures.asking_tools import ASKING_TOOLS
from tests.support.entry.conformance_fixtures.multi_round_tools import ROUND_TOOLS
from tests.support.entry.conformance_fixtures.notifying_tools import TELLING_TOOLS
from tests.support.entry.conformance_fixtures.plain_tools import PLAIN_TOOLS
from tests.support.entry.conformance_fixtures.prompts import PROMPTS
from tests.support.entry.conformance_fixtures.resources import TEMPLATES, FixtureResources, subscribed
from tests.support.entry.conformance_fixtures.skills import skills

__all__ = ["server_definition"]

_SUBSCRIPTIONS: Final = ("resources/subscribe", "resources/unsubscribe")


def server_definition(info: ServerInfo) -> ServerDefinition[CallContext]:
    """The fixtures, offered under the product's own name."""
    return ServerDefinition(
        server_info=info,
        tools=(*PLAIN_TOOLS, *TELLING_TOOLS, *ROUND_TOOLS, *ASKING_TOOLS),
        prompts=PROMPTS,
        resources=FixtureResources(),
        templates=TEMPLATES,
        extra_methods=dict.fromkeys(_SUBSCRIPTIONS, subscribed),
        skills=skills,
    )
