"""Grants of short links: added once, found by their handle until they end."""

import pytest

from groundwire.ports import LinkGrants

NOW = 1_800_000_000.0
END = 1_800_003_600
HANDLES = [0, 1, 0x0123_4567_89AB, 2**48 - 1]


@pytest.mark.parametrize("handle", HANDLES)
def test_a_grant_is_found_by_its_handle_until_it_ends(grants: LinkGrants, handle: int) -> None:
    assert grants.get(handle, NOW) is None
    assert grants.add("t-acme", handle, "sealed", NOW, END)
    assert grants.get(handle, NOW) == grants.get(handle, END - 0.001) == "sealed"
    assert grants.get(handle, END) is None


def test_adding_a_grant_again_changes_nothing_and_is_granted(grants: LinkGrants) -> None:
    assert [grants.add("t-acme", 7, "sealed", NOW, END) for _ in range(3)] == [True] * 3
    assert grants.get(7, NOW) == "sealed"


@pytest.mark.parametrize("tenant", ["t-acme", "t-blue"])
def test_a_handle_of_a_live_grant_is_not_given_to_another(grants: LinkGrants, tenant: str) -> None:
    assert grants.add("t-acme", 7, "first", NOW, END)
    assert not grants.add(tenant, 7, "second", END - 1.0, END + 3_600)
    assert grants.get(7, NOW) == "first"


def test_a_handle_is_free_from_the_end_of_its_grant_on(grants: LinkGrants) -> None:
    assert grants.add("t-acme", 7, "first", NOW, END)
    assert grants.add("t-blue", 7, "second", END, END + 3_600)
    assert grants.get(7, END) == "second"


def test_the_end_of_one_grant_takes_no_other(grants: LinkGrants) -> None:
    for handle in range(20):
        assert grants.add("t-acme", handle, f"sealed {handle}", NOW, END + handle)
    assert grants.add("t-acme", 99, "later", END + 10.0, END + 3_600)
    assert [grants.get(handle, END + 10.0) for handle in range(20)] == [
        f"sealed {handle}" if handle > 10 else None for handle in range(20)
    ]


def test_a_grant_of_many_tags_is_kept_whole(grants: LinkGrants) -> None:
    sealed = "s" * 90_000
    assert grants.add("t-acme", 7, sealed, NOW, END)
    assert grants.get(7, NOW) == sealed
