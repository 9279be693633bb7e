"""Decisions of a person about the readers of a document: each a pure function that returns the changed record.

A ceiling lasts whatever is ingested afterwards: no other module sets or removes one.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

from groundwire.domain.access.decision import Decision, earlier_decision
from groundwire.domain.access.policy import (
    NO_READERS,
    Policy,
    Readers,
    narrowest_policy,
    removes_readers,
    single_policy,
)
from groundwire.domain.access.policy_source import Ceiling, PolicySource
from groundwire.domain.documents.changes.lifecycle import with_ceiling, with_manual_policy
from groundwire.domain.documents.record import Document

ReadersChoice = Callable[[Document, Decision], Document]
"""Function that returns a record after a person's decision about its readers."""


@dataclass(frozen=True, slots=True)
class PolicyOverride:
    """Document after a person changed its readers, and the readers of the very record that was changed."""

    document: Document
    previous: Readers


def limiting(policy: Policy) -> Callable[[Document, Decision], Document]:
    """Return the function that gives a record the readers that a person decided.

    Where a file or an option declares readers, the policy becomes the ceiling beside them. Elsewhere nobody has
    declared any, so it becomes the declared policy as well.
    """

    def limited(document: Document, decision: Decision) -> Document:
        within = with_ceiling(document, Ceiling(policy, decision))
        return within if is_declared(document) else with_manual_policy(within, policy, decision.decided_at)

    return limited


def closed_by_person(document: Document, decision: Decision) -> Document:
    """Return the record that nobody can read until its ceiling is lifted or replaced; what is declared stays."""
    return with_ceiling(document, Ceiling(NO_READERS, decision))


def lifted(document: Document, _decision: Decision) -> Document:
    """Return the record without a ceiling: its readers are those of the declared policy again."""
    return with_ceiling(document, None)


def limited_as(document: Document, others: Iterable[Document]) -> Document:
    """Return the record with a ceiling below its own and those of the others, whose content it gets.

    Where no policy states the readers that two ceilings have in common, nobody is admitted.
    """
    ceiling = document.ceiling
    for other in (each.ceiling for each in others if each.ceiling is not None):
        policy = other.policy if ceiling is None else narrowest_policy(Readers(ceiling.policy, other.policy))
        if ceiling is None or policy != ceiling.policy:
            is_own = other.is_own and (ceiling is None or ceiling.is_own)
            ceiling = Ceiling(policy, other.decision, is_own=is_own)
    return document if ceiling == document.ceiling else with_ceiling(document, ceiling)


def for_own_files(choose: ReadersChoice) -> ReadersChoice:
    """Return the choice of somebody who decides about own documents alone: its ceiling is marked as such."""

    def chosen(document: Document, decision: Decision) -> Document:
        after = choose(document, decision)
        ceiling = after.ceiling
        if ceiling is None or ceiling.decision != decision:
            return after
        return replace(after, ceiling=replace(ceiling, is_own=True))

    return chosen


def every_document(_document: Document) -> bool:
    """Return True: a list without a condition has every document."""
    return True


def has_ceiling(document: Document) -> bool:
    """Return whether a person limited the readers of the document."""
    return document.ceiling is not None


def has_earlier_ceiling(document: Document) -> bool:
    """Return whether the ceiling is a manual policy of an earlier release, which recorded no person."""
    if document.ceiling is None:
        return False
    decision = document.ceiling.decision
    return decision == earlier_decision(decision.decided_at)


def has_other_declared_readers(document: Document) -> bool:
    """Return whether the declared policy admits somebody whom the ceiling does not admit."""
    return has_ceiling(document) and removes_readers(single_policy(document.policy), document.readers)


def listed_by_ceiling(*, ceilings: bool, policy_differs: bool) -> Callable[[Document], bool]:
    """Return the condition of a list: with a ceiling, with other declared readers, or none."""
    if policy_differs:
        return has_other_declared_readers
    return has_ceiling if ceilings else every_document


def is_declared(document: Document) -> bool:
    """Return whether an option or a policy file names the readers of the document, as far as its record shows it."""
    match document.policy_source:
        case PolicySource.MANUAL:
            return False
        case PolicySource.OPTION:
            # A refusal that hid the document replaced the policy that the option declared.
            return document.policy != NO_READERS or document.ingestion.refusal is None
        case PolicySource.FILE | PolicySource.UNKNOWN:
            return document.policy != NO_READERS


def is_decided_by_person(document: Document) -> bool:
    """Return whether a person has decided who may read the document; then its record stays, whatever it is like."""
    return document.policy_source is PolicySource.MANUAL or document.ceiling is not None
