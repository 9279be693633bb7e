"""Lines, selections and pages by which the audit trails of a machine and of a stack are compared."""

from collections.abc import Iterator
from typing import Any, Final

from hypothesis import strategies as st

from groundwire.domain.audit.selection import AuditSelection
from groundwire.ports import AuditTrail

OWN: Final = "t_own"


def records(names: st.SearchStrategy[str], times: st.SearchStrategy[float | None]) -> st.SearchStrategy[dict[str, Any]]:
    """Lines of two tenants, with any of the members that a selection compares."""
    documents = st.lists(st.sampled_from(["a@1", "a@2", "b@1", "a", "é|1@2"]), max_size=2)
    return st.fixed_dictionaries(
        {"tenant": st.sampled_from([OWN, OWN, "t_other"]), "time": times},
        optional={
            **dict.fromkeys(("user", "entry", "os_user", "kid", "tool", "route", "outcome", "reason"), names),
            "action": st.none() | names,
            "documents": documents,
        },
    )


def selections(names: st.SearchStrategy[str], times: st.SearchStrategy[float]) -> st.SearchStrategy[AuditSelection]:
    """Selections by any of their conditions."""
    named = (st.none() | names for _ in range(5))
    return st.builds(AuditSelection, *named, since=st.none() | times, until=st.none() | times)


def pages(trail: AuditTrail, selection: AuditSelection, limit: int = 3) -> Iterator[list[dict[str, object]]]:
    """Yield the pages of the own tenant."""
    after = None
    while True:
        page = trail.page(OWN, selection, after, limit)
        yield [dict(line) for line in page.lines]
        after = page.next_after
        if after is None:
            return
