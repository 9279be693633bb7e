"""Documents on the page in Chromium: readers of several at once, limits beside what is declared, and deletions."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any, Final

import httpx
import pytest

from tests.support.engines.chromium import Page
from tests.support.entry.command import Command

SALES: Final = "department:sales"
FINANCE: Final = "department:finance"
NAMES: Final = ("depot.md", "fleet.md", "menu.md")


@dataclass(frozen=True, slots=True)
class Office:
    """A page of a server with three documents for sales, signed in as its administrator."""

    browser: Page
    url: str
    key: str

    def documents(self, **values: str) -> dict[str, Any]:
        """Return the documents by file name, as the server has them."""
        headers = {"authorization": f"Bearer {self.key}"}
        answer = httpx.get(f"{self.url}/v1/documents", params=values, headers=headers).raise_for_status()
        return {each["file"]: each for each in answer.json()["documents"]}

    def open(self, screen: str) -> None:
        # Another screen in between, so that the same one is drawn anew.
        self.browser.run("location.hash = '#/api'")
        self.browser.wait_for("return document.querySelector('main h1')?.textContent === 'API'")
        self.browser.run(f"location.hash = '#/{screen}'")
        self.browser.wait_for(
            "const title = document.querySelector('main h1')?.textContent ?? 'API';"
            "return title !== 'API' && !document.querySelector('.busy-line')"
        )

    def choose(self, *names: str) -> None:
        for name in names:
            self.browser.run(f"document.querySelector('[aria-label=\"Choose {name}\"]').click()")

    def set_readers(self, tag: str) -> None:
        """Replace the proposed tag in the open dialog, and ask for the effect."""
        self.browser.click(f"Remove {SALES}")
        self.browser.run("document.querySelectorAll('dialog input[list]')[1].focus()")
        self.browser.command("Input.insertText", text=tag)
        self.browser.press("Enter", 13, "\r")
        self.browser.click("Show the effect")


@pytest.fixture(scope="module")
def office(
    browser: Page, tmp_path_factory: pytest.TempPathFactory, serve: Callable[..., AbstractContextManager[str]]
) -> Iterator[Office]:
    home = tmp_path_factory.mktemp("documents")
    command = Command(home, {})
    tenant = command.tenant("acme")
    for name in NAMES:
        (home / name).write_text(f"# {name}\n\nThe text of {name} is about its own matter.\n", encoding="utf-8")
        command.ingest(tenant, home / name, "--any-tag", SALES, "--yes")
    command("user", "set", "noor@acme.example", "-t", tenant, "--tag", SALES, "--tag", FINANCE, "--yes").done()
    command("user", "set", "elif@acme.example", "-t", tenant, "--tag", SALES, "--yes").done()
    rate = ("--rate", "10000", "--burst", "1000", "--yes")
    key = command.personal_key(tenant, "olga@acme.example", "--scope", "admin", *rate)
    with serve(home) as url:
        browser.sign_in(url, key)
        yield Office(browser, url, key)


def test_readers_of_several_documents_change_after_their_effect_was_shown(office: Office) -> None:
    office.open("documents")
    office.choose("depot.md", "fleet.md")
    office.browser.click("Change the readers of 2 documents")
    office.set_readers(FINANCE)
    office.browser.wait_for("return document.querySelector('dialog .effect table')")
    rows = office.browser.run(
        "return [...document.querySelectorAll('dialog tbody tr')].map(row =>"
        " [...row.cells].map(cell => cell.innerText))"
    )
    assert sorted(row[0] for row in rows) == ["depot.md", "fleet.md"]
    assert all("elif@acme.example" in row[3] and "noor@acme.example" not in row[3] for row in rows)
    assert all(each["ceiling"] is None for each in office.documents().values())

    office.browser.click("Set the readers")
    office.browser.wait_for(
        "return document.querySelector('.notice.good')?.textContent === '2 of 2 documents changed.'"
    )
    limits = {name: each["ceiling"] for name, each in office.documents().items()}
    assert limits["menu.md"] is None
    assert [limits[name]["policy"]["any_tags"] for name in ("depot.md", "fleet.md")] == [[FINANCE], [FINANCE]]
    assert office.browser.failures == []


def test_what_is_declared_is_listed_beside_the_limit(office: Office) -> None:
    office.open("documents")
    office.browser.run(
        "[...document.querySelectorAll('.check')].find(each => each.innerText.includes('leaves somebody out')).click()"
    )
    office.browser.click("Apply")
    office.browser.wait_for("return document.querySelector('caption')?.textContent.startsWith('Documents whose limit')")
    row = office.browser.run(
        "const row = [...document.querySelectorAll('tbody tr')].find(each => each.innerText.includes('depot.md'));"
        "return [...row.cells].map(cell => cell.innerText)"
    )
    assert row[1:4] == [
        "depot.md",
        f"holders of one of {SALES}\nby option",
        f"holders of one of {FINANCE}",
    ]
    assert row[4].startswith("olga@acme.example")
    line = office.browser.run("return document.querySelector('.equivalents code').textContent")
    assert line.endswith("--policy-differs")


def test_a_deleted_document_can_be_restored_with_its_reason_on_record(office: Office) -> None:
    office.open(f"documents/{office.documents()['menu.md']['doc_id']}")
    office.browser.click("Delete")
    office.browser.click("Delete")
    office.browser.wait_for("return document.querySelector('h1')?.textContent === 'Documents'")
    assert office.documents().get("menu.md") is None

    office.open("documents/deleted/list")
    office.browser.click("Restore menu.md")
    office.browser.wait_for("return document.querySelector('dialog .effect')?.innerText.includes('brings it back')")
    office.browser.click("Restore")
    office.browser.wait_for("return document.body.innerText.includes('Nothing was deleted')")
    assert office.browser.failures == []
