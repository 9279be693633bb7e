"""Six thousand requests to Foundry Local's route, with expressions and strictness of every kind."""

from random import Random
from typing import Any, Final

import pytest

from groundwire.dialects import FOUNDRY
from tests.server.fuzz.barrage import Barrage
from tests.support.clients.valid_requests import Call
from tests.support.documents.filters.milvus_cases import any_filter, text_of
from tests.support.worlds.two_tenants import LURE, TwoTenants

NAMES: Final = (["default"], ["edgeragapp"], ["qzxashlf", "default"], ["qzxbshlf"], ["never", "qzxashlf", "edgeragapp"])


def calls(seed: int) -> list[Call]:
    """Return valid calls of every tool, half of them with a filter."""
    random = Random(seed)
    found: list[Call] = []
    for tool in FOUNDRY.tool_names:
        if tool == "get_available_collections":
            found.append(("tools/call", {"name": tool, "arguments": {}}))
            continue
        for names in NAMES:
            plain: dict[str, Any] = {"query": LURE, "collection_names": names}
            filters = text_of(any_filter(random), random)
            widening = f'1 == 1 or file_path like "%" or ({filters})'
            options = ({}, {"strictness": 0, "top_n": 50}, {"filters": filters}, {"filters": widening, "top_n": 1})
            found += [("tools/call", {"name": tool, "arguments": {**plain, **more}}) for more in options]
    return found


@pytest.mark.parametrize("seed", range(500, 503))
def test_no_request_breaks_the_route_or_gets_a_byte_that_is_not_for_its_caller(
    two_tenants: TwoTenants, seed: int
) -> None:
    [path] = FOUNDRY.mcp_paths
    outcomes = Barrage(two_tenants, seed, "", "", "b", "b", "h", "bh", "y", path=path, calls=calls(seed)).fire(2_000)
    assert outcomes["answered"] > 400
    assert outcomes.keys() >= {"tool_arguments", "unknown_tool", "parse_error", "not_admitted", "unknown_method"}
