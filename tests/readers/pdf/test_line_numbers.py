"""Numbers beside the lines of a pleading, a bill or a transcript are no text; numbers of entries are."""

from collections.abc import Callable
from typing import Final

import pytest

from groundwire_readers.dispatch import read_document
from tests.readers.pdf.drawing import drawn, text

_SENTENCES: Final = (
    "The witness states that he saw the boat at the quay before",
    "noon, and that its lamps were lit. He was asked whether any",
    "other person was on board, and he answered that he had seen",
    "nobody. The keeper of the harbour then closed the gate, as",
    "the rules demand, and wrote the time into the book. Counsel",
    "asked for the book, which was brought, and read the entry.",
)
_LINES: Final = 24


def _page(number: Callable[[int], str]) -> str:
    body = (text(90, 720 - 24 * line, _SENTENCES[line % 6], 12) for line in range(_LINES))
    return "".join(body) + "".join(map(number, range(_LINES)))


def _at(x: float, shown: Callable[[int], str], size: float = 12) -> Callable[[int], str]:
    return lambda line: text(x, 720 - 24 * line, shown(line), size)


def _texts(page: str) -> list[str]:
    return [block.text for block in read_document(drawn([page]), "pdf").blocks]


_NUMBERS: Final[dict[str, Callable[[int], str]]] = {
    "at the left": _at(54, lambda line: str(line + 1)),
    "far at the left": _at(30, lambda line: str(line + 1)),
    "small at the right": _at(560, lambda line: str(line + 1), 7),
    "right-aligned": lambda line: text(54 + 6.7 * (line < 9), 720 - 24 * line, str(line + 1), 12),
    "each fifth": _at(40, lambda line: str(line + 1) if (line + 1) % 5 == 0 else ""),
    "of a later page": _at(40, lambda line: str(line + 201)),
}


@pytest.mark.parametrize("name", _NUMBERS)
def test_line_numbers_are_left_out(name: str) -> None:
    assert _texts(_page(_NUMBERS[name])) == _texts(_page(lambda _: ""))


def test_the_numbers_of_ruled_paper_are_left_out_whatever_is_written_on_it() -> None:
    quoted = "".join(text(120, 720 - 12 * line, _SENTENCES[line % 6], 10) for line in range(2 * _LINES))
    ruled = "".join(text(54, 720 - 24 * line, str(line + 1), 12) for line in range(_LINES))
    assert _texts(quoted + ruled) == _texts(quoted)


@pytest.mark.parametrize("entry", ["Harbour number {} of the northern coast, with its quays and cranes", "pier {}"])
def test_numbers_of_entries_are_read(entry: str) -> None:
    rows = range(_LINES)
    page = "".join(text(54, 720 - 24 * row, str(row + 1)) + text(90, 720 - 24 * row, entry.format(row)) for row in rows)
    read = " ".join(_texts(page)).replace("|", " ").split()
    numbers = [word for word in read if word.isdigit()]
    assert numbers.count("24") == 1
    assert len(numbers) == 2 * _LINES


def test_numbers_that_do_not_count_lines_are_read() -> None:
    page = _page(_at(40, lambda line: str(1900 + 7 * line)))
    assert all(any(str(1900 + 7 * line) in found for found in _texts(page)) for line in range(_LINES))
