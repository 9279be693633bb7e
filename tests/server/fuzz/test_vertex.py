"""Eight thousand requests to Vertex AI's routes: REST paths, queries and bodies, and both MCP paths."""

from collections.abc import Callable, Mapping
from typing import Final

import pytest

from groundwire.dialects import VERTEX
from groundwire.dialects.vertex.errors import GoogleError
from groundwire_mcp.transport.http import HttpResponse, json_response
from tests.server.fuzz.barrage import Barrage
from tests.server.fuzz.vertex_requests import VertexRequests, tool_calls
from tests.support.isolation.leaks import LEAKS
from tests.support.isolation.leaks.browsing import BROWSING_LEAKS
from tests.support.worlds.two_tenants import TwoTenants, opened

_SPOILT: Final = ("", "", "b", "b", "h", "p", "bh", "pb", "y")


@pytest.mark.parametrize("seed", range(600, 602))
def test_no_rest_request_breaks_a_route_or_gets_a_byte_that_is_not_for_its_caller(
    two_tenants: TwoTenants, seed: int
) -> None:
    barrage = Barrage(two_tenants, seed, *_SPOILT, drafts=VertexRequests)
    outcomes = barrage.fire(2_500)
    assert barrage.judge.shown > 100
    assert outcomes.keys() >= {"answered", "not_admitted", "400", "404", "501"}


@pytest.mark.parametrize("path", VERTEX.mcp_paths)
def test_no_message_breaks_an_mcp_path_or_gets_a_byte_that_is_not_for_its_caller(
    two_tenants: TwoTenants, path: str
) -> None:
    kinds = ("", "", "b", "b", "h", "bh", "y")
    barrage = Barrage(two_tenants, 610, *kinds, path=path, calls=tool_calls(two_tenants, 610), often=12)
    outcomes = barrage.fire(1_500)
    assert barrage.judge.shown > 50
    assert outcomes.keys() >= {"tool_arguments", "unknown_tool", "parse_error", "not_admitted", "unknown_method"}


def other_form(patch: pytest.MonkeyPatch) -> None:
    def respond(error: GoogleError) -> HttpResponse:
        return json_response(error.status.http_status, {"message": str(error)})

    patch.setattr("groundwire.dialects.vertex.rest.error_response", respond)


def names_its_inside(patch: pytest.MonkeyPatch) -> None:
    def body(error: GoogleError) -> dict[str, object]:
        text = f"groundwire.dialects.vertex: {error}"
        return {"error": {"code": error.status.http_status, "status": error.status.name, "message": text}}

    patch.setattr(GoogleError, "body", property(body))


BUGS: Final[Mapping[str, Callable[[pytest.MonkeyPatch], None]]] = {
    "answers in another form": other_form,
    "names its inside": names_its_inside,
    "every collection is in reach": LEAKS["every collection is in reach"],
    "who knows an id may read": BROWSING_LEAKS["who knows an id may read"],
    "lists are unchecked": BROWSING_LEAKS["lists and completions are unchecked"],
}


@pytest.mark.parametrize("bug", BUGS)
def test_a_rest_route_with_a_bug_is_found(bug: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with opened() as two_tenants:
        BUGS[bug](monkeypatch)
        with pytest.raises(AssertionError):
            Barrage(two_tenants, 600, *_SPOILT, drafts=VertexRequests).fire(2_000)
