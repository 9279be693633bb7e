"""Windows: parts of a passage that have vectors of their own."""

from hypothesis import given
from hypothesis import strategies as st

from groundwire.domain.passages.windows import windows

lines = st.lists(
    st.one_of(
        st.text(alphabet="ab ", max_size=80),
        st.tuples(st.text(alphabet="ab:", max_size=20), st.text(alphabet="ab ", max_size=300)).map(" | ".join),
    ),
    max_size=30,
)


@given(lines)
def test_the_windows_of_a_passage_have_all_its_words_in_order(found: list[str]) -> None:
    text = "\n".join(found)
    assert windows(text) == () or " ".join(windows(text)).split() == text.split()


def test_a_passage_that_fits_one_window_has_no_extra_windows() -> None:
    assert windows("The quay is closed at night.") == ()


def test_an_entry_of_a_long_table_of_labels_and_values_is_found_by_its_own_words() -> None:
    entries = [f"Label {number} of the boat | value {number} of the boat" for number in range(12)]
    found = windows("\n".join(["Papers of the boat", *entries]))
    assert found[0] == "Papers of the boat"
    assert all(window.count("Label") <= 2 and window.startswith("Label") for window in found[1:])


def test_pairs_with_colons_are_entries_too() -> None:
    entries = [f"Maker {number}: | Weir and Sons | Home port {number}: | Weirhaven" for number in range(8)]
    assert all(window.startswith("Maker") for window in windows("\n".join(entries)))


def test_a_row_of_figures_is_found_by_its_own_words() -> None:
    rows = [f"Dues of the harbour {number} | 1,234 | \u2014 | $ (3,456)" for number in range(12)]
    rows.insert(4, "Other income: | | |")
    found = windows("\n".join([" | 2024 | 2025 | 2026", *rows]))
    assert all(window.count("Dues") <= 2 for window in found)


def test_rows_of_words_are_packed_like_sentences() -> None:
    rows = [f"Berth {number} | small boats of members | by the old crane | night and day" for number in range(12)]
    assert max(len(window.split()) for window in windows("\n".join(rows))) >= 50
