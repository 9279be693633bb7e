"""Members of outside contracts that have no effect here: none of them ever adds a passage to an answer."""

from collections.abc import Callable, Mapping, Sequence

from hypothesis import strategies as st

Members = dict[str, object]
Shapes = Mapping[str, st.SearchStrategy[object]]


def drawn(shapes: Shapes) -> st.SearchStrategy[Members]:
    """Return some of the members, each with a value of its contract."""
    return st.fixed_dictionaries({}, optional=dict(shapes))


def check_nothing_is_added(ask: Callable[[Members], Sequence[str]], members: Members) -> None:
    """Check that a request with these members finds what it finds without them, or less, in the same order.

    Args:
        ask: sends the request with these members and returns ids or texts of the passages of its answer.
        members: drawn members.
    """
    plain = ask({})
    assert plain, "the request itself finds passages, or nothing could be compared"
    found = ask(members)
    assert list(found) == [each for each in plain if each in found], members
