"""The page's picture of a PDF document in Chromium, for an administrator who may read the document."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager

import pytest

from tests.support.documents.pdf import pdf
from tests.support.engines.chromium import Page
from tests.support.entry.command import Command


@pytest.fixture(scope="module")
def office(
    browser: Page, tmp_path_factory: pytest.TempPathFactory, serve: Callable[..., AbstractContextManager[str]]
) -> Iterator[Page]:
    """A page that is signed in, at the screen of its one document."""
    home = tmp_path_factory.mktemp("pictures")
    command = Command(home, {})
    tenant = command.tenant("acme")
    file = home / "leave.pdf"
    file.write_bytes(pdf([[(24, "Leave of absence"), (12, "Every employee has thirty days of paid leave.")]]))
    [row] = command.ingest(tenant, file, "--public", "--yes")
    key = command.personal_key(tenant, "olga@acme.example", "--scope", "admin", "--rate", "10000", "--yes")
    with serve(home) as url:
        browser.watch_failures()
        browser.sign_in(url, key)
        browser.run(f"location.hash = '#/documents/{row['doc_id']}'")
        yield browser


def test_the_page_of_a_passage_is_shown_on_request_with_the_passage_marked(office: Page) -> None:
    office.wait_for("return document.querySelector('article.passage')")
    assert office.run("return document.images.length") == 0
    office.click("Show the page")
    loaded = "const image = document.querySelector('figure img'); return image && image.complete && image.naturalHeight"
    assert office.wait_for(loaded) == 1_600
    assert office.run("return document.querySelector('figure img').alt") == "Page 1 with the marked passage"
    svg = office.wait_for(
        "window.svg ??= fetch(document.querySelector('figure img').src).then(answer => answer.text())"
        ".then(text => { window.marks = text.split('<rect').length - 1; }); return window.marks"
    )
    assert svg == 2
    assert office.failures == []


def test_a_page_that_may_not_be_shown_is_explained(office: Page) -> None:
    office.run("document.querySelector('figure img').src = '/o/forged?as=picture'")
    office.wait_for("return document.querySelector('figure')?.textContent.startsWith('There is no picture of page 1')")
