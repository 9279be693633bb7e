"""Ten thousand requests whose body is not quite what its sender meant, 25,000 with the other files' of this folder."""

import pytest

from tests.server.fuzz.barrage import Barrage
from tests.support.worlds.two_tenants import TwoTenants


@pytest.mark.parametrize("seed", range(100, 104))
def test_no_body_breaks_the_server_or_gets_a_byte_that_is_not_for_its_caller(
    two_tenants: TwoTenants, seed: int
) -> None:
    outcomes = Barrage(two_tenants, seed, "", "b", "b", "bb").fire(2_500)
    assert outcomes["answered"] > 250
    assert outcomes.keys() >= {"invalid_params", "invalid_envelope", "tool_arguments", "unknown_tool", "parse_error"}
