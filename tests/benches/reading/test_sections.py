"""Lines of a numbered section are right in a passage whose path has that number."""

from bench.reading.page_words import pages_of
from bench.reading.sections import in_own_sections, section_lines
from bench.reading.share import Share
from bench.reading.visual_lines import visual_lines
from groundwire.domain.documents.segment import Chunk
from tests.benches.reading.pdf_pages import Placed, pdf_of

FIRST = "the first section has a line of nine words"
SECOND = "and the second one has another line of words"


def passage(text: str, *path: str) -> Chunk:
    return Chunk(0, text, path, 1, 1)


def found_in(texts: list[str]) -> list[tuple[str, tuple[str, ...]]]:
    placed: list[Placed] = [(50, 700 - 15 * at, text) for at, text in enumerate(texts)]
    lines = [visual_lines(number, page) for number, page in enumerate(pages_of(pdf_of([placed])), 1)]
    return list(section_lines(lines))


def test_long_lines_belong_to_the_numbered_heading_above_them() -> None:
    texts = [
        "A line above all sections that is long enough to count",
        "1.1. Purpose",
        FIRST,
        "short",
        "1.2 Scope",
        SECOND,
    ]
    assert found_in(texts) == [("1.1", tuple(FIRST.split())), ("1.2", tuple(SECOND.split()))]


def test_a_running_head_with_a_page_number_is_no_heading() -> None:
    texts = ["1.2. Related documents 5", FIRST, "1.3 Scope", SECOND, "the end", "of it"]
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
