"""Declared policy of a document, and the ceiling beside it: the rule for folders, uploads and buckets alike.

A run declares a policy by option, or a policy file speaks, or neither. The record keeps where its policy came from, so
that a later run knows whether to keep it. What a run declares never changes the ceiling.
"""

from dataclasses import dataclass, replace
from enum import StrEnum

from groundwire.domain.access.decision import Decision
from groundwire.domain.access.policy import NO_READERS, Policy, Readers


class PolicySource(StrEnum):
    """Source of a document's policy.

    `OPTION`: given with the file, by a command, an upload or the object's own metadata. `FILE`: the nearest policy
    file, or nobody because there is none. `MANUAL`: set for the document itself. `UNKNOWN`: stored by an earlier
    release, by option or by file.
    """

    OPTION = "option"
    FILE = "file"
    MANUAL = "manual"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class DeclaredPolicy:
    """Policy that a run declares for a file.

    Attributes:
        option: given with the file; None where the option was left out.
        file: of the nearest policy file; None where no policy file speaks.
    """

    option: Policy | None
    file: Policy | None


@dataclass(frozen=True, slots=True)
class Ceiling:
    """Limit of a document's readers that a person set; it lasts until somebody who could set it lifts it.

    Attributes:
        is_own: a key without the right over the documents of others set it for a document that it contributed. It goes
            with the content to files of the same person alone: else known bytes would be enough to close others' files.
    """

    policy: Policy
    decision: Decision
    is_own: bool = False


@dataclass(frozen=True, slots=True)
class SourcedPolicy:
    """Declared policy with its source, and the ceiling beside it.

    Attributes:
        overridden_at: time of the latest manual override (epoch seconds), which takes precedence over what was declared
            earlier; 0: there was none, or it is no longer in force.
        ceiling: None: there is none.
    """

    policy: Policy
    source: PolicySource
    overridden_at: float
    ceiling: Ceiling | None

    @property
    def readers(self) -> Readers:
        """Readers of a document with this policy."""
        return Readers(self.policy, None if self.ceiling is None else self.ceiling.policy)


_KEPT_SOURCES = frozenset({PolicySource.OPTION, PolicySource.MANUAL})


def effective_policy(
    declared: DeclaredPolicy, decided_at: float | None, current: SourcedPolicy | None
) -> SourcedPolicy:
    """Return the policy of a document after its file was declared with `declared`; a ceiling stays.

    Precedence: a manual override since `decided_at`; the option; the policy file; what an earlier option or a manual
    override gave. Otherwise nobody: a policy file that is gone takes its readers with it.

    Args:
        declared: option and policy file.
        decided_at: time of the declaration (epoch seconds); None: it is made now.
        current: policy of the stored record; None for a new document.
    """
    if current is not None and _is_overridden_since(decided_at, current):
        return current
    ceiling = None if current is None else current.ceiling
    if declared.option is not None:
        return SourcedPolicy(declared.option, PolicySource.OPTION, 0.0, ceiling)
    if declared.file is not None:
        return SourcedPolicy(declared.file, PolicySource.FILE, 0.0, ceiling)
    if current is not None and current.source in _KEPT_SOURCES:
        return current
    return SourcedPolicy(NO_READERS, PolicySource.FILE, 0.0, ceiling)


def followed_policy(file: Policy | None, current: SourcedPolicy) -> SourcedPolicy:
    """Return the policy of a document after a change of policy files, without a run over its own file.

    A ceiling stays, and so does what an option or a manual override gave. A policy that came from a file is that of the
    nearest file now, or nobody without one. A policy of unknown source follows a file, and stays without one.

    Args:
        file: policy of the nearest policy file; None where no policy file speaks.
        current: policy of the stored record.
    """
    if current.source in _KEPT_SOURCES:
        return current
    if file is None and current.source is PolicySource.UNKNOWN:
        return current
    return replace(current, policy=file or NO_READERS, source=PolicySource.FILE, overridden_at=0.0)


def _is_overridden_since(decided_at: float | None, current: SourcedPolicy) -> bool:
    # A file that waited in a queue was declared before the override, so it must not undo it.
    return decided_at is not None and current.overridden_at > 0.0 and decided_at <= current.overridden_at
