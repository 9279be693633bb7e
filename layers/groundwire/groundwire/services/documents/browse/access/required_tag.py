"""Proof that nobody reads some files without a tag, from the policies that are declared for them.

No policy takes a right from somebody with more tags. So one decision about the principal with every right but the tag
holds for all principals without it. A ceiling only takes readers away, so that the proof holds beside any ceiling.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from groundwire.domain.access.policy import (
    AccessReason,
    Policy,
    Principal,
    decide,
    minimal_readers,
    single_policy,
)


@dataclass(frozen=True, slots=True)
class DeclaredFile:
    """File with its declared policy.

    Attributes:
        path: of the file.
        policy_file: path of the policy file that applies; None without one.
        policy: of that file; that of nobody without one.
    """

    path: str
    policy_file: str | None
    policy: Policy


@dataclass(frozen=True, slots=True)
class Counterexample:
    """Reader without the tag, with the fewest rights that are enough.

    Attributes:
        policy_file: path of the policy file that admits the reader.
        file: the first file that the reader reads.
        files: number of the files with this policy file.
        clause: clause of the policy that admits the reader.
        reader: the reader; without a user, everybody with these tags.
    """

    policy_file: str | None
    file: str
    files: int
    clause: AccessReason
    reader: Principal


@dataclass(frozen=True, slots=True)
class TagProof:
    """Result for one tag.

    Attributes:
        tag: the tag that every reader should need.
        counterexamples: one for each policy file that admits somebody without the tag; empty: it is proved.
    """

    tag: str
    counterexamples: Sequence[Counterexample]


def prove_required(tag: str, files: Iterable[DeclaredFile]) -> TagProof:
    """Return whether nobody without the tag reads one of the files, and else who does."""
    by_policy = dict[tuple[str | None, Policy], list[str]]()
    for file in files:
        by_policy.setdefault((file.policy_file, file.policy), []).append(file.path)
    found: list[Counterexample] = []
    for (policy_file, policy), paths in by_policy.items():
        if decide(largest_without(tag, policy), single_policy(policy)):
            reader = _smallest_reader_without(tag, policy)
            clause = decide(reader, single_policy(policy)).reason
            found.append(Counterexample(policy_file, min(paths), len(paths), clause, reader))
    return TagProof(tag, found)


def largest_without(tag: str, policy: Policy) -> Principal:
    """Return a principal without the tag, for whom the policy decides as for the most powerful of them.

    It has a name that the policy admits, if there is one, and all tags of the policy but this one; no other name and
    no other tag gives a right. A named user counts as without the tag, as a policy does not know the tags of users.
    """
    return Principal("", min(policy.users, default=None), (policy.any_tags | policy.all_tags) - {tag})


def _smallest_reader_without(tag: str, policy: Policy) -> Principal:
    readers = (one for one in minimal_readers(single_policy(policy)) if tag not in one.tags)
    # Tags before names: a rule for many people is the wider hole.
    return min(readers, key=lambda one: (len(one.tags) + (one.user is not None), one.user or "", sorted(one.tags)))
