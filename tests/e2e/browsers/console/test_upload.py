"""Upload on the page in Chromium: readers before files, a plan before anything is sent, and reasons of refusals."""

import json
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import httpx
import pytest

from tests.support.engines.chromium import Page
from tests.support.entry.command import Command

RATE: Final = ("--rate", "10000", "--burst", "1000", "--yes")


@dataclass(frozen=True, slots=True)
class Site:
    """A server with one document for sales, and the key of its administrator."""

    url: str
    tenant: str
    key: str
    home: Path

    def get(self, path: str, **values: str) -> Any:
        answer = httpx.get(f"{self.url}/v1/{path}", params=values, headers={"authorization": f"Bearer {self.key}"})
        return answer.raise_for_status().json()


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory, serve: Callable[..., AbstractContextManager[str]]) -> Iterator[Site]:
    home = tmp_path_factory.mktemp("upload")
    command = Command(home, {})
    tenant = command.tenant("acme")
    file = home / "prices.md"
    file.write_text("# Prices\n\nThe Sandpiper 400 costs 3,900 euros.\n", encoding="utf-8")
    command.ingest(tenant, file, "--any-tag", "department:sales", "--yes")
    key = command.personal_key(tenant, "olga@acme.example", "--scope", "admin", "--tag", "department:sales", *RATE)
    with serve(home) as url:
        yield Site(url, tenant, key, home)


@pytest.fixture
def form(browser: Page, site: Site) -> Page:
    """The screen, with nobody named as a reader yet."""
    browser.command("Network.clearBrowserCookies")
    browser.load("about:blank")
    browser.sign_in(site.url, site.key)
    browser.run("location.hash = '#/documents/upload/files'")
    browser.wait_for("return document.querySelector('h1')?.textContent === 'Upload'")
    return browser


def add_tag(form: Page, tag: str) -> None:
    form.run("document.querySelectorAll('.field input[list]')[1].focus()")
    form.command("Input.insertText", text=tag)
    form.press("Enter", 13, "\r")


def plan(form: Page, *files: Path) -> str:
    """Choose the files, and return the text of the plan."""
    form.wait_for("return document.querySelector('input[type=file]')")
    form.choose_files("input[type=file]", *files)
    form.click("Show the plan")
    form.wait_for("return document.querySelector('table')")
    return form.run("return document.querySelector('main').innerText")


def written(site: Site, name: str, text: str) -> Path:
    file = site.home / name
    file.write_text(text, encoding="utf-8")
    return file


def sent(form: Page, done: str) -> str:
    """Send the planned files, and return the text of their rows at the end."""
    form.click("Upload")
    form.wait_for(f"return document.querySelector('main').innerText.includes({json.dumps(done)})")
    return form.run("return document.querySelector('table').innerText")


def test_files_can_be_chosen_only_after_their_readers(form: Page) -> None:
    assert form.run("return document.querySelector('input[type=file]')") is None
    form.click("Choose files")
    form.wait_for("return document.querySelector('.notice.bad')?.textContent.includes('Nobody could read the files')")
    assert form.run("return document.querySelector('input[type=file]')") is None


def test_a_new_file_is_uploaded_for_the_readers_of_the_plan(form: Page, site: Site) -> None:
    file = written(site, "returns.md", "# Returns\n\nA customer may return a station within 30 days.\n")
    add_tag(form, "department:sales")
    form.click("Choose files")
    shown = plan(form, file)
    assert "1 new document, 0 next versions of a document." in shown
    assert "for holders of one of department:sales" in shown
    assert "department:sales: 0 users, 1 key, 1 document." in shown
    assert [each["file"] for each in site.get("documents")["documents"]] == ["prices.md"]

    assert "indexed" in sent(form, "1 of 1 file are in the index.")
    [document] = [each for each in site.get("documents")["documents"] if each["file"] == "returns.md"]
    assert document["policy"] == {"public": False, "users": [], "any_tags": ["department:sales"], "all_tags": []}
    assert form.run("return document.querySelector('.equivalents code').textContent") == (
        f"groundwire ingest returns.md --tenant {site.tenant} --collection default --any-tag department:sales"
    )
    assert form.failures == []


def test_a_file_of_a_known_name_is_planned_as_its_next_version_with_the_change_of_readers(
    form: Page, site: Site
) -> None:
    file = written(site, "prices.md", "# Prices\n\nThe Sandpiper 400 costs 4,100 euros.\n")
    [before] = [each for each in site.get("documents")["documents"] if each["file"] == "prices.md"]
    add_tag(form, "department:finance")
    form.click("Choose files")
    assert "0 new documents, 1 next version of a document." in plan(form, file)
    form.run("document.querySelector('.rows details.card summary').click()")
    form.wait_for("return document.querySelector('.effect')?.innerText.includes('Can no longer read it')")

    sent(form, "1 of 1 file are in the index.")
    after = site.get(f"documents/{before['doc_id']}")
    assert (after["version"], after["policy"]["any_tags"]) == (before["version"] + 1, ["department:finance"])


def test_a_tag_that_nobody_has_needs_a_second_look(form: Page) -> None:
    add_tag(form, "department:slaes")
    form.click("Choose files")
    form.wait_for("return document.body.innerText.includes('Did you mean department:sales?')")
    form.choose_files("input[type=file]", Path(__file__))
    disabled = (
        "return [...document.querySelectorAll('button')].find(each => each.textContent === 'Show the plan').disabled"
    )
    assert form.run(disabled) is True
    form.run("[...document.querySelectorAll('.check')].find(each => each.innerText.includes('new tags')).click()")
    assert form.run(disabled) is False


def test_everyone_becomes_a_reader_only_after_a_confirmation(form: Page) -> None:
    form.run("document.querySelector('.check input').click()")
    form.click("Choose files")
    form.wait_for("return document.querySelector('dialog')?.innerText.includes('Every user of the tenant will read')")
    form.click("Cancel")
    form.wait_for("return document.querySelector('dialog') === null")
    assert form.run("return document.querySelector('input[type=file]')") is None
    form.click("Choose files")
    form.click("Everyone may read them")
    form.wait_for("return document.querySelector('input[type=file]')")


def test_a_file_that_cannot_be_read_is_refused_with_the_reason_and_the_others_go_on(form: Page, site: Site) -> None:
    damaged = site.home / "damaged.pdf"
    damaged.write_bytes(b"%PDF-1.7 nothing of a document")
    good = written(site, "terms.md", "# Terms\n\nPayment is due within 14 days.\n")
    add_tag(form, "department:sales")
    form.click("Choose files")
    plan(form, damaged, good)

    rows = sent(form, "1 of 2 files are in the index.")
    assert "refused" in rows
    assert "indexed" in rows
    [reason, _] = form.run("return [...document.querySelectorAll('td[data-name=State]')].map(each => each.innerText)")
    assert len(reason.split("\n")) > 1


def test_a_file_name_with_markup_is_a_text_in_the_plan_and_in_each_state(form: Page, site: Site) -> None:
    name = "<img src=x onerror=window.canary=1>.md"
    file = written(site, name, "# Canary\n\nThe text of the canary.\n")
    add_tag(form, "department:sales")
    form.click("Choose files")
    assert name in plan(form, file)
    assert name in sent(form, "1 of 1 file are in the index.")
    assert form.is_unharmed
