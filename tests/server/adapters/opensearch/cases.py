"""Every small policy, and some below ceilings, for every small principal: results of a search against the oracle."""

from collections.abc import Mapping
from itertools import chain, combinations, product
from typing import Final

from groundwire.domain.access.policy import NO_READERS, Policy, Principal, Readers, single_policy
from groundwire.ports import DocumentVersion, Index
from tests.support.documents.index_documents import (
    PUBLIC,
    TENANT,
    doc_ids,
    phrase,
    query,
    search,
    segment,
    with_vectors,
)
from tests.support.isolation import oracle

TAGS: Final = ("a", "b", "c")
USERS: Final = (None, "u")
COLLECTION: Final = "handbook"


def _subsets(of: tuple[str, ...], most: int) -> list[frozenset[str]]:
    return [frozenset(some) for some in chain.from_iterable(combinations(of, size) for size in range(most + 1))]


POLICIES: Final[Mapping[str, Policy]] = {
    "public": PUBLIC,
    **{
        f"p{number}": Policy(public=False, users=users, any_tags=any_tags, all_tags=all_tags)
        for number, (users, any_tags, all_tags) in enumerate(
            product(_subsets(("u",), 1), _subsets(TAGS[:2], 2), _subsets(TAGS[1:], 2))
        )
    },
}
"""Declared policies, by document."""

_CEILINGS: Final = {
    "public": PUBLIC,
    "nobody": NO_READERS,
    "user": Policy(public=False, users=frozenset("u"), any_tags=frozenset(), all_tags=frozenset()),
    "any": Policy(public=False, users=frozenset(), any_tags=frozenset("ab"), all_tags=frozenset()),
    "all": Policy(public=False, users=frozenset(), any_tags=frozenset("a"), all_tags=frozenset("bc")),
}
READERS: Final[Mapping[str, Readers]] = {
    **{doc_id: single_policy(policy) for doc_id, policy in POLICIES.items()},
    **{
        f"{name}-below-{limit}": Readers(POLICIES[name], ceiling)
        for name, (limit, ceiling) in product(("public", "p1", "p17"), _CEILINGS.items())
    },
}
"""Readers, by document."""

PRINCIPALS: Final = [Principal(TENANT, user, tags) for user, tags in product(USERS, _subsets(TAGS, 3))]


def fill(index: Index) -> None:
    """Write a document for each pair, with a window in its passage, and one in a collection that nobody asks for."""
    for doc_id, readers in READERS.items():
        index.put(
            DocumentVersion(doc_id, 1),
            readers,
            [with_vectors(segment(doc_id, 0, f"text of {doc_id}"), "window")],
        )
    other_place = segment("elsewhere", 0, "text of another", collection="vault")
    index.put(DocumentVersion("elsewhere", 1), single_policy(PUBLIC), [with_vectors(other_place, "window")])


def met(index: Index, principal: Principal) -> set[str]:
    """Return the documents that a search finds by lexical score, vectors or windows."""
    (scores,) = search(index, query([phrase("text")], principal, [COLLECTION]))
    return doc_ids(scores)


def allowed(principal: Principal) -> set[str]:
    """Return the ids of the documents that the principal may read."""
    return {
        doc_id
        for doc_id, readers in READERS.items()
        if oracle.may_read_within(principal.user, principal.tags, readers.declared, readers.ceiling)
    }


def wrong(index: Index) -> list[tuple[Principal, set[str]]]:
    """Return the principals with wrong results, and the documents that are missing or in excess."""
    differences = ((principal, met(index, principal) ^ allowed(principal)) for principal in PRINCIPALS)
    return [(principal, documents) for principal, documents in differences if documents]
