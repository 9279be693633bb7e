"""A tenant with its keys, its documents and the tags that it keeps for users."""

from tests.support.isolation.draws import COLLECTIONS
from tests.support.isolation.expectations import Held, Holder, Who
from tests.support.worlds.world import World


class Tenancy:
    """One tenant: its holders of keys, its documents, the tags it keeps for users.

    Attributes:
        bounded: those whose keys do not cover every tag, one that ignores the others and one that refuses them, and
            one whose key does not reach every collection.
        ended: those whose keys are no longer valid, one of which has expired from the start.
    """

    def __init__(self, world: World, name: str) -> None:
        self.name = name
        self.tenant = tenant = world.tenant(name)
        self.documents: dict[str, Held] = {}
        self.entries = {"cem": frozenset({"red", "blue"})}
        world.services.stores.users.set(tenant, "cem", self.entries["cem"])
        every = frozenset(COLLECTIONS)
        own = Who(tenant, "ana", frozenset({"green"}))
        self.holders = [
            Holder(tenant, world.acting_key(tenant), None, ("*",), every),
            Holder(tenant, world.acting_key(tenant, max_tags=("red",)), None, ("red",), every),
            Holder(tenant, world.personal_key(tenant, "ana", own.tags), own, (), every),
            Holder(
                tenant, world.acting_key(tenant, collections=frozenset({"shelf"})), None, ("*",), frozenset({"shelf"})
            ),
        ]
        strict = world.acting_key(tenant, max_tags=("red",), strict_tags=True)
        self.bounded = [
            self.holders[1],
            Holder(tenant, strict, None, ("red",), every, strict=True),
            self.holders[3],
        ]
        expired = world.expired_key(tenant)
        self.ended = [Holder(tenant, expired, None, ("*",), every, ended=True)]
