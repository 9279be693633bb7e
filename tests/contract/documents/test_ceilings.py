"""Ceilings in the registry: stored beside the declared policy, and never wider for a release that knows none."""

from dataclasses import replace

import pytest

from groundwire.adapters.codecs.document_fields import from_stored, to_stored
from groundwire.domain.access import policy_json
from groundwire.domain.access.decision import Decision, earlier_decision
from groundwire.domain.access.policy import NO_READERS, Policy
from groundwire.domain.access.policy_source import Ceiling, PolicySource
from groundwire.domain.documents.record import Document
from tests.support.documents.index_documents import for_tags
from tests.support.isolation.policies import PUBLIC, for_users
from tests.support.registry.records import DOCUMENT

DECISION = Decision("olga", 1_800_000_000.5, "4fGh7Kq2LmNp", "legal hold")
ANN, LEGAL = for_users("ann"), for_tags("legal")


def read(stored: dict[str, object]) -> Document:
    return from_stored(stored, earlier_source=DOCUMENT.policy_source)


def limited(declared: Policy, ceiling: Policy) -> Document:
    return replace(
        DOCUMENT,
        policy=declared,
        policy_source=PolicySource.FILE,
        policy_overridden_at=0.0,
        ceiling=Ceiling(ceiling, DECISION),
    )


@pytest.mark.parametrize(
    ("declared", "ceiling", "narrowest"),
    [(PUBLIC, ANN, ANN), (ANN, PUBLIC, ANN), (ANN, LEGAL, NO_READERS), (LEGAL, NO_READERS, NO_READERS)],
)
def test_a_release_without_ceilings_reads_the_narrowest_policy(
    declared: Policy, ceiling: Policy, narrowest: Policy
) -> None:
    document = limited(declared, ceiling)
    stored = dict[str, object](to_stored(document))
    assert stored["policy"] == policy_json.to_json(narrowest)
    assert read(stored) == document


def test_a_ceiling_for_own_files_is_stored_as_such_and_others_are_stored_as_before() -> None:
    usual = limited(PUBLIC, ANN)
    own = replace(usual, ceiling=Ceiling(ANN, DECISION, is_own=True))
    assert read(dict[str, object](to_stored(own))) == own
    assert '"own"' not in str(to_stored(usual)["ceiling"])


def test_a_manual_policy_of_an_earlier_release_is_declared_and_a_ceiling() -> None:
    stored = dict[str, object](to_stored(DOCUMENT)) | {"policy_from_files": 0, "policy_given_at": 7.0, "ceiling": ""}
    document = read(stored)
    assert document.ceiling == Ceiling(document.policy, earlier_decision(7.0))
    assert to_stored(document)["ceiling"] == ""


def test_a_policy_that_an_earlier_release_changed_stays_within_the_ceiling() -> None:
    stored = dict[str, object](to_stored(limited(ANN, LEGAL)))
    later = stored | {"policy": policy_json.to_json(PUBLIC), "policy_version": DOCUMENT.policy_version + 1}
    document = read(later)
    assert (document.policy, document.ceiling) == (PUBLIC, Ceiling(LEGAL, DECISION))
