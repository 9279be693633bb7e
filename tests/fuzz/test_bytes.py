"""Five thousand requests with some bytes of the body lost, doubled or turned over."""

import pytest

from tests.fuzz.barrage import Barrage
from tests.fuzz.estate import Estate


@pytest.mark.parametrize("seed", range(300, 302))
def test_no_byte_breaks_the_server_or_gets_another_that_is_not_for_its_caller(estate: Estate, seed: int) -> None:
    outcomes = Barrage(estate, seed, "y", "y", "by", "hy").fire(2_500)
    assert outcomes["answered"] > 50
    assert outcomes.keys() >= {"parse_error", "invalid_request", "invalid_params", "unknown_method"}
