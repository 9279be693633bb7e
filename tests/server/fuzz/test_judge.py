"""The judge of the other tests finds a server that breaks any of its promises, and the same seed asks the same."""

from collections.abc import Callable, Mapping
from typing import Final

import pytest

from groundwire.adapters.local.audit import FileAudit
from groundwire.entry import mcp
from tests.server.fuzz.barrage import Barrage
from tests.support.isolation.leaks import LEAKS
from tests.support.isolation.leaks.browsing import BROWSING_LEAKS
from tests.support.worlds.two_tenants import opened

_ENOUGH: Final = 2_000


def crashes(patch: pytest.MonkeyPatch) -> None:
    def arguments(_params: object, _tool: str) -> object:
        raise KeyError("region")

    patch.setattr("groundwire_mcp.methods.tools._read_arguments", arguments)


def raises(patch: pytest.MonkeyPatch) -> None:
    def respond(_response: object) -> Mapping[str, object]:
        raise TypeError("no response")

    patch.setattr(mcp, "lambda_response", respond)


def forgets_its_audit(patch: pytest.MonkeyPatch) -> None:
    def append(_audit: FileAudit, _record: dict[str, object]) -> None:
        return

    patch.setattr(FileAudit, "append", append)


def records_twice(patch: pytest.MonkeyPatch) -> None:
    append = FileAudit.append

    def twice(audit: FileAudit, record: dict[str, object]) -> None:
        append(audit, dict(record))
        append(audit, record)

    patch.setattr(FileAudit, "append", twice)


BUGS: Final[Mapping[str, Callable[[pytest.MonkeyPatch], None]]] = {
    "crashes": crashes,
    "raises": raises,
    "forgets its audit": forgets_its_audit,
    "records twice": records_twice,
    "one index for all tenants": LEAKS["one index for all tenants"],
    "every collection is in reach": LEAKS["every collection is in reach"],
    "any tag may be asserted": LEAKS["max_tags bounds nothing"],
    "who knows an id may read": BROWSING_LEAKS["who knows an id may read"],
    "lists are unchecked": BROWSING_LEAKS["lists and completions are unchecked"],
}


def test_each_seed_asks_for_the_same() -> None:
    with opened() as two_tenants:
        first, again, other = (Barrage(two_tenants, seed, "", "b", "bh", "y") for seed in (1, 1, 2))
        requested = [[barrage._next()[1] for _ in range(200)] for barrage in (first, again, other)]
    assert requested[0] == requested[1]
    assert requested[0] != requested[2]


@pytest.mark.parametrize("bug", BUGS)
def test_a_server_with_a_bug_is_found(bug: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with opened() as two_tenants:
        BUGS[bug](monkeypatch)
        with pytest.raises(Exception) as found:  # noqa: PT011 - a judge's word or the server's own exception
            Barrage(two_tenants, 1, "", "b", "bb", "h").fire(_ENOUGH)
    assert any("seed 1, request" in note for note in found.value.__notes__)
