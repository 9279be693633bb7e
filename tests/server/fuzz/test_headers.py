"""Seven and a half thousand requests whose headers disagree with the body, with each other, or with everything."""

import pytest

from tests.server.fuzz.barrage import Barrage
from tests.support.worlds.two_tenants import TwoTenants


@pytest.mark.parametrize("seed", range(200, 203))
def test_no_header_breaks_the_server_or_gets_a_byte_that_is_not_for_its_caller(
    two_tenants: TwoTenants, seed: int
) -> None:
    outcomes = Barrage(two_tenants, seed, "", "h", "h", "hh", "bh").fire(2_500)
    assert outcomes["answered"] > 100
    assert outcomes.keys() >= {"not_admitted", "header_mismatch", "method_not_allowed", "forbidden_origin"}
    assert outcomes.keys() >= {"unknown_session", "not_acceptable", "wrong_content_type"}
