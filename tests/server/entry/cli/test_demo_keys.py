"""The demo's keys: kept for their owner alone, printed again, and made anew when they no longer work."""

import stat
from collections.abc import Callable, Iterator

import pytest

from groundwire.entry.cli.server.demo_keys import FILE, DemoKeys, demo_keys
from groundwire.settings import environment
from groundwire.wiring.local.services import open_home
from tests.support.entry.command import Command


@pytest.fixture
def keys(groundwire: Command, tenant: str) -> Iterator[Callable[[], DemoKeys]]:
    """What a start of the demo gets."""
    services = open_home(environment.read_settings({"GROUNDWIRE_HOME": str(groundwire.home)}))
    yield lambda: demo_keys(services, tenant)
    services.close()


def test_a_later_start_gets_the_same_keys_from_a_file_that_only_the_owner_reads(
    groundwire: Command, keys: Callable[[], DemoKeys]
) -> None:
    first = keys()
    assert keys() == first
    assert stat.S_IMODE((groundwire.home / FILE).stat().st_mode) == 0o600
    assert "gw_local_" not in repr(first)


def test_a_file_that_was_opened_to_others_is_closed_again(groundwire: Command, keys: Callable[[], DemoKeys]) -> None:
    keys()
    (groundwire.home / FILE).write_text("{}")
    (groundwire.home / FILE).chmod(0o644)
    keys()
    assert stat.S_IMODE((groundwire.home / FILE).stat().st_mode) == 0o600


@pytest.mark.parametrize("content", ["", "{", "[]", '{"act_as": "gw_local_x"}', '{"act_as": "x", "personal": "y"}'])
def test_a_damaged_file_is_replaced_by_new_keys(
    groundwire: Command, keys: Callable[[], DemoKeys], content: str
) -> None:
    first = keys()
    (groundwire.home / FILE).write_text(content)
    second = keys()
    assert second != first
    assert keys() == second


def test_a_revoked_key_is_replaced(groundwire: Command, tenant: str, keys: Callable[[], DemoKeys]) -> None:
    first = keys()
    kid = first.personal.split("_")[2]
    groundwire("key", "revoke", kid, "-t", tenant).done()
    assert keys().personal != first.personal
