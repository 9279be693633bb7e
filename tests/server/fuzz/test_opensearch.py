"""Thousands of requests to OpenSearch's routes: the engine's REST interface, and the MCP path."""

from collections.abc import Callable, Mapping
from typing import Final

import pytest

from groundwire.dialects.opensearch.errors import OpenSearchError
from tests.server.fuzz.barrage import Barrage
from tests.server.fuzz.opensearch_requests import OpenSearchRequests, tool_calls
from tests.support.isolation.leaks import LEAKS
from tests.support.worlds.two_tenants import TwoTenants, opened

_SPOILT: Final = ("", "", "b", "b", "h", "b", "bh", "y", "p")


@pytest.mark.parametrize("seed", range(800, 802))
def test_no_rest_request_breaks_a_route_or_gets_a_byte_that_is_not_for_its_caller(
    two_tenants: TwoTenants, seed: int
) -> None:
    barrage = Barrage(two_tenants, seed, *_SPOILT, drafts=OpenSearchRequests)
    outcomes = barrage.fire(1_500)
    assert barrage.judge.shown > 60
    assert outcomes.keys() >= {"answered", "not_admitted", "400", "404", "405", "403"}


def test_no_message_breaks_the_mcp_path_or_gets_a_byte_that_is_not_for_its_caller(two_tenants: TwoTenants) -> None:
    kinds = ("", "", "b", "b", "h", "bh", "y")
    barrage = Barrage(two_tenants, 810, *kinds, path="/_plugins/_ml/mcp", calls=tool_calls(810), often=12)
    outcomes = barrage.fire(1_000)
    assert outcomes.keys() >= {"answered", "tool_arguments", "parse_error", "not_admitted"}


def names_its_inside(patch: pytest.MonkeyPatch) -> None:
    built = OpenSearchError.__init__

    def build(self: OpenSearchError, status: int, type_: str, reason: str, *more: object) -> None:
        built(self, status, type_, f"groundwire.dialects.opensearch: {reason}", *more)  # type: ignore[arg-type]

    patch.setattr(OpenSearchError, "__init__", build)


BUGS: Final[Mapping[str, Callable[[pytest.MonkeyPatch], None]]] = {
    "names its inside": names_its_inside,
    "every collection is in reach": LEAKS["every collection is in reach"],
}


@pytest.mark.parametrize("bug", BUGS)
def test_a_rest_route_with_a_bug_is_found(bug: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with opened() as two_tenants:
        BUGS[bug](monkeypatch)
        with pytest.raises(AssertionError):
            Barrage(two_tenants, 800, *_SPOILT, drafts=OpenSearchRequests).fire(1_500)
