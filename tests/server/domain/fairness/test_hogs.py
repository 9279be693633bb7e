"""Whatever one caller does, the median wait of the others at most doubles, and each is served."""

from collections.abc import Callable
from typing import Any, Final

import pytest

from groundwire.domain.keys.fairness.parties import Party
from groundwire.domain.keys.fairness.work import Capacity, Levels
from tests.server.domain.fairness.simulation import CAPACITY, Caller, Server, slowdown

SEEDS: Final = range(200)
FEWER: Final = range(8)
OTHERS: Final = {
    "same key": Caller("ana", "acme", "k1"),
    "same key, again": Caller("ben", "acme", "k1"),
    "same tenant": Caller("cid", "acme", "k2"),
    "other tenant": Caller("dora", "birch", "k3"),
}
NAMES: Final = [caller.name for caller in OTHERS.values()]
LISTED: Final = frozenset([*NAMES, "hog"])
HOGS: Final[dict[str, Callable[[], Caller]]] = {
    "plain calls": lambda: Caller("hog", "acme", "k1", width=40, pause=0.001),
    "dearest calls": lambda: Caller("hog", "acme", "k1", cost=4.0, width=40, pause=0.001),
    "calls of invented users": lambda: Caller("new", "acme", "k1", width=40, pause=0.001, invents=True),
    "calls with another key": lambda: Caller("hog", "acme", "k9", cost=0.3, width=40, pause=0.001),
    "calls in another tenant": lambda: Caller("hog", "oak", "k9", cost=0.3, width=40, pause=0.001),
}


def others() -> list[Caller]:
    return [Caller(each.name, each.tenant, each.key) for each in OTHERS.values()]


def crowd() -> list[Caller]:
    """Users of one key who call without a pause, so that each call waits for the calls of others."""
    return [Caller(name, "acme", "k1", pause=0.001) for name in NAMES]


@pytest.mark.parametrize("hog", HOGS)
def test_others_wait_no_more_than_twice_as_long_beside_a_hog(hog: str) -> None:
    for seed in SEEDS:
        rest, beside = Server(seed, LISTED).run(others()), Server(seed, LISTED).run([*others(), HOGS[hog]()])
        assert slowdown(beside, rest, NAMES) <= 2, f"seed {seed}"
        assert not set(beside.refused) & set(NAMES), f"seed {seed}"


@pytest.mark.parametrize("hog", ["plain calls", "dearest calls", "calls of invented users"])
def test_a_crowd_gets_its_turns_beside_a_hog_and_the_hog_gets_its_own(hog: str) -> None:
    for seed in FEWER:
        rest, beside = Server(seed, LISTED).run(crowd()), Server(seed, LISTED).run([*crowd(), HOGS[hog]()])
        assert slowdown(beside, rest, NAMES) <= 2, f"seed {seed}"
        assert min(map(len, beside.answered.values())) > 0, f"seed {seed}"


def as_one(_: Party) -> Party:
    return Party("", "", "")


def as_tenants(party: Party) -> Party:
    return Party(party.tenant, "", "")


DEFECTS: Final[dict[str, tuple[str, dict[str, Any]]]] = {
    "first come, first served": (
        "dearest calls",
        {"share": as_one, "capacity": Capacity(Levels(8, 8, 8, 8), CAPACITY.pending, 1e9)},
    ),
    "shares of tenants alone": (
        "dearest calls",
        {
            "share": as_tenants,
            "capacity": Capacity(Levels(8, 4, 4, 4), CAPACITY.pending, 1e9),
        },
    ),
}


@pytest.mark.parametrize("defect", DEFECTS)
def test_an_order_without_shares_is_found(defect: str) -> None:
    hog, changes = DEFECTS[defect]
    seeds = FEWER
    found = [
        slowdown(
            Server(seed, LISTED, **changes).run([*others(), HOGS[hog]()]), Server(seed, LISTED).run(others()), NAMES
        )
        for seed in seeds
    ]
    assert min(found) > 2


@pytest.mark.parametrize(
    ("hog", "changes"),
    [("calls of invented users", {"knows_users": False}), ("dearest calls", {"counts_cost": False})],
    ids=["invented users have shares", "cost is ignored"],
)
def test_shares_that_can_be_invented_and_costs_that_do_not_count_are_found(hog: str, changes: dict[str, Any]) -> None:
    found = [
        slowdown(Server(seed, LISTED, **changes).run([*crowd(), HOGS[hog]()]), Server(seed, LISTED).run(crowd()), NAMES)
        for seed in FEWER
    ]
    assert min(found) > 2
