"""Records of decisions: each has its parts, their numbers have no gap, and the index names all."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from tests.support.documentation.pages import ROOT, rows

FOLDER: Final = ROOT / "docs" / "adr"
RECORDS: Final = sorted(FOLDER.glob("[0-9]*.md"))
PARTS: Final = ["Context", "Decision", "Consequences"]
_TITLE: Final = re.compile(r"# (\d{4}): (\S.*)")
_STATUS: Final = re.compile(r"Status: (accepted|superseded by (\d{4}))")


def numbers() -> list[str]:
    return [record.name.partition("-")[0] for record in RECORDS]


def errors_of(number: str, text: str) -> Iterator[str]:
    """Yield what a record lacks."""
    head, *parts = text.split("\n## ")
    title, _, status = head.strip().partition("\n\n")
    found = _TITLE.fullmatch(title)
    if found is None or found[1] != number:
        yield "title"
    state = _STATUS.fullmatch(status)
    if state is None or (state[2] is not None and state[2] not in numbers()):
        yield "status"
    if [part.partition("\n")[0] for part in parts] != PARTS:
        yield "parts"
    yield from (part.strip() for part in parts if not part.partition("\n")[2].strip())


def written(title: str = "# 0001: A title", status: str = "accepted", parts: list[str] = PARTS) -> str:
    return f"{title}\n\nStatus: {status}\n" + "".join(f"\n## {part}\n\nText.\n" for part in parts)


@pytest.mark.parametrize("record", RECORDS, ids=lambda record: record.stem)
def test_a_record_has_its_parts(record: Path) -> None:
    assert list(errors_of(record.name.partition("-")[0], record.read_text(encoding="utf-8"))) == []


@pytest.mark.parametrize(
    ("text", "error"),
    [
        (written(title="# A title"), "title"),
        (written(title="# 0002: A title"), "title"),
        (written(status="perhaps"), "status"),
        (written(status="superseded by 9999"), "status"),
        (written(parts=PARTS[:2]), "parts"),
        (written(parts=PARTS[::-1]), "parts"),
        (written().removesuffix("Text.\n"), "Consequences"),
    ],
)
def test_a_record_without_one_of_its_parts_is_found(text: str, error: str) -> None:
    assert list(errors_of("0001", written())) == []
    assert list(errors_of("0001", text)) == [error]


def test_the_numbers_of_the_records_have_no_gap() -> None:
    assert numbers() == [f"{number:04}" for number in range(1, len(RECORDS) + 1)]


def test_the_index_names_each_record_with_its_title_and_status() -> None:
    _, *listed = rows((FOLDER / "README.md").read_text(encoding="utf-8"))
    expected = []
    for record in RECORDS:
        title, _, status, *_ = record.read_text(encoding="utf-8").splitlines()
        number, _, decision = title.removeprefix("# ").partition(": ")
        expected.append([f"[{number}]({record.name})", decision, status.removeprefix("Status: ")])
    assert listed == expected
