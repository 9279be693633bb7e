"""Links in the text of an answer: what a model is fed alone leads to each source, for those who may read it."""

import re
from urllib.parse import urlsplit

import pytest

from groundwire.services.documents.browse.cited_passage import passage_digits
from groundwire.services.documents.links.source_links import opening_note
from tests.support.clients.handshake_client import client
from tests.support.clients.tokens import count_tokens
from tests.support.isolation.policies import for_users
from tests.support.worlds.world import World

LEDGERS = [f"doc_{number:016x}" for number in range(1, 6)]
NOTE = re.compile(r"^Open: (\S*/o/) \+ the code after a source \+ \?p= \+ a passage's id\.$", re.MULTILINE)
SOURCE = re.compile(r"^\[([0-9,]+)\] ledger-[0-9]\.txt ([0-9A-Za-z_-]{22})$", re.MULTILINE)
PASSAGE = re.compile(r"^\[[0-9]+\] ([0-9a-f]{6}\.[0-9a-f]{6})", re.MULTILINE)
HOSTS = (
    "http://127.0.0.1:8080",
    "https://kb.example",
    "https://a1b2c3d4e5.execute-api.eu-central-1.amazonaws.com",
    "https://knowledge-base.internal.some-company.example.com:8443",
)
MAX_NOTE_TOKENS = 40
"""Tokens of the note for the longest of these hosts, of which its name has 20."""
MAX_CODE_TOKENS = 15


@pytest.fixture
def tenant(world: World) -> str:
    made = world.tenant("amber")
    for number, doc_id in enumerate(LEDGERS):
        path = f"/nowhere/ledger-{number}.txt"
        world.ingest(made, f"The ledger of year {number}.", for_users("ana"), path=path, doc_id=doc_id)
    return made


def fed(world: World, tenant: str, user: str) -> str:
    return client(world, tenant, user).tool("rag_search", search_phrases=["ledger"])["content"][0]["text"]


def test_each_source_of_the_text_opens_for_its_reader_and_is_listed_once(world: World, tenant: str) -> None:
    text = fed(world, tenant, "ana")
    [start] = NOTE.findall(text)
    assert start == f"{world.services.settings.public_url}/o/"
    sources, passages = SOURCE.findall(text), PASSAGE.findall(text)
    assert len(sources) == len({code for _, code in sources}) == len(LEDGERS)
    opened = [world.open(f"{start}{code}?p={passages[0]}") for _, code in sources]
    assert [answer.status for answer in opened] == [200] * len(LEDGERS)
    assert text.index("Open: ") < text.index("\n=")


def test_another_persons_answer_has_no_source_and_no_note(world: World, tenant: str) -> None:
    text = fed(world, tenant, "ben")
    assert "Open:" not in text
    assert SOURCE.findall(text) == []


def test_the_links_of_an_answer_cost_few_tokens(world: World, tenant: str) -> None:
    text = fed(world, tenant, "ana")
    bare = SOURCE.sub(lambda match: match[0].rpartition(" ")[0], NOTE.sub("", text))
    [note] = [line for line in text.splitlines() if line.startswith("Open:")]
    spent = count_tokens(text) - count_tokens(bare) - count_tokens(note)
    # A code has 14 tokens on average, and 18 at most; five of them vary by a few.
    assert spent <= (MAX_CODE_TOKENS + 1) * len(LEDGERS)


@pytest.mark.parametrize("host", HOSTS)
def test_the_note_costs_few_tokens_whatever_the_host(host: str) -> None:
    assert count_tokens(opening_note(host)) <= MAX_NOTE_TOKENS
    assert count_tokens(opening_note(host)) - count_tokens(host) <= 20


@pytest.mark.parametrize(("form", "start"), [("full", "http://127.0.0.1:8080/o/"), ("relative", "/o/"), ("none", None)])
def test_a_setting_shortens_the_note_or_leaves_the_links_out(
    world: World, tenant: str, form: str, start: str | None
) -> None:
    object.__setattr__(world.services.settings, "links", form)
    text = fed(world, tenant, "ana")
    assert NOTE.findall(text) == ([] if start is None else [start])
    assert len(SOURCE.findall(text)) == (0 if start is None else len(LEDGERS))


def test_the_structured_answer_has_whole_links_whatever_the_setting(world: World, tenant: str) -> None:
    object.__setattr__(world.services.settings, "links", "none")
    found = client(world, tenant, "ana").tool("rag_search", search_phrases=["ledger"])["structuredContent"]["sources"]
    assert {urlsplit(each["url"]).path[:3] for each in found} == {"/o/"}


@pytest.mark.parametrize(
    ("text", "digits"),
    [("fb608d", "fb608d"), ("9d63d1.fb608d", "fb608d"), ("handbook.v2.fb608d", "fb608d"), ("", None), ("x", None)],
)
def test_a_passage_is_named_by_its_digits_or_by_its_id(text: str, digits: str | None) -> None:
    assert passage_digits(text) == digits
