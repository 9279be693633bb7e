from collections.abc import Iterator, Mapping
from dataclasses import replace

import pytest

from groundwire import wiring
from groundwire.dialects import DIALECTS
from groundwire.dialects.declaration.dialect import Dialect, select_dialects
from groundwire.entry.gateway.dispatch import Dispatcher
from groundwire.entry.gateway.events import GatewayRequest
from tests.server.dialects.shared.toy import TOY
from tests.support.aws.template.routes import deployed_route, deployed_routes
from tests.support.worlds.homes import fresh_home
from tests.support.worlds.world import Answer, World, open_world

KNOWN = (*DIALECTS, TOY)


class ToyWorld(World):
    """A world behind a gateway whose template also has the routes of the toy."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self._monkeypatch = monkeypatch
        mcp, rest = deployed_route("ANY /mcp"), deployed_route("ANY /v1/{proxy+}")
        added = [replace(mcp if key.startswith("ANY") else rest, key=key) for key in sorted(TOY.gateway_keys)]
        self._dispatcher = Dispatcher([*deployed_routes(), *added])

    def switch_on(self, *names: str, known: tuple[Dialect, ...] = KNOWN, open_discovery: str = "") -> None:
        """The deployment serves these dialects from now on, in a process that has just started."""
        self._monkeypatch.setenv("GROUNDWIRE_OPEN_DISCOVERY", open_discovery)
        self._monkeypatch.setattr("groundwire.dialects.DIALECTS", known)
        self._monkeypatch.setenv("GROUNDWIRE_DIALECTS", " ".join(names))
        wiring.reset()
        assert self.services.agents.dialects == select_dialects(known, names)

    def request(self, method: str, path: str, headers: Mapping[str, str], body: bytes) -> Answer:
        sent = (("host", "127.0.0.1:8080"), *headers.items())
        path, _, query = path.partition("?")
        return Answer(self._dispatcher.answer(GatewayRequest(method, path, query, sent, body, "127.0.0.1")))


@pytest.fixture
def world(monkeypatch: pytest.MonkeyPatch) -> Iterator[ToyWorld]:
    with fresh_home() as home, open_world(home, monkeypatch):
        yield ToyWorld(monkeypatch)
