"""Marks of a passage on the picture of its page: where its words are, and nowhere else."""

from hypothesis import given
from hypothesis import strategies as st

from groundwire.domain.passages.marks import MAX_MARKS, Mark, marks_of
from groundwire_readers.contents.parsed import PAGE_PARTS, WordBox

WIDTH, HEIGHT, GAP = 400, 100, 50


def page(*lines: str) -> list[WordBox]:
    """Words of these lines, each word of the same width."""
    return [
        WordBox(word, column * (WIDTH + GAP), row * 200, column * (WIDTH + GAP) + WIDTH, row * 200 + HEIGHT)
        for row, line in enumerate(lines)
        for column, word in enumerate(line.split())
    ]


def marked(passage: str, words: list[WordBox]) -> list[str]:
    """The words whose middle is in a mark."""
    marks = marks_of(passage, words)
    return [word.text for word in words if any(holds(mark, word) for mark in marks)]


def holds(mark: Mark, word: WordBox) -> bool:
    return (
        mark.left <= (word.left + word.right) / 2 <= mark.right
        and mark.top <= (word.top + word.bottom) / 2 <= mark.bottom
    )


def test_the_lines_of_a_passage_have_one_mark_each_and_the_others_none() -> None:
    words = page("Leave and holidays", "Every employee has thirty", "days of paid leave.", "Ask the office for more.")
    marks = marks_of("Every employee has thirty days of paid leave.", words)
    assert marks == [Mark(0, 200, 3 * (WIDTH + GAP) + WIDTH, 300), Mark(0, 400, 3 * (WIDTH + GAP) + WIDTH, 500)]


def test_a_word_that_was_joined_at_a_line_end_and_other_forms_of_letters_are_found() -> None:
    words = page("The inter-", "national \ufb01nance DEPARTMENT decides", "about it.")
    assert marked("The international finance department decides about it.", words) == [word.text for word in words]


def test_the_cells_of_a_table_are_found_between_its_bars() -> None:
    words = page("Product Price", "Refrigerator 1,200.00", "Dishwasher 800.00")
    assert marked("| Product | Price |\n|---|---|\n| Refrigerator | 1,200.00 |", words) == [
        *("Product", "Price", "Refrigerator", "1,200.00"),
    ]


def test_columns_have_marks_of_their_own() -> None:
    left = WordBox("paragraph", 500, 100, 2_000, 200)
    right = WordBox("continues", 6_000, 100, 7_500, 200)
    assert len(marks_of("paragraph continues", [left, right])) == 2


def test_a_short_passage_is_found_as_a_whole() -> None:
    assert marked("No.", page("Yes and", "No.")) == ["No."]


def test_another_text_a_scan_and_a_passage_without_letters_have_no_marks() -> None:
    assert marks_of("The ledger pays bonuses to everybody.", page("Leave is granted by the office.")) == []
    assert marks_of("The ledger pays bonuses.", []) == []
    assert marks_of("\u2014 \u2022", page("Leave.")) == []
    assert marks_of("", page("Leave.")) == []


def test_a_page_that_repeats_the_passage_without_end_has_a_bounded_number_of_marks() -> None:
    words = [WordBox("pay", 0, row, 10, row + 1) for row in range(0, 9_000, 2)]
    assert len(marks_of("pay", words)) == MAX_MARKS


WORDS = st.lists(st.text("abcdefgh\u00df\ufb01-,. ", min_size=1, max_size=12), min_size=1, max_size=60)


@given(WORDS, st.data())
def test_every_word_of_a_passage_that_the_page_has_is_marked_within_the_page(
    texts: list[str], data: st.DataObject
) -> None:
    words = [WordBox(text, 0, row * 100, 900, row * 100 + 90) for row, text in enumerate(texts)]
    start = data.draw(st.integers(0, len(words) - 1))
    end = data.draw(st.integers(start + 1, len(words)))
    marks = marks_of(" ".join(texts[start:end]), words)
    for word in words[start:end]:
        assert any(holds(mark, word) for mark in marks) or not any(map(str.isalnum, word.text))
    for mark in marks:
        assert 0 <= mark.left < mark.right <= PAGE_PARTS
        assert 0 <= mark.top < mark.bottom <= PAGE_PARTS
