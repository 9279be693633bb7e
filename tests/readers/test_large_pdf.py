"""A PDF of 600 pages comes to its end: within the limits of any document, every page cited, in little memory."""

import sys
from pathlib import Path

from groundwire.domain.passages.chunking import chunk
from groundwire_readers import ParserLimits, WorkerParser
from tests.support.documents.pdf import pdf

PAGES = 600
MEMORY_MB = 400
"""Of the worker, so that with the model beside it an ingestion stays below 600."""
LINE = "Boats that come in after dark pay the tariff of the night and are led to the outer quay."


def page(number: int) -> list[tuple[int, str]]:
    heading = [(18, f"{number // 3 + 1} Section {number}")] if number % 3 == 1 else []
    return [*heading, *[(10, f"On page {number} line {line} says: {LINE}") for line in range(12)]]


def test_a_pdf_of_600_pages_is_read_to_its_end() -> None:
    with WorkerParser(ParserLimits()) as parser:
        document = parser.parse(pdf([page(number) for number in range(1, PAGES + 1)]), "pdf")
        peak_mb = _peak_mb(parser.worker_pid)
    chunks = chunk(document)
    assert document.pages == PAGES
    assert {number for one in chunks for number in (one.page_first, one.page_last)} == set(range(1, PAGES + 1))
    assert all(f"On page {one.page_first} line" in one.text for one in chunks)
    assert all(one.heading_path for one in chunks)
    assert peak_mb <= MEMORY_MB


def _peak_mb(pid: int | None) -> int:
    """The most that a worker ever held, which is still there: one that has grown too much is replaced."""
    assert pid is not None
    if sys.platform != "linux":
        return 0
    return int(Path(f"/proc/{pid}/status").read_text().partition("VmHWM:")[2].split()[0]) // 1024
