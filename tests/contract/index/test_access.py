import random

import pytest

from groundwire.domain import errors
from groundwire.domain.access.policy import NO_READERS, Policy, Principal, single_policy
from groundwire.ports import Index, VectorIndex
from tests.contract.index.adapters import EVERY_SERVICE, EVERY_VECTOR_STORE
from tests.support.documents.index_documents import (
    ANYONE,
    PUBLIC,
    TENANT,
    for_tags,
    found,
    matching,
    phrase,
    put,
    query,
    readable,
    search,
    someone,
    texts,
)
from tests.support.isolation import oracle

TAGS = ("hr", "HR", "Q4-2024", "department:sales", "données", "部門", "a b", '"', "*", "")
USERS = ("u1", "u2", "Ünal", "")


def texts_for(vectors: VectorIndex, principal: Principal = ANYONE) -> set[str]:
    return set(texts(found(vectors, principal=principal)))


def some(random_: random.Random, of: tuple[str, ...]) -> frozenset[str]:
    return frozenset(random_.sample(of, random_.choice((0, 0, 1, 1, 2, 3))))


def any_policy(random_: random.Random) -> Policy:
    public = random_.random() < 0.05
    return Policy(public=public, users=some(random_, USERS), any_tags=some(random_, TAGS), all_tags=some(random_, TAGS))


def any_principal(random_: random.Random) -> Principal:
    return Principal(TENANT, random_.choice((None, *USERS)), frozenset(random_.sample(TAGS, random_.randrange(6))))


@EVERY_VECTOR_STORE
def test_what_a_search_can_meet_is_what_the_oracle_lets_be_read_in_ten_thousand_random_cases(
    vectors: VectorIndex,
) -> None:
    random_ = random.Random(20_240_601)
    policies = {f"d{number}": any_policy(random_) for number in range(100)}
    for doc_id, policy in policies.items():
        put(vectors, doc_id, [f"text of {doc_id}"], policy)
    for _ in range(100):
        asking = any_principal(random_)
        allowed = {d for d, policy in policies.items() if oracle.may_read(asking.user, asking.tags, policy)}
        assert readable(vectors, asking) == allowed, asking
        doc_id = random_.choice(sorted(policies))
        policies[doc_id] = any_policy(random_)
        vectors.set_readers(doc_id, single_policy(policies[doc_id]))


def test_a_selective_filter_misses_no_hit(vectors: VectorIndex) -> None:
    for number in range(60):
        put(vectors, f"noise{number}", [f"holiday allowance {number}"], for_tags("others"))
    put(vectors, "mine", ["holiday"], for_tags("me"))
    assert readable(vectors, someone("me")) == {"mine"}
    scores = found(vectors, "holiday allowance", someone("me"), depth=1)
    assert len(scores.keys) == 1


@EVERY_VECTOR_STORE
def test_a_changed_policy_holds_from_the_next_search_for_every_version(vectors: VectorIndex) -> None:
    put(vectors, "d", ["secret one"], version=1)
    put(vectors, "d", ["secret two"], version=2)
    assert texts_for(vectors) == {"secret one", "secret two"}
    vectors.set_readers("d", single_policy(for_tags("hr")))
    assert texts_for(vectors) == set()
    assert texts_for(vectors, someone("hr")) == {"secret one", "secret two"}
    vectors.set_readers("d", single_policy(NO_READERS))
    assert texts_for(vectors, someone("hr")) == set()


@EVERY_SERVICE
def test_a_changed_policy_holds_from_the_next_lexical_search_for_every_version(index: Index) -> None:
    put(index, "d", ["secret one"], version=1)
    put(index, "d", ["secret two"], version=2)
    assert matching(index, "secret") == {"secret one", "secret two"}
    index.set_readers("d", single_policy(for_tags("hr")))
    assert matching(index, "secret") == set()
    assert matching(index, "secret", someone("hr")) == {"secret one", "secret two"}
    index.set_readers("d", single_policy(NO_READERS))
    assert matching(index, "secret", someone("hr")) == set()


@EVERY_VECTOR_STORE
def test_a_policy_of_an_unknown_document_changes_nothing(vectors: VectorIndex) -> None:
    put(vectors, "d", ["text"])
    vectors.set_readers("e", single_policy(NO_READERS))
    assert readable(vectors, ANYONE) == {"d"}


def test_one_principal_after_another_gets_only_their_own(vectors: VectorIndex) -> None:
    put(vectors, "a", ["text"], for_tags("a"))
    put(vectors, "b", ["text"], for_tags("b"))
    put(
        vectors, "u", ["text"], Policy(public=False, users=frozenset({"a"}), any_tags=frozenset(), all_tags=frozenset())
    )
    for _ in range(2):
        assert readable(vectors, someone("a")) == {"a"}
        assert readable(vectors, someone("b")) == {"b"}
        assert readable(vectors, Principal(TENANT, "a", frozenset())) == {"u"}
        assert readable(vectors, someone()) == set()


def test_a_principal_of_another_tenant_is_refused(vectors: VectorIndex) -> None:
    put(vectors, "d", ["text"], PUBLIC)
    with pytest.raises(errors.Forbidden):
        search(vectors, query([phrase("text")], Principal("globex", None, frozenset())))
