"""2,500 requests to a build whose tools ask back and tell more than their progress, as the product's do not."""

from tests.server.fuzz.barrage import Barrage
from tests.support.worlds.two_tenants import TwoTenants


def test_no_request_to_a_tool_of_several_round_trips_breaks_the_server(fixtures: TwoTenants) -> None:
    outcomes = Barrage(fixtures, 400, "", "b", "b", "bb", "h", "bh", "y", with_fixtures=True).fire(2_500)
    assert outcomes["answered"] > 250
    assert outcomes.keys() >= {"input_required", "missing_capability", "invalid_params", "tool_failure"}
