"""The first minute of somebody who starts the demo, in Chromium: from the printed address to the audit log."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from tests.support.engines.chromium import Page
from tests.support.entry.demo_server import Server, started

PAGE: Final = re.compile(r"^page\s+(\S+)$", re.MULTILINE)


@pytest.fixture
def demo(tmp_path: Path) -> Iterator[Server]:
    with started(tmp_path / "home") as server:
        yield server


def test_one_question_has_two_answers_whose_source_and_audit_lines_are_a_click_away(
    browser: Page, demo: Server
) -> None:
    address = PAGE.search(demo.printed)
    assert address
    browser.load(address[1])
    # Without a click: the demo's question as two people, each with the reason.
    browser.wait_for("return document.querySelectorAll('.passage').length > 2")
    browser.wait_for_text("Visible because")
    people = browser.run("return [...document.querySelectorAll('.pair h2')].map(each => each.innerText)")
    assert len(set(people)) == 2
    browser.follow("Document")
    browser.wait_for("return document.querySelector('article.passage')")
    browser.follow("Audit")
    browser.wait_for("return document.querySelectorAll('tbody tr').length > 2")
    rows = browser.run("return [...document.querySelectorAll('tbody tr')].map(row => row.innerText)")
    for person in people:
        assert any(person.lower() in row.lower() and "POST /v1/search" in row for row in rows), (person, rows)
    recorded = [json.loads(line) for line in demo.audit.read_text(encoding="utf-8").splitlines()]
    assert len([line for line in recorded if line.get("route") == "POST /v1/search"]) >= len(people)
    assert browser.is_unharmed
