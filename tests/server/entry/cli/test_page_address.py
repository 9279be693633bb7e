"""`groundwire console`: a one-time address by which the operator signs in to the page."""

import pytest

from groundwire import wiring
from groundwire.domain.access.scopes import Scope
from groundwire.domain.keys.caller import Caller
from groundwire.domain.keys.forms.key_text import Secret
from tests.support.entry.command import Command


def ticket(groundwire: Command, tenant: str) -> Secret:
    """Return the ticket in the address that the command prints."""
    line = groundwire("console", "--tenant", tenant, "--port", "8123").done().out.splitlines()[0]
    assert line.startswith("http://127.0.0.1:8123/console#ticket=gwt.")
    return Secret(line.partition("#ticket=")[2])


def sign_in(groundwire: Command, presented: Secret) -> Caller | None:
    """Return the caller whom the server of this home admits with the ticket."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("GROUNDWIRE_HOME", str(groundwire.home))
        wiring.reset()
        caller = wiring.local_services().access.authorize.authorize_ticket(presented, {}).caller
    wiring.reset()
    return caller


def test_console_prints_an_address_that_signs_an_administrator_in_once(groundwire: Command, tenant: str) -> None:
    presented = ticket(groundwire, tenant)
    caller = sign_in(groundwire, presented)
    assert caller is not None
    assert caller.scopes >= {Scope.ADMIN, Scope.SEARCH}
    assert caller.principal.user is not None
    assert caller.options.may_search_as
    assert sign_in(groundwire, presented) is None


def test_console_makes_one_key_that_is_listed_and_can_be_revoked(groundwire: Command, tenant: str) -> None:
    first, second = ticket(groundwire, tenant), ticket(groundwire, tenant)
    [row] = groundwire("key", "list", "-t", tenant, "--json").done().json
    assert row["name"] == "page of this machine"
    assert sign_in(groundwire, first) is not None
    groundwire("key", "revoke", row["kid"], "-t", tenant).done()
    assert sign_in(groundwire, second) is None
    assert sign_in(groundwire, ticket(groundwire, tenant)) is not None


def test_console_does_not_take_a_key_of_that_name_with_fewer_rights(groundwire: Command, tenant: str) -> None:
    name = ("--name", "page of this machine")
    groundwire("key", "create", "-t", tenant, "--act-as", "--scope", "search", *name).done()
    caller = sign_in(groundwire, ticket(groundwire, tenant))
    assert caller is not None
    assert Scope.ADMIN in caller.scopes
