"""The audit log, evaluations and checks on the page in Chromium."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import httpx
import pytest

from groundwire import wiring
from tests.support.engines.chromium import Page
from tests.support.entry.command import Command
from tests.support.registry.evaluations import evaluation, question

QUESTION: Final = "What <b>price</b> has the Sandpiper?"
PRICES: Final = """# Prices

The list is valid until | May.

| Model | Price | Stock |
|---|---|---|
| Sandpiper 400 | 2,310 euros | 12 |
| Sandpiper 500 | 3,100 euros | |
"""


@dataclass(frozen=True, slots=True)
class Office:
    """A page of a server, signed in as its administrator, and the folder of the server."""

    browser: Page
    url: str
    home: Path
    document: str

    def open(self, screen: str) -> None:
        self.browser.run(f"location.hash = '#/{screen}'")
        self.browser.wait_for("return document.querySelector('main h1') && !document.querySelector('.busy-line')")


@pytest.fixture(scope="module")
def office(
    browser: Page, tmp_path_factory: pytest.TempPathFactory, serve: Callable[..., AbstractContextManager[str]]
) -> Iterator[Office]:
    home = tmp_path_factory.mktemp("audit")
    command = Command(home, {})
    tenant = command.tenant("acme")
    file = home / "prices.md"
    file.write_text(PRICES, encoding="utf-8")
    [row] = command.ingest(tenant, file, "--public", "--yes")
    rate = ("--rate", "10000", "--burst", "1000", "--yes")
    key = command.personal_key(tenant, "olga@acme.example", "--scope", "admin", *rate)
    agent = command.personal_key(tenant, "elif@acme.example", *rate)
    with serve(home) as url:
        body = {"phrases": ["What does the Sandpiper 400 cost?"]}
        headers = {"authorization": f"Bearer {agent}"}
        assert httpx.post(f"{url}/v1/search", json=body, headers=headers, timeout=30).json()["passages"]
        for created_at, score in ((1_790_000_000.0, 1.0), (1_790_000_060.0, 0.5)):
            questions = [question(QUESTION, row["doc_id"], ndcg=score)]
            wiring.local_services().installation.evaluations.add(tenant, evaluation(created_at=created_at), questions)
        browser.sign_in(url, key)
        yield Office(browser, url, home, row["doc_id"])


def test_the_chain_of_the_log_is_verified_on_a_click(office: Office) -> None:
    office.open("audit")
    office.browser.click("Verify the log")
    office.browser.wait_for(
        "return document.querySelector('.notice.good')?.textContent.startsWith('Verified: each of')"
    )
    line = office.browser.run("return document.querySelector('.equivalents code').textContent")
    assert line == "groundwire audit verify"
    assert office.browser.failures == []


def test_a_changed_line_is_reported(office: Office) -> None:
    office.open("audit")
    log = office.home / "audit.jsonl"
    whole = log.read_bytes()
    log.write_bytes(whole.replace(b"/v1/session", b"/v1/sessioN", 1))
    office.browser.click("Verify the log")
    office.browser.wait_for("return document.querySelector('.notice.bad')?.textContent.includes('was changed')")


def test_a_document_lists_to_whom_it_was_shown(office: Office) -> None:
    office.open(f"documents/{office.document}")
    office.browser.wait_for("return document.querySelector('caption')")
    caption = "Calls that gave content of the document"
    office.browser.wait_for(f"return [...document.querySelectorAll('caption')].some(e => e.innerText === '{caption}')")
    row = office.browser.run(
        f"const table = [...document.querySelectorAll('table')].find(each => each.caption.innerText === '{caption}');"
        "return [...table.tBodies[0].rows].map(row => [...row.cells].map(cell => cell.innerText))"
    )
    assert [each[1].split("\n")[0] for each in row] == ["elif@acme.example"]
    assert [each[2:] for each in row] == [["passages", "POST /v1/search"]]


def test_rows_of_a_passage_are_drawn_as_a_table_and_its_sentences_as_text(office: Office) -> None:
    office.open(f"documents/{office.document}")
    office.browser.wait_for("return document.querySelector('.passage-text table')")
    rows = office.browser.run(
        "return [...document.querySelector('.passage-text table').rows].map(row =>"
        " [...row.cells].map(cell => cell.innerText))"
    )
    assert rows == [
        ["Model", "Price", "Stock"],
        ["Sandpiper 400", "2,310 euros", "12"],
        ["Sandpiper 500", "3,100 euros", ""],
    ]
    assert "until | May" in office.browser.run("return document.querySelector('.passage-text p').innerText")
    assert office.browser.failures == []


def test_two_evaluations_are_compared_by_question_with_a_gate(office: Office) -> None:
    office.open("quality")
    office.browser.wait_for("return document.querySelectorAll('tbody tr').length === 2")
    office.browser.run("document.querySelector('tbody a').click()")
    office.browser.wait_for("return document.querySelector('form.card input')")
    assert QUESTION in office.browser.run("return document.querySelector('main').innerText")
    office.browser.run("document.querySelector('form.card input').value = '0.02'")
    office.browser.click("Compare")
    office.browser.wait_for("return document.querySelector('.notice.bad')?.textContent.includes('does not pass')")
    row = office.browser.run(
        "const table = [...document.querySelectorAll('table')].find(each => each.caption.innerText.startsWith('Diff'));"
        "return [...table.tBodies[0].rows[0].cells].map(cell => cell.innerText)"
    )
    assert row == [QUESTION, "1.000", "0.500", "-0.500"]
    line = office.browser.run("return document.querySelector('.equivalents code').textContent")
    assert line.startswith("groundwire evaluation compare e_")
    assert "--max-loss 0.02" in line
    assert office.browser.failures == []


def test_status_lists_the_checks_of_the_tenant_with_their_remedies(office: Office) -> None:
    office.open("status")
    office.browser.wait_for("return document.querySelector('caption')?.innerText === 'Checks of the tenant'")
    names = office.browser.run(
        "return [...document.querySelectorAll('td[data-name=Check]')].map(each => each.innerText)"
    )
    assert {"documents", "keys", "index"} <= set(names)
    assert office.browser.failures == []
