"""Runs of `groundwire ingest` on the page in Chromium: progress, cancel, refusals with reasons, and readers."""

import json
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Final

import httpx
import pytest

from groundwire import wiring
from groundwire.ports.ingestion import RunProgress
from tests.support.engines.chromium import Page
from tests.support.entry.command import Command

RATE: Final = ("--rate", "10000", "--burst", "1000", "--yes")
TAG: Final = "team:<img/src=x/onerror=window.canary=1>"
OPERATOR: Final = "<img src=x onerror=window.canary=1>"
RUN: Final = "r_00000000000000aa"
CAPTION: Final = "Documents of the run"


@dataclass(frozen=True, slots=True)
class Office:
    """A page of a server with two runs over one folder, signed in as its administrator."""

    browser: Page
    url: str
    key: str
    tenant: str

    def open(self, screen: str) -> None:
        # Another screen in between, so that the same one is drawn anew.
        self.browser.run("location.hash = '#/api'")
        self.browser.wait_for("return document.querySelector('h1')?.innerText === 'API'")
        self.browser.run(f"location.hash = '#/{screen}'")
        self.browser.wait_for(
            "return document.querySelector('h1')?.innerText !== 'API'"
            " && !document.querySelector('.busy-line, [aria-busy]')"
        )

    def rows(self, caption: str) -> list[list[str]]:
        """Return the texts of the cells of a table, as soon as it is there."""
        return self.browser.wait_for(
            "const table = [...document.querySelectorAll('table')]"
            f".find(each => each.caption.innerText === '{caption}');"
            "return table && [...table.tBodies[0].rows].map(row => [...row.cells].map(cell => cell.innerText))"
        )

    def progress(self, files_done: int, outcome: str | None) -> None:
        """Record the progress of a run over four files."""
        counts = {"indexed": files_done}
        progress = RunProgress("depots", 1_790_000_000.0, 1_790_000_000.0, OPERATOR, 4, files_done, counts, outcome)
        runs = wiring.local_services().installation.ingestion_runs
        assert runs is not None
        runs.put(self.tenant, RUN, progress)


@pytest.fixture(scope="module")
def office(
    browser: Page, tmp_path_factory: pytest.TempPathFactory, serve: Callable[..., AbstractContextManager[str]]
) -> Iterator[Office]:
    home, folder = tmp_path_factory.mktemp("runs"), tmp_path_factory.mktemp("folder")
    command = Command(home, {})
    tenant = command.tenant("acme")
    lease, broken = folder / "lease.md", folder / "broken.pdf"
    broken.write_bytes(b"%PDF-1.7 nothing of a document")
    for rent, tag in (("4,100", "department:sales"), ("4,200", TAG)):
        lease.write_text(f"# Lease\n\nThe rent of the Ostrov depot is {rent} euros.\n", encoding="utf-8")
        command("ingest", str(folder), "-t", tenant, "--any-tag", tag, "--yes")
    key = command.personal_key(tenant, "olga@acme.example", "--scope", "admin", *RATE)
    with serve(home) as url:
        browser.sign_in(url, key)
        yield Office(browser, url, key, tenant)


@pytest.fixture
def running(office: Office) -> Iterator[Callable[[], None]]:
    """Record a run that this process runs; the function ends it."""
    end = wiring.local_services().installation.mark_run(RUN)
    office.progress(1, None)
    yield end
    office.progress(4, "done")


def first_run(office: Office) -> None:
    """Open the latest of the two runs over the folder."""
    office.open("documents/runs/list")
    office.browser.run(
        "[...document.querySelectorAll('tbody tr')].find(row => row.innerText.includes('default'))"
        ".querySelector('a').click()"
    )


def test_a_run_lists_what_it_refused_with_the_reason_and_whose_access_it_changed(office: Office) -> None:
    first_run(office)
    refused, changed = office.rows(CAPTION)
    assert refused[:3] == ["broken.pdf", "refused", "none"]
    assert "it is damaged or not a valid .pdf file" in refused[4]
    assert changed[:3] == ["lease.md", "indexed", "2"]
    assert changed[3].split() == [
        *("holders", "of", "one", "of", "department:sales"),
        *("→", "holders", "of", "one", "of", TAG),
    ]
    assert "1 document got other readers." in office.browser.run("return document.querySelector('main').innerText")
    assert office.browser.is_unharmed


def test_a_document_lists_its_ingestions_by_version_with_a_way_to_the_run(office: Office) -> None:
    first_run(office)
    office.rows(CAPTION)
    office.browser.run("[...document.querySelectorAll('td a')].find(each => each.innerText === 'lease.md').click()")
    second, first = office.rows("Ingestions of the document")
    assert (second[0], second[2], first[0], first[2]) == ("2", "indexed", "1", "indexed")
    assert TAG in second[5]
    office.browser.run(
        "[...document.querySelectorAll('td a')].find(each => each.innerText === 'a run of groundwire ingest').click()"
    )
    assert len(office.rows(CAPTION)) == 2
    assert office.browser.is_unharmed


def test_the_progress_of_a_running_one_is_followed_to_its_end_without_a_click(
    office: Office, running: Callable[[], None]
) -> None:
    office.open("documents/runs/list")
    assert office.browser.run("return document.querySelector('progress').value") == 1
    office.progress(3, None)
    office.browser.wait_for("return document.querySelector('progress')?.value === 3")
    office.progress(4, "done")
    running()
    office.browser.wait_for("return document.querySelector('progress') === null")
    [row] = [each for each in office.rows("Ingestions") if each[1] == "depots"]
    assert row[2:] == ["done", "4 of 4 files", "4 indexed", OPERATOR]
    assert office.browser.is_unharmed


def test_a_running_one_is_cancelled_after_a_question_that_states_what_stays(
    office: Office, running: Callable[[], None]
) -> None:
    office.open(f"documents/{RUN}/run")
    office.browser.click("Cancel")
    office.browser.wait_for(
        "return document.querySelector('dialog')?.innerText.includes('What is finished stays: 1 file')"
    )
    office.browser.click("Cancel the ingestion")
    office.browser.wait_for("return document.querySelector('main').innerText.includes('ends after its present file')")
    headers = {"authorization": f"Bearer {office.key}"}
    row = httpx.get(f"{office.url}/v1/ingestions/{RUN}", headers=headers).raise_for_status().json()
    assert row["cancel_requested"]
    lines = office.browser.run(
        "return [...document.querySelectorAll('.equivalents code')].map(each => each.textContent)"
    )
    assert lines[0] == f"groundwire ingestion cancel {RUN} --tenant {office.tenant}"
    assert json.dumps(f"/v1/ingestions/{RUN}/cancel")[1:-1] in lines[1]
    running()


def test_a_run_that_is_not_there_is_answered_in_words(office: Office) -> None:
    office.open("documents/r_ffffffffffffffff/run")
    office.browser.wait_for(
        "return document.querySelector('[role=alert]')?.innerText.includes('There is no ingestion')"
    )


def test_the_screens_of_runs_fit_a_narrow_window(office: Office) -> None:
    size: dict[str, object] = {"width": 360, "height": 900, "deviceScaleFactor": 1, "mobile": False}
    office.browser.command("Emulation.setDeviceMetricsOverride", **size)
    for screen in ("documents/runs/list", None):
        if screen is None:
            first_run(office)
            office.rows(CAPTION)
        else:
            office.open(screen)
        assert office.browser.run("return document.documentElement.scrollWidth <= window.innerWidth")
    office.browser.command("Emulation.clearDeviceMetricsOverride")
