"""What the product binds to a caller between two calls."""

from pathlib import Path

from groundwire.dialects import DEFAULT
from groundwire.dialects.router import server_dependencies
from groundwire.services.call_context import CallContext
from groundwire.settings import environment
from groundwire.wiring.local.services import open_home
from tests.support.worlds.document_library import asker


def test_a_state_is_bound_to_the_tags_of_the_call_and_a_session_is_not(tmp_path: Path) -> None:
    services = open_home(environment.read_settings({"GROUNDWIRE_HOME": str(tmp_path)}))
    rules = server_dependencies(DEFAULT, services.agents.mcp_parts, is_open=False)
    one, other = CallContext(asker("t_1", "ana", ["board", "sales"])), CallContext(asker("t_1", "ana", ["sales"]))
    assert (sorted(rules.access_rights(one)), sorted(rules.access_rights(other))) == (["board", "sales"], ["sales"])
    assert rules.session_owner(one) == rules.session_owner(other)
