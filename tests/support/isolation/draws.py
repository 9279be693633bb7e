"""What histories are made of: few names, the same in both tenants, and every kind of policy over them."""

import itertools
from collections.abc import Sequence
from typing import Final

from hypothesis import strategies as st

from groundwire.domain.access.policy import Policy

USERS: Final = ("ana", "ben", "cem")
TAGS: Final = ("red", "green", "blue")
COLLECTIONS: Final = ("shelf", "vault")
IDS: Final = ("handbook", "prices", None)
COMMON: Final = "ledger"
"""A word of every passage."""


def subsets(of: Sequence[str]) -> st.SearchStrategy[frozenset[str]]:
    """Of all sizes."""
    return st.frozensets(st.sampled_from(of))


def _policies(*, users: bool, any_tags: bool, all_tags: bool) -> st.SearchStrategy[Policy]:
    """Return policies in which exactly these clauses are set, to one or two names each."""
    nothing = st.just(frozenset[str]())
    tags = st.frozensets(st.sampled_from(TAGS), min_size=1, max_size=2)
    return st.builds(
        Policy,
        public=st.just(value=False),
        users=st.frozensets(st.sampled_from(USERS), min_size=1, max_size=2) if users else nothing,
        any_tags=tags if any_tags else nothing,
        all_tags=tags if all_tags else nothing,
    )


PUBLIC: Final = Policy(public=True, users=frozenset(), any_tags=frozenset(), all_tags=frozenset())
POLICIES: Final = st.just(PUBLIC) | st.one_of(
    [
        _policies(users=users, any_tags=any_tags, all_tags=all_tags)
        for users, any_tags, all_tags in itertools.product([False, True], repeat=3)
    ]
)
