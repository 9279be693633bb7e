import json

from hypothesis import given
from hypothesis import strategies as st

from groundwire.domain.text.token_estimate import estimate_tokens, piece_sums, tokens_of
from groundwire.domain.text.token_sums import EMPTY_QUOTED, from_bytes, quoted_sums, to_bytes

PINNED = "The 3 pumps' manual: Größe «XL», насос, 日本, 한국, get_HTTPName() → 😀\n\tEnd."
STORED = "010000000e0000000000000001000000030000008e260000000f0000000000000001000000040000009e16"


@given(st.text(max_size=200))
def test_stored_sums_are_those_of_the_text_in_both_forms(text: str) -> None:
    sums = from_bytes(to_bytes(text))

    assert sums is not None
    assert tokens_of(sums.plain) == estimate_tokens(text)
    assert sums.quoted == quoted_sums(text)


@given(st.text(max_size=200), st.text(max_size=30))
def test_an_object_costs_what_it_costs_with_an_empty_text_and_the_sums_of_the_text(text: str, other: str) -> None:
    def sums(of: str) -> int:
        return piece_sums(json.dumps({"number": 1, "text": of, "other": [other]}, ensure_ascii=False))

    assert sums(text) == sums("") + quoted_sums(text) - EMPTY_QUOTED


def test_bytes_of_another_revision_or_none_count_as_no_sums() -> None:
    stored = to_bytes("The pump.")

    assert from_bytes(b"") is None
    assert from_bytes(b"\x00" + stored[1:]) is None
    assert from_bytes(stored + b"\x00") is None


def test_sums_of_the_revision_are_as_they_were_stored() -> None:
    """Where this fails, the pieces or their costs have changed: raise the revision, and pin the new bytes."""
    assert to_bytes(PINNED).hex() == STORED
