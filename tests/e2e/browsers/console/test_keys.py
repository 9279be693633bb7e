"""Keys on the page in Chromium: a new one with the light on its first call, edited, rotated and revoked."""

import json
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any, Final

import httpx
import pytest

from tests.support.engines.chromium import Page
from tests.support.entry.command import Command

CANARY: Final = "<img src=x onerror=window.canary=1>"
RATE: Final = ("--rate", "10000", "--burst", "1000", "--yes")


@dataclass(frozen=True, slots=True)
class Office:
    """A page of a server with one document for sales, signed in as its administrator."""

    browser: Page
    url: str
    key: str

    def keys(self) -> dict[str, dict[str, Any]]:
        """Return the keys by name, as the server has them."""
        answer = httpx.get(f"{self.url}/v1/keys", headers={"authorization": f"Bearer {self.key}"})
        return {each["name"]: each for each in answer.raise_for_status().json()["keys"]}

    def search(self, key: str) -> httpx.Response:
        """Search with a key, as its client does."""
        headers = {"authorization": f"Bearer {key}"}
        return httpx.post(f"{self.url}/v1/search", json={"phrases": ["rent"]}, headers=headers, timeout=30)

    def type_into(self, label: str, text: str) -> None:
        """Replace the text of the field with this label."""
        self.browser.run(
            "const label = [...document.querySelectorAll('label')]"
            f".findLast(each => each.textContent === {json.dumps(label)});"
            "const field = document.getElementById(label.htmlFor); field.value = ''; field.focus()"
        )
        self.browser.command("Input.insertText", text=text)

    def secret(self) -> str:
        """Return the new secret that the dialog shows."""
        return self.browser.wait_for("return document.querySelector('dialog .code-line code')?.textContent")


@pytest.fixture(scope="module")
def office(
    browser: Page, tmp_path_factory: pytest.TempPathFactory, serve: Callable[..., AbstractContextManager[str]]
) -> Iterator[Office]:
    home = tmp_path_factory.mktemp("keys")
    command = Command(home, {})
    tenant = command.tenant("acme")
    (home / "lease.md").write_text("# Lease\n\nThe rent of the depot is 4,100 euros.\n", encoding="utf-8")
    command.ingest(tenant, home / "lease.md", "--any-tag", "department:sales", "--yes")
    key = command.personal_key(tenant, "olga@acme.example", "--scope", "admin", *RATE)
    with serve(home) as url:
        browser.sign_in(url, key)
        yield Office(browser, url, key)


def created(office: Office, name: str) -> str:
    """Create a key, and return its secret; its dialog stays open."""
    office.browser.run("location.hash = '#/api'")
    office.browser.wait_for("return document.querySelector('h1')?.innerText === 'API'")
    office.browser.run("location.hash = '#/keys'")
    office.browser.click("My code")
    office.type_into("Name of the key", name)
    office.type_into("User", "elif@acme.example")
    office.type_into("Tags of the user", "department:sales")
    office.browser.click("Continue")
    office.browser.wait_for("return document.querySelector('dialog')?.innerText.includes('can read 1 documents')")
    office.browser.click("Create the key")
    return office.secret()


def test_the_light_of_a_new_key_shows_its_first_call_and_what_it_called(office: Office) -> None:
    key = created(office, CANARY)
    assert office.browser.run("return document.querySelector('dialog [role=status]').innerText").startswith(
        "no call yet"
    )
    assert office.search(key).status_code == 200
    office.browser.wait_for("return document.querySelector('dialog .notice.good')")
    shown = office.browser.run("return document.querySelector('dialog .notice.good').innerText")
    assert shown.startswith("first call")
    assert shown.endswith("with POST /v1/search as elif@acme.example")
    office.browser.click("Done")
    assert office.browser.is_unharmed


def test_a_key_is_edited_rotated_and_revoked_each_with_its_effect_first(office: Office) -> None:
    first = created(office, "desk")
    office.browser.click("Done")
    office.browser.click("Edit desk")
    office.type_into("Name", "reports")
    office.browser.click("Show the effect")
    office.browser.wait_for("return document.querySelector('dialog .effect')?.innerText.includes('name: reports')")
    office.browser.click("Change the key")
    office.browser.click("Rotate reports")
    office.browser.run("document.querySelector('dialog select').value = '0'")
    office.browser.click("Continue")
    office.browser.wait_for("return document.querySelector('dialog')?.innerText.includes('gets a new secret')")
    office.browser.click("Rotate")
    rotated = office.secret()
    assert (office.search(first).status_code, office.search(rotated).status_code) == (401, 200)
    office.browser.click("Done")
    office.browser.click("Revoke reports")
    office.browser.wait_for("return document.querySelector('dialog')?.innerText.includes('refuses its next call')")
    office.browser.click("Revoke")
    office.browser.wait_for("return document.querySelector('dialog') === null")
    assert office.search(rotated).status_code == 401
    assert office.keys()["reports"]["revoked"]
    assert office.browser.is_unharmed
