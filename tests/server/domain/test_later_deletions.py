"""Deletions in the lines of the log: the policy versions decide which came last, not the order of the lines."""

from dataclasses import dataclass

from hypothesis import given
from hypothesis import strategies as st

from groundwire.domain.audit.deletions import later_deletions

TENANT = "t_acme"


def line(action: str, version: int, **members: object) -> dict[str, object]:
    return {"action": action, "tenant": TENANT, "documents": [f"lease@{version}"], "hash": "later", **members}


@dataclass(frozen=True)
class History:
    """Lines of a document's life, and whether a person's deletion is the last change."""

    lines: list[dict[str, object]]
    is_deleted: bool


@st.composite
def histories(draw: st.DrawFn) -> History:
    """Draw lives of one document: ingestions, deletions and restorations, the lines of which come in any order."""
    version, is_deleted = 1, False
    lines = [line("ingest", version, changes=[])]
    for _ in range(draw(st.integers(0, 6))):
        if is_deleted:
            # The line of a restoration names the tombstone as it was before.
            lines.append(
                draw(st.sampled_from([line("documents.restore", version), line("ingest", version, phase="restore")]))
            )
            version += 1
        elif draw(st.booleans()):
            version += 1
            lines.append(line("documents.delete", version))
            is_deleted = True
            continue
        version += draw(st.integers(0, 1))
        lines.append(line("ingest", version, changes=[]))
        is_deleted = False
    return History(draw(st.permutations(lines)), is_deleted)


@given(histories())
def test_a_deletion_counts_exactly_where_it_is_the_last_change_whatever_the_order_of_the_lines(
    history: History,
) -> None:
    found = later_deletions(history.lines, frozenset())
    assert ((TENANT, "lease") in found.documents) == history.is_deleted


def test_lines_of_the_backup_and_refused_calls_count_for_nothing() -> None:
    route = "DELETE /v1/documents/{doc_id}"
    lines = [line("documents.delete", 2), line("x", 3, hash="new", status=404) | {"route": route}]
    assert later_deletions(lines, frozenset({"later"})).documents == {}
