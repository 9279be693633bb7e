"""Five thousand requests with some bytes of the body lost, doubled or turned over."""

import pytest

from tests.server.fuzz.barrage import Barrage
from tests.support.worlds.two_tenants import TwoTenants


@pytest.mark.parametrize("seed", range(300, 302))
def test_no_byte_breaks_the_server_or_gets_another_that_is_not_for_its_caller(
    two_tenants: TwoTenants, seed: int
) -> None:
    outcomes = Barrage(two_tenants, seed, "y", "y", "by", "hy").fire(2_500)
    assert outcomes["answered"] > 50
    assert outcomes.keys() >= {"parse_error", "invalid_request", "invalid_params", "unknown_method"}
