"""What the product binds to a caller between two calls."""

from pathlib import Path

from groundwire import settings
from groundwire.services.call import Call
from groundwire.wiring import Services
from tests.browse.library import asker


def test_a_state_is_bound_to_the_tags_of_the_call_and_a_session_is_not(tmp_path: Path) -> None:
    rules = Services(settings.read({"GROUNDWIRE_HOME": str(tmp_path)})).mcp_rules
    one, other = Call(asker("t_1", "ana", ["board", "sales"])), Call(asker("t_1", "ana", ["sales"]))
    assert (sorted(rules.rights(one)), sorted(rules.rights(other))) == (["board", "sales"], ["sales"])
    assert rules.owner(one) == rules.owner(other)
