"""The picture of a ranking in Chromium: the same numbers as the explanation, and what the floor leaves out."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from typing import Any, Final

import httpx
import pytest

from tests.support.engines.chromium import Page
from tests.support.entry.command import Command

LEASE: Final = "The rent of the depot in Ostrov is 4,100 euros a month, and the landlord clears the snow."
QUESTION: Final = "What is the rent of the depot in Ostrov?"
FILES: Final = {
    "lease.md": f"# Lease\n\n{LEASE}\n",
    "lease copy.md": f"# Lease\n\n{LEASE}\n",
    "menu.md": "# Menu\n\nOn Fridays the canteen cooks lentil soup with bread.\n",
}
OPEN: Final = (
    "const part = document.querySelector('.person details.ranks'); part?.setAttribute('open', ''); return part"
)
NUMBERS: Final = "return [...document.querySelector('.person svg.ranking').querySelectorAll('.dot text')]"


@pytest.fixture(scope="module")
def answered(
    browser: Page, tmp_path_factory: pytest.TempPathFactory, serve: Callable[..., AbstractContextManager[str]]
) -> Iterator[tuple[Page, dict[str, Any]]]:
    """A page with the answer to the question, and the explanation of the same search without a floor."""
    home = tmp_path_factory.mktemp("ranking")
    command = Command(home, {})
    tenant = command.tenant("acme")
    for name, text in FILES.items():
        (home / name).write_text(text, encoding="utf-8")
        command.ingest(tenant, home / name, "--any-tag", "department:sales", "--copies", "--yes")
    rate = ("--rate", "10000", "--burst", "1000", "--yes")
    key = command.personal_key(tenant, "olga@acme.example", "--scope", "admin", "--may-search-as", *rate)
    body = {
        "phrases": [QUESTION],
        "as": {"user": None, "tags": ["department:sales"]},
        "explain": True,
        "min_relevance": 0,
    }
    with serve(home) as url:
        headers = {"authorization": f"Bearer {key}"}
        explained = httpx.post(f"{url}/v1/search", json=body, headers=headers, timeout=30).raise_for_status().json()
        browser.sign_in(url, key)
        browser.run(
            f"const field = document.querySelector('.question'); field.value = {QUESTION!r};field.form.requestSubmit();"
        )
        browser.wait_for("return document.querySelector('.person .passage')")
        browser.wait_for(OPEN)
        browser.wait_for("return document.querySelector('.person svg.ranking')")
        yield browser, explained


def test_the_picture_and_its_table_have_the_ranks_of_the_explanation(answered: tuple[Page, dict[str, Any]]) -> None:
    browser, explained = answered
    rows = browser.run(
        "return [...document.querySelectorAll('.person .ranks tbody tr')].map(row =>"
        " [...row.cells].map(cell => cell.textContent))"
    )
    expected = [
        [str(passage["why"]["phrases"][0][name] or "absent") for name in ("bm25_rank", "vector_rank")]
        + [str(passage["why"]["ranks"]["fused"]), f"{round(passage['relevance'] * 100)} %"]
        for passage in explained["passages"]
    ]

    count = len(expected)
    assert [row[1:] for row in rows[:count]] == expected
    assert rows[0][0].startswith("1. lease")
    # Words, meaning, fused and the answer have one circle for each passage.
    dots = browser.run(f"{NUMBERS}.map(each => each.textContent)")
    assert sorted(dots[: 4 * count]) == sorted(str(number + 1) for number in range(count) for _ in range(4))
    assert browser.failures == []


def test_a_passage_below_the_floor_is_in_the_picture_and_not_in_the_answer(
    answered: tuple[Page, dict[str, Any]],
) -> None:
    browser, _ = answered
    assert "menu.md" not in browser.run("return document.querySelector('.person .passage').innerText")
    row = browser.run(
        "return [...document.querySelectorAll('.person .ranks tr')].find(each => each.textContent.includes('menu.md'))"
        ".textContent"
    )
    assert "below the floor" in row
    assert browser.run("return document.querySelectorAll('.person .dot.below').length") > 0


def test_a_near_duplicate_is_named_by_its_file(answered: tuple[Page, dict[str, Any]]) -> None:
    browser, explained = answered
    [name] = explained["passages"][0]["also_in_files"]
    assert {name, explained["passages"][0]["source_file_name"]} == {"lease.md", "lease copy.md"}
    shown = browser.run("return document.querySelector('.person .passage').innerText")
    assert f"Also in {name}" in shown
