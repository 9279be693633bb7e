"""Every small policy, for every small principal: what a search may meet, against the oracle."""

from collections.abc import Mapping
from itertools import chain, combinations, product
from typing import Final

from groundwire.domain.access.policy import Policy, Principal, single_policy
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
"""By document."""

PRINCIPALS: Final = [Principal(TENANT, user, tags) for user, tags in product(USERS, _subsets(TAGS, 3))]


def fill(index: Index) -> None:
    """A document for each policy, with a window in its passage, and one in a collection that nobody asks for."""
    for doc_id, policy in POLICIES.items():
        index.put(
            DocumentVersion(doc_id, 1),
            single_policy(policy),
            [with_vectors(segment(doc_id, 0, f"text of {doc_id}"), "window")],
        )
    other_place = segment("elsewhere", 0, "text of another", collection="vault")
    index.put(DocumentVersion("elsewhere", 1), single_policy(PUBLIC), [with_vectors(other_place, "window")])


def met(index: Index, principal: Principal) -> set[str]:
    """Return the documents that a search finds by lexical score, vectors or windows."""
    (scores,) = search(index, query([phrase("text")], principal, [COLLECTION]))
    return doc_ids(scores)


def allowed(principal: Principal) -> set[str]:
    """Those that it must meet."""
    return {doc_id for doc_id, policy in POLICIES.items() if oracle.may_read(principal.user, principal.tags, policy)}


def wrong(index: Index) -> list[tuple[Principal, set[str]]]:
    """Principals that meet too much, or too little, and what."""
    differences = ((principal, met(index, principal) ^ allowed(principal)) for principal in PRINCIPALS)
    return [(principal, documents) for principal, documents in differences if documents]
