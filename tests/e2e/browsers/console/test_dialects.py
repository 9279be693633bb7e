"""The answer of a dialect on the page in Chromium: by the rights of the person, and with no markup of a text."""

import json
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from typing import Final

import pytest

from tests.support.engines.chromium import Page
from tests.support.entry.command import Command

CANARY: Final = '<img src=x onerror="window.canary=1">'
SALES: Final = "The Sandpiper 400 costs 3,900 euros."
BOARD: Final = "The Sandpiper 400 is sold at a loss of 200 euros."
NAMES: Final = ("default", "openai", "mindset", "azure", "foundry", "opensearch", "vertex")


@pytest.fixture(scope="module")
def signed_in(
    browser: Page, tmp_path_factory: pytest.TempPathFactory, serve: Callable[..., AbstractContextManager[str]]
) -> Iterator[Page]:
    """A page on which a person of sales is signed in, with the part of dialects open."""
    home = tmp_path_factory.mktemp("dialects")
    command = Command(home, {})
    tenant = command.tenant("acme")
    for tag, text in (("sales", SALES), ("board", BOARD)):
        (home / f"{tag}.txt").write_text(f"{text} {CANARY}\n", encoding="utf-8")
        command.ingest(tenant, home / f"{tag}.txt", "--any-tag", f"department:{tag}", "--yes")
    rate = ("--rate", "10000", "--burst", "1000", "--yes")
    key = command.personal_key(tenant, "elif@acme.example", "--tag", "department:sales", *rate)
    with serve(home) as url:
        browser.sign_in(url, key)
        browser.run("document.querySelector('.question').value = 'What does the Sandpiper 400 cost?'")
        browser.run("document.querySelector('.dialects summary').click()")
        yield browser


@pytest.mark.parametrize("name", NAMES)
def test_a_dialect_answers_with_what_the_person_may_read_and_nothing_else(signed_in: Page, name: str) -> None:
    signed_in.run(f"document.querySelector('.dialects select').value = {json.dumps(name)}")
    signed_in.click("Ask over it")
    signed_in.wait_for("return document.querySelector('.json') && !document.querySelector('.busy-line')")
    request, answer = signed_in.run("return [...document.querySelectorAll('.json')].map(each => each.textContent)")
    assert "Sandpiper 400 cost" in request
    assert SALES in answer
    assert BOARD not in answer
    assert "Answer: status 200" in signed_in.run("return document.querySelector('.dialects').innerText")
    assert signed_in.is_unharmed


def test_the_panel_has_the_command_and_the_line_of_a_client_the_curl_call(signed_in: Page) -> None:
    signed_in.run("document.querySelector('.dialects select').value = 'opensearch'")
    signed_in.click("Ask over it")
    signed_in.wait_for("return document.querySelector('.dialects .code-line')?.innerText.includes('/_search')")
    line = signed_in.run("return document.querySelector('.dialects .code-line code').textContent")
    assert line.startswith("curl -s -X POST http://127.0.0.1:")
    assert "$KEY" in line
    [command, curl] = signed_in.run(
        "return [...document.querySelectorAll('.equivalents code')].map(each => each.textContent)"
    )
    assert command.startswith("groundwire replay 'What does the Sandpiper 400 cost?'")
    assert "/v1/search/dialects" in curl
