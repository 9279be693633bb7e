"""Who may read a file is one rule: option, policy file, what was given before, else nobody."""

from itertools import product

import pytest

from groundwire.domain.access.policy import NO_READERS, Policy
from groundwire.domain.access.policy_source import (
    DeclaredPolicy,
    PolicySource,
    SourcedPolicy,
    effective_policy,
    followed_policy,
)

OPTION = Policy(public=True, users=frozenset(), any_tags=frozenset(), all_tags=frozenset())
FILE = Policy(public=False, users=frozenset({"ann"}), any_tags=frozenset(), all_tags=frozenset())
BEFORE = Policy(public=False, users=frozenset({"ben"}), any_tags=frozenset(), all_tags=frozenset())
KEPT = {PolicySource.OPTION, PolicySource.MANUAL}


def stored(source: PolicySource, overridden_at: float = 0.0) -> SourcedPolicy:
    return SourcedPolicy(BEFORE, source, overridden_at, None)


@pytest.mark.parametrize("source", PolicySource)
def test_an_option_and_a_policy_file_replace_what_was_there(source: PolicySource) -> None:
    for declared in (DeclaredPolicy(OPTION, None), DeclaredPolicy(OPTION, FILE)):
        assert effective_policy(declared, None, stored(source)) == SourcedPolicy(OPTION, PolicySource.OPTION, 0.0, None)
    file = effective_policy(DeclaredPolicy(None, FILE), None, stored(source))
    assert file == SourcedPolicy(FILE, PolicySource.FILE, 0.0, None)


@pytest.mark.parametrize("source", PolicySource)
def test_where_nothing_is_declared_the_source_decides(source: PolicySource) -> None:
    after = effective_policy(DeclaredPolicy(None, None), None, stored(source))
    assert after == (stored(source) if source in KEPT else SourcedPolicy(NO_READERS, PolicySource.FILE, 0.0, None))
    assert effective_policy(DeclaredPolicy(None, None), None, None).policy == NO_READERS


@pytest.mark.parametrize(("option", "file", "source"), list(product((None, OPTION), (None, FILE), PolicySource)))
def test_a_later_manual_override_comes_before_whatever_was_declared(
    option: Policy | None, file: Policy | None, source: PolicySource
) -> None:
    declared, current = DeclaredPolicy(option, file), stored(source, overridden_at=100.0)
    assert effective_policy(declared, 100.0, current) == current
    if option is not None or file is not None:
        assert effective_policy(declared, 100.5, current) != current


@pytest.mark.parametrize("source", PolicySource)
def test_a_changed_policy_file_changes_what_came_from_files_alone(source: PolicySource) -> None:
    current = stored(source)
    changed, deleted = followed_policy(FILE, current), followed_policy(None, current)
    if source in KEPT:
        assert (changed, deleted) == (current, current)
    else:
        assert changed == SourcedPolicy(FILE, PolicySource.FILE, 0.0, None)
        assert deleted == (
            current if source is PolicySource.UNKNOWN else SourcedPolicy(NO_READERS, PolicySource.FILE, 0.0, None)
        )
