from itertools import permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from groundwire.adapters.aws.dynamodb.event_claims import comparable_sequencer, is_later
from groundwire.domain.errors import InvalidInput
from tests.support.plugins.draws import examples

sequencers = st.text("0123456789ABCDEF", min_size=1, max_size=24) | st.text("0F", min_size=1, max_size=4)


def compared_as_s3_states(first: str, second: str) -> int:
    """-1, 0 or 1: padded on the right to one length, then by letters."""
    length = max(len(first), len(second))
    padded = [each.ljust(length, "0") for each in (first, second)]
    return (padded[0] > padded[1]) - (padded[0] < padded[1])


@settings(deadline=None, max_examples=examples(300))
@given(first=sequencers, second=sequencers)
def test_two_sequencers_compare_as_if_the_shorter_was_continued_with_zeros(first: str, second: str) -> None:
    one, other = comparable_sequencer(first), comparable_sequencer(second)
    assert (one > other) - (one < other) == compared_as_s3_states(first, second)
    assert is_later(first, second) is (compared_as_s3_states(first, second) == 1)


@settings(deadline=None, max_examples=examples(100))
@given(some=st.lists(sequencers, min_size=3, max_size=3))
def test_the_latest_is_the_same_in_whatever_order_the_events_come(some: list[str]) -> None:
    assert len({max(map(comparable_sequencer, order)) for order in permutations(some)}) == 1


def test_the_case_of_the_digits_has_no_meaning() -> None:
    assert comparable_sequencer("0055aed6dcd90281e5") == comparable_sequencer("0055AED6DCD90281E5")
    assert is_later("00b", other="00A")


@pytest.mark.parametrize("text", ["", "g1", "0x12", "12 ", "-1", "1\n", "٣", "A" * 257])
def test_what_is_no_hexadecimal_number_is_refused(text: str) -> None:
    with pytest.raises(InvalidInput):
        comparable_sequencer(text)
