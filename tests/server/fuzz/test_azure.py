"""Thousands of requests to Azure AI Search's routes: REST versions and bodies, and the MCP path."""

from collections.abc import Callable, Mapping
from typing import Final

import pytest

from groundwire.dialects.azure.errors import AzureError
from tests.server.fuzz.azure_requests import AzureRequests, tool_calls
from tests.server.fuzz.barrage import Barrage
from tests.support.isolation.leaks import LEAKS
from tests.support.worlds.two_tenants import TwoTenants, opened

_SPOILT: Final = ("", "", "b", "b", "h", "b", "bh", "y")


@pytest.mark.parametrize("seed", range(700, 702))
def test_no_rest_request_breaks_a_route_or_gets_a_byte_that_is_not_for_its_caller(
    two_tenants: TwoTenants, seed: int
) -> None:
    barrage = Barrage(two_tenants, seed, *_SPOILT, drafts=AzureRequests)
    outcomes = barrage.fire(1_500)
    assert barrage.judge.shown > 60
    assert outcomes.keys() >= {"answered", "not_admitted", "400", "404", "405"}


def test_no_message_breaks_the_mcp_path_or_gets_a_byte_that_is_not_for_its_caller(two_tenants: TwoTenants) -> None:
    kinds = ("", "", "b", "b", "h", "bh", "y")
    path = "/knowledgebases('default')/mcp"
    barrage = Barrage(two_tenants, 710, *kinds, path=path, calls=tool_calls(710), often=12)
    outcomes = barrage.fire(1_000)
    assert barrage.judge.shown > 50
    assert outcomes.keys() >= {"tool_arguments", "unknown_tool", "parse_error", "not_admitted", "unknown_method"}


def names_its_inside(patch: pytest.MonkeyPatch) -> None:
    built = AzureError.__init__

    def build(self: AzureError, status: int, message: str, *more: object) -> None:
        built(self, status, f"groundwire.dialects.azure: {message}", *more)  # type: ignore[arg-type]

    patch.setattr(AzureError, "__init__", build)


BUGS: Final[Mapping[str, Callable[[pytest.MonkeyPatch], None]]] = {
    "names its inside": names_its_inside,
    "every collection is in reach": LEAKS["every collection is in reach"],
}


@pytest.mark.parametrize("bug", BUGS)
def test_a_rest_route_with_a_bug_is_found(bug: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with opened() as two_tenants:
        BUGS[bug](monkeypatch)
        with pytest.raises(AssertionError):
            Barrage(two_tenants, 700, *_SPOILT, drafts=AzureRequests).fire(1_500)
