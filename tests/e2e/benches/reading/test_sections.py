"""Lines of a numbered section are right in a passage whose path has that number."""

from collections.abc import Sequence

from bench.reading.page_words import pages_of
from bench.reading.sections import in_own_sections, section_lines
from bench.reading.share import Share
from bench.reading.visual_lines import visual_lines
from groundwire.domain.documents.segment import Chunk
from tests.e2e.benches.reading.pdf_pages import pdf_of, text_at

FIRST = "the first section has a line of nine words"
SECOND = "and the second one has another line of words"


def passage(text: str, *path: str) -> Chunk:
    return Chunk(0, text, path, 1, 1)


def found_in(texts: Sequence[tuple[float, str]]) -> list[tuple[str, tuple[str, ...]]]:
    """The section lines of a page with these sizes of letters and texts below each other."""
    drawn = "".join(text_at(50, 700 - 20 * at, text, size) for at, (size, text) in enumerate(texts))
    lines = [visual_lines(number, page) for number, page in enumerate(pages_of(pdf_of([[]], more=drawn)), 1)]
    return list(section_lines(lines))


def test_long_lines_belong_to_the_numbered_heading_above_them() -> None:
    above = (10, "A line above all sections that is long enough to count")
    texts = [above, (14, "1.1. Purpose"), (10, FIRST), (10, "short"), (14, "1.2 Scope"), (10, SECOND)]
    assert found_in(texts) == [("1.1", tuple(FIRST.split())), ("1.2", tuple(SECOND.split()))]


def test_a_section_ends_at_any_line_that_looks_like_a_heading() -> None:
    for heading in [(14, "Rationale"), (10, "ANNEX"), (10, "2 Scope")]:
        assert found_in([(14, "1.1. Purpose"), (10, FIRST), heading, (10, SECOND)]) == [("1.1", tuple(FIRST.split()))]


def test_a_caption_ends_no_section() -> None:
    texts = [(14, "1.1. Purpose"), (10, FIRST), (14, "Table 3 Hours"), (10, SECOND)]
    assert [number for number, _ in found_in(texts)] == ["1.1", "1.1"]


def test_a_sentence_that_begins_with_a_number_begins_no_section() -> None:
    assert found_in([(14, "1.1. Purpose"), (10, FIRST), (10, "3.11 Metres"), (10, SECOND)]) == [
        ("1.1", tuple(FIRST.split())),
        ("1.1", tuple(SECOND.split())),
    ]


def test_a_running_head_with_a_page_number_is_no_heading() -> None:
    texts = [(14, "1.2. Related documents 5"), (10, FIRST), (14, "1.3 Scope"), (10, SECOND), (10, "the"), (10, "end")]
    assert [number for number, _ in found_in(texts)] == ["1.3"]


def test_a_line_in_a_passage_of_another_section_is_wrong() -> None:
    lines = [("1.1", tuple(FIRST.split())), ("1.2", tuple(SECOND.split()))]
    own = [passage(FIRST, "1 All", "1.1. Purpose"), passage(SECOND, "1 All", "1.2 Scope", "Note")]
    other = [passage(f"{FIRST} {SECOND}", "1 All", "1.1. Purpose")]

    assert in_own_sections(lines, own) == Share(2, 2)
    assert in_own_sections(lines, other) == Share(1, 2)


def test_a_line_that_is_missing_or_in_two_passages_is_not_judged() -> None:
    lines = [("1.1", tuple(FIRST.split()))]
    assert in_own_sections(lines, [passage("no such line", "1.1 Purpose")]) == Share(0, 0)
    assert in_own_sections(lines, [passage(FIRST, "1.1 Purpose"), passage(FIRST, "1.2 Scope")]) == Share(0, 0)
