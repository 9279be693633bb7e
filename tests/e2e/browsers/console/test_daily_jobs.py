"""Daily jobs of an administrator on the page in Chromium: each in the steps that its page of the docs states."""

import re
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import httpx
import pytest

from tests.support.engines.chromium import Page
from tests.support.entry.command import Command

ROOT: Final = Path(__file__).parents[4]
RATE: Final = ("--rate", "10000", "--burst", "1000", "--yes")
SALES: Final = "department:sales"
ELIF: Final = "elif@acme.example"
STATED: Final = {
    job: int(steps)
    for job, steps in re.findall(
        r"^\| ([a-z][^|]+) \| (\d+) \|$", (ROOT / "docs/operate/console.md").read_text(encoding="utf-8"), re.MULTILINE
    )
}


@dataclass(slots=True)
class Administrator:
    """A person at the page, whose steps are counted.

    Attributes:
        documents: ids by file name.
    """

    page: Page
    folder: Path
    documents: dict[str, str]
    steps: int = field(default=0)

    def click(self, label: str) -> None:
        """Click a button."""
        self.page.click(label)
        self.steps += 1

    def follow(self, label: str) -> None:
        """Follow a link."""
        self.page.follow(label)
        self.steps += 1

    def type(self, label: str, text: str) -> None:
        """Type into a field, and leave it."""
        self.page.type(label, text)
        self.steps += 1

    def choose(self, file: Path) -> None:
        """Choose a file."""
        self.page.wait_for("return document.querySelector('input[type=file]')")
        self.page.choose_files("input[type=file]", file)
        self.steps += 1

    def sees(self, text: str) -> None:
        """Wait until the page shows a text."""
        self.page.wait_for_text(text)


def connect(person: Administrator) -> None:
    person.follow("Keys")
    person.click("Claude")
    person.type("User", ELIF)
    person.click("Continue")
    person.click("Create the key")
    person.sees("claude mcp add")
    person.click("Done")


def find_why(person: Administrator) -> None:
    person.follow("Access")
    person.type("Document", person.documents["prices.md"])
    person.type("User", "noor@acme.example")
    person.click("Check")
    person.sees("It would be readable with department:sales.")


def try_tags(person: Administrator) -> None:
    person.follow("Access")
    person.follow("What if?")
    person.type("User", "ana@acme.example")
    person.type("Tags afterwards", SALES)
    person.click("Show the effect")
    person.sees("Opens 3 documents")


def give_tags(person: Administrator) -> None:
    person.follow("People")
    person.type("User", "ben@acme.example")
    person.type("Tags", SALES)
    person.click("Show the effect")
    person.click("Store the tags")
    person.sees("ben@acme.example")


def upload(person: Administrator) -> None:
    file = person.folder / "returns.md"
    file.write_text("# Returns\n\nA customer may return a station within 30 days.\n", encoding="utf-8")
    person.follow("Documents")
    person.follow("Upload files")
    person.type("Holders of one of these tags", SALES)
    person.click("Choose files")
    person.choose(file)
    person.click("Show the plan")
    person.click("Upload")
    person.sees("1 of 1 file are in the index.")


def see_reads(person: Administrator) -> None:
    person.follow("Documents")
    person.follow("prices.md")
    person.sees("POST /v1/search")


def see_refusals(person: Administrator) -> None:
    person.follow("Documents")
    person.follow("Ingestions")
    person.page.wait_for("const link = document.querySelector('tbody a'); link?.click(); return Boolean(link)")
    person.steps += 1
    person.sees("it is damaged or not a valid .pdf file")


def revoke(person: Administrator) -> None:
    person.follow("Keys")
    person.click("Revoke leaked")
    person.sees("Last call:")
    person.click("Revoke")
    person.page.wait_for("return document.querySelector('dialog') === null")


def delete(person: Administrator) -> None:
    person.follow("Documents")
    person.follow("menu.md")
    person.click("Delete")
    person.sees("No answer contains it from the next call on.")
    person.click("Delete")
    person.page.wait_for("return location.hash === '#/documents'")


def offboard(person: Administrator) -> None:
    person.follow("People")
    person.follow("Leaving")
    person.type("Ids of the person", ELIF)
    person.click("Show the effect")
    person.click("Offboard")
    person.sees("Download the receipt")


JOBS: Final = {
    "connect an agent with a new key": connect,
    "find why a person cannot read a document": find_why,
    "see what other tags of a user would do": try_tags,
    "give a user tags": give_tags,
    "upload a file for a department": upload,
    "see who was shown a document": see_reads,
    "see what an ingestion refused": see_refusals,
    "revoke a leaked key": revoke,
    "delete a document everywhere": delete,
    "offboard a person, with a receipt": offboard,
}


@pytest.fixture(scope="module")
def administrator(
    browser: Page, tmp_path_factory: pytest.TempPathFactory, serve: Callable[..., AbstractContextManager[str]]
) -> Iterator[Administrator]:
    home, folder = tmp_path_factory.mktemp("jobs"), tmp_path_factory.mktemp("files")
    command = Command(home, {})
    tenant = command.tenant("acme")
    for name in ("prices", "fleet", "menu"):
        (folder / f"{name}.md").write_text(f"# The {name}\n\nThe {name} of the Ostrov depot.\n", encoding="utf-8")
    (folder / "broken.pdf").write_bytes(b"%PDF-1.7 nothing of a document")
    command("ingest", str(folder), "-t", tenant, "--any-tag", SALES, "--yes")
    documents = {each["file"]: each["doc_id"] for each in command.json("documents", "list", "-t", tenant)}
    key = command.personal_key(tenant, "olga@acme.example", "--scope", "admin", "--may-search-as", *RATE)
    leaked = command.personal_key(tenant, ELIF, "--tag", SALES, "--name", "leaked", *RATE)
    with serve(home) as url:
        body, headers = {"phrases": ["prices of the depot"]}, {"authorization": f"Bearer {leaked}"}
        assert httpx.post(f"{url}/v1/search", json=body, headers=headers, timeout=30).json()["passages"]
        browser.sign_in(url, key)
        yield Administrator(browser, folder, documents)


@pytest.mark.parametrize("job", JOBS)
def test_a_job_takes_the_steps_that_the_page_states(administrator: Administrator, job: str) -> None:
    administrator.page.run("location.hash = '#/try'")
    administrator.page.wait_for("return document.querySelector('.question')")
    administrator.steps = 0
    JOBS[job](administrator)
    assert administrator.steps == STATED[job]
    assert administrator.page.failures == []


def test_the_page_states_these_jobs_and_no_other() -> None:
    assert list(STATED) == list(JOBS)
