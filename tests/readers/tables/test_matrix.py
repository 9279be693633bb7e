"""Tables of every class are read alike from every format that can express them, as the page on formats states."""

from itertools import product
from pathlib import Path

import pytest

from groundwire_readers.dispatch import read_document
from tests.readers.tables.matrix import CLASSES, documented_matrix
from tests.readers.tables.writers import WRITERS

_FORMATS = Path(__file__).parents[3] / "docs" / "ingest" / "formats.md"
_CASES = [
    (name, shape, file_type)
    for name, each in CLASSES.items()
    for shape, file_type in product(range(len(each.shapes)), WRITERS)
    if file_type not in each.cannot
]


@pytest.mark.parametrize(("name", "shape", "file_type"), _CASES)
def test_a_table_has_its_rows_header_and_labels_in_every_format(name: str, shape: int, file_type: str) -> None:
    described = CLASSES[name]
    grid = described.shapes[shape]
    [found] = [block for block in read_document(WRITERS[file_type](grid), file_type).blocks if block.rows]
    assert found.rows == grid.texts()
    assert found.header_rows == described.header_rows
    assert found.labels == tuple(described.labels[shape])


def test_the_matrix_has_at_least_two_hundred_files() -> None:
    assert len(_CASES) >= 200


def test_the_page_on_formats_has_the_matrix() -> None:
    assert documented_matrix() in _FORMATS.read_text(encoding="utf-8")
