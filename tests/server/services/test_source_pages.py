"""A browser that opens a link gets the facts of the source, then the cited passage, and the original where it may."""

import json
from collections.abc import Callable, Sequence
from typing import Final
from urllib.parse import urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire.adapters.local.index.index import EmbeddedIndex
from groundwire.domain.access.decision import Decision
from groundwire.domain.access.policy import NO_READERS, Policy
from groundwire.domain.documents.changes.ceiling import limiting
from groundwire.domain.documents.segment import Segment
from groundwire.domain.errors import Unavailable
from groundwire.entry.rest.links.link_responses import original_response
from groundwire.ports import DocumentVersion, Span
from groundwire.services.documents.links.link_opener import OriginalContent
from groundwire.services.documents.original_headers import OriginalHeaders
from tests.server.services.test_opened_links import CHROMIUM, Page, headers
from tests.support.isolation.policies import PUBLIC, for_users
from tests.support.worlds.exchange import exchange
from tests.support.worlds.world import Answer, World, caller

TEXT: Final = "The ledger grants leave.\n\nThe ledger pays <b>bonuses</b>.\n\nThe ledger lists pumps."
FORMATS: Final = ("pdf", "txt", "md", "html", "docx", "pptx", "xlsx", "eml", "json", "csv")


@pytest.fixture
def tenant(world: World) -> str:
    return world.tenant("amber")


def cited(world: World, tenant: str, extension: str = "pdf", *, no_originals: bool = False) -> str:
    """The link of the passage about bonuses."""
    world.ingest(tenant, TEXT, for_users("ana"), path=f"/nowhere/ledger.{extension}", doc_id="ledger")
    key = world.acting_key(tenant, no_originals=no_originals)
    return next(
        each["source_url"]
        for each in world.search(caller(key, "ana"), "bonuses").segments
        if "bonuses" in each["raw_text"]
    )


def opened(world: World, link: str, query: str = "", **sent: str) -> Answer:
    """The answer to a browser that opens the link, with this query instead of the link's own."""
    parts = urlsplit(link)
    sent = {"accept": CHROMIUM, **{name.replace("_", "-"): value for name, value in sent.items()}}
    return world.request("GET", f"{parts.path}?{query or parts.query}", sent, b"")


def shown(world: World, link: str, query: str = "", **sent: str) -> Answer:
    """The page with the passage, which a browser loads after the first page by itself."""
    return opened(world, link, f"{query or urlsplit(link).query}&as=passage&n=1", **sent)


def outcomes(world: World) -> list[str]:
    [log] = world.services.settings.home.rglob("audit*.jsonl")
    lines = [json.loads(line) for line in log.read_text().splitlines()]
    return [line["outcome"] for line in lines if line.get("route") in {"/o", "/open"}]


@pytest.mark.parametrize("extension", FORMATS)
def test_a_link_opens_a_page_with_the_passage_marked_among_its_neighbours_in_every_format(
    world: World, tenant: str, extension: str
) -> None:
    answer = shown(world, cited(world, tenant, extension))
    sent, page = headers(answer), answer.response.body.decode()
    assert (answer.status, sent["content-type"]) == (200, "text/html; charset=utf-8")
    assert (sent["cache-control"], sent["x-robots-tag"]) == ("private, no-store", "noindex")
    assert "refresh" not in sent
    marked = page.partition("<mark>")[2].partition("</mark>")[0]
    assert "bonuses" in marked
    assert "grants leave" in page
    assert "it names the person for whom this link was made" in page
    assert f"ledger.{extension}" in page
    assert "?as=original" in page
    assert outcomes(world) == ["shown"]


def test_the_first_page_needs_no_index_and_leads_to_the_passage_with_and_without_the_help_of_the_browser(
    world: World, tenant: str
) -> None:
    link = cited(world, tenant)
    exchange(world.services, indexes=None)
    answer = opened(world, link)
    page = Page(answer.response.body.decode())
    assert answer.status == 200
    assert "ledger.pdf" in page.texts
    query = f"{urlsplit(link).query}&as=passage&n=1"
    assert [value for name, value in page.attributes if name == "href"] == ["?as=original", f"?{query}"]
    assert headers(answer)["refresh"] == f"0; url=?{query}"
    assert outcomes(world) == ["page"]


@pytest.mark.parametrize("parameter", ["p=ffffff%0d%0ax-added:+1", "p=%22%3E%3Cb%3E", "p=FFFFFF", "p=1&p=2"])
def test_the_page_repeats_nothing_of_a_parameter_that_names_no_passage(
    world: World, tenant: str, parameter: str
) -> None:
    answer = opened(world, cited(world, tenant), parameter)
    assert headers(answer)["refresh"] == "0; url=?as=passage&n=1"
    assert "x-added" not in headers(answer)
    assert {"b"}.isdisjoint(Page(answer.response.body.decode()).tags)


def test_whoever_was_passed_a_link_reads_no_user_and_no_tag_in_its_pages(world: World, tenant: str) -> None:
    readers = Policy(
        public=False, users=frozenset({"ana"}), any_tags=frozenset({"unit:7", "unit:9"}), all_tags=frozenset()
    )
    world.ingest(tenant, "The zebra.", readers, path="/nowhere/zebra.txt", doc_id="zebra")
    key = world.acting_key(tenant)
    for who in (caller(key, "ana"), caller(key, "ben", frozenset({"unit:7", "unit:8"}))):
        [segment] = world.search(who, "zebra").segments
        for answer in (opened(world, segment["source_url"]), shown(world, segment["source_url"])):
            page = " ".join(Page(answer.response.body.decode()).texts)
            assert "the person for whom this link was made" in page
            for word in ("ana", "ben", "unit:"):
                assert word not in page


def test_the_page_runs_nothing_and_shows_markup_of_a_document_as_text(world: World, tenant: str) -> None:
    answer = shown(world, cited(world, tenant))
    page = Page(answer.response.body.decode())
    assert {"script", "link", "iframe", "form", "b"}.isdisjoint(page.tags)
    assert "style" not in {name for name, _ in page.attributes}
    # The picture of the page comes from the link itself.
    [source] = [value or "" for name, value in page.attributes if name == "src"]
    assert source.startswith("?p=")
    policy = headers(answer)["content-security-policy"]
    assert policy.startswith("default-src 'none'; style-src 'sha256-")
    # An origin of its own, and no source of scripts: `allow-scripts` alone lets browsers load the next page.
    assert "; sandbox allow-scripts " in policy
    assert {"script-src", "unsafe", "allow-same-origin"}.isdisjoint(policy.replace(";", "").split())
    assert "<b>bonuses</b>" in "".join(page.texts)


def test_the_page_of_a_pdf_leads_to_the_original_at_the_page_of_the_passage(world: World, tenant: str) -> None:
    link = cited(world, tenant)
    page = Page(shown(world, link).response.body.decode())
    [address] = [value for name, value in page.attributes if name == "href"]
    assert address == "?as=original#page=2"
    original = opened(world, link, "as=original")
    assert (original.status, headers(original)["content-type"]) == (200, "application/pdf")
    assert original.response.body == TEXT.encode()
    assert outcomes(world) == ["shown", "opened"]


@pytest.mark.parametrize("parameter", ["", "p=", "p=ffffff", "p=..%2F", "p=abc", "p=" + "f" * 99, "q=1"])
def test_a_passage_that_the_document_lacks_shows_its_beginning_and_marks_nothing(
    world: World, tenant: str, parameter: str
) -> None:
    page = shown(world, cited(world, tenant), parameter or "x").response.body.decode()
    assert "grants leave" in page
    assert "<mark>" not in page


def test_a_hidden_a_blocked_and_a_missing_source_get_the_same_page(world: World, tenant: str) -> None:
    link = cited(world, tenant)
    missing = opened(world, "/open/forged")
    world.services.administration.document_admin.override_policy(tenant, "ledger", NO_READERS)
    for query in ("", "as=original", "as=passage", "as=picture", "p=ffffff"):
        assert opened(world, link, query).bytes == missing.bytes
    world.services.administration.document_admin.delete(tenant, "ledger")
    assert opened(world, link).bytes == missing.bytes
    assert missing.status == 404


AGENTS: Final = (
    "Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)",
    "Mozilla/5.0 (Windows NT 6.1) SkypeUriPreview Preview/0.5",
    "facebookexternalhit/1.1",
    "Mozilla/5.0 (compatible; Discordbot/2.0; +https://discordapp.com)",
    "TelegramBot (like TwitterBot)",
    "WhatsApp/2.23.20.0",
    "Iframely/1.3.1 (+https://iframely.com/docs/about)",
    "Viber/15.0",
    "http.rb/5.1.0 (Mastodon/4.2.0; +https://social.example/)",
    "Rocket.Chat",
)
PEOPLE: Final = (
    "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0 Safari/537.36",
    "Mozilla/5.0 (Linux; Android 13; CUBOT P80) AppleWebKit/537.36 Mobile Safari/537.36",
    "",
)


@pytest.mark.parametrize("agent", AGENTS)
@pytest.mark.parametrize("query", ["", "as=original", "as=passage", "as=picture"])
@pytest.mark.parametrize("accept", [CHROMIUM, "*/*"])
def test_a_preview_gets_a_page_without_a_word_of_the_document(
    world: World, tenant: str, agent: str, query: str, accept: str
) -> None:
    answer = opened(world, cited(world, tenant), query, user_agent=agent, accept=accept)
    assert answer.status == 200
    for word in (b"ledger", b"bonuses", b"ana"):
        assert word not in answer.bytes
    assert outcomes(world) == ["preview"]


@pytest.mark.parametrize("agent", PEOPLE)
def test_a_browser_of_a_person_is_no_preview(world: World, tenant: str, agent: str) -> None:
    assert b"bonuses" in shown(world, cited(world, tenant), user_agent=agent).bytes


def test_a_sleeping_index_leaves_the_facts_and_a_page_that_loads_again_until_it_was_tried_often_enough(
    world: World, tenant: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def asleep(_index: EmbeddedIndex, _version: DocumentVersion, _start: str) -> Segment | None:
        raise Unavailable("https://index.invalid sleeps", 9)

    link = cited(world, tenant)
    monkeypatch.setattr(EmbeddedIndex, "find", asleep)
    query = f"{urlsplit(link).query}&as=passage&n="
    for attempt in range(1, 9):
        answer = opened(world, link, f"{query}{attempt}")
        page = answer.response.body.decode()
        assert (answer.status, headers(answer)["refresh"]) == (200, f"9; url=?{query}{attempt + 1}")
        assert "waking" in page
        assert "ledger.pdf" in page
        assert "?as=original" in page
        assert "index.invalid" not in page
    for attempt in ("9", "0", "x", ""):
        last = opened(world, link, f"{query}{attempt}")
        assert "refresh" not in headers(last)
        assert "Try again" in last.response.body.decode()


def withhold_by_key(world: World, tenant: str) -> str:
    return cited(world, tenant, no_originals=True)


def withhold_by_collection(world: World, tenant: str) -> str:
    link = cited(world, tenant)
    world.services.administration.collection_admin.set(tenant, "default", None, None, no_originals=True)
    return link


@pytest.mark.parametrize("withhold", [withhold_by_key, withhold_by_collection])
def test_a_withheld_original_is_refused_in_every_way_and_its_passage_is_shown(
    world: World, tenant: str, withhold: Callable[[World, str], str]
) -> None:
    link = withhold(world, tenant)
    page = shown(world, link).response.body
    assert b"bonuses" in page
    assert b"as=original" not in page
    assert b"<img" not in page
    refused = opened(world, "/open/forged").bytes
    assert opened(world, link, f"{urlsplit(link).query}&as=picture").bytes == refused
    for sent in ({}, {"range": "bytes=0-3"}):
        assert opened(world, link, "as=original", **sent).bytes == refused
        program = opened(world, link, accept="*/*", **sent)
        assert (program.status, headers(program)["content-type"]) == (200, "text/html; charset=utf-8")
        assert TEXT.encode() not in program.bytes


def test_a_collection_gives_originals_again(world: World, tenant: str) -> None:
    link = withhold_by_collection(world, tenant)
    world.services.administration.collection_admin.set(tenant, "default", None, None, no_originals=False)
    assert opened(world, link, "as=original").status == 200


def test_a_reader_of_a_public_document_sees_why(world: World, tenant: str) -> None:
    world.ingest(tenant, "The zebra.", PUBLIC, path="/nowhere/zebra.txt", doc_id="zebra")
    [segment] = world.search(caller(world.acting_key(tenant), "ben"), "zebra").segments
    assert b"everybody in the organisation may read it" in shown(world, segment["source_url"]).bytes


def test_a_reader_of_a_document_that_somebody_limited_sees_that_not_everybody_may_read_it(
    world: World, tenant: str
) -> None:
    world.ingest(tenant, "The zebra.", PUBLIC, path="/nowhere/zebra.txt", doc_id="zebra")
    admin = world.services.administration.document_admin
    admin.decide_readers_if(tenant, "zebra", limiting(for_users("ben")), Decision("olga", 0.0, "", ""))
    [segment] = world.search(caller(world.acting_key(tenant), "ben"), "zebra").segments
    page = shown(world, segment["source_url"]).bytes
    assert b"everybody" not in page
    assert b"somebody limited it" in page


def no_passage(_index: EmbeddedIndex, _version: DocumentVersion, _start: str) -> None:
    """Return None: the index lacks the version."""


def no_passages(_index: EmbeddedIndex, spans: Sequence[Span]) -> list[list[Segment]]:
    return [[] for _ in spans]


def test_an_index_that_does_not_show_a_new_version_yet_loads_again_and_does_not_call_it_empty(
    world: World, tenant: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    link = cited(world, tenant)
    monkeypatch.setattr(EmbeddedIndex, "find", no_passage)
    monkeypatch.setattr(EmbeddedIndex, "read_spans", no_passages)
    answer = shown(world, link)
    assert headers(answer)["refresh"].startswith("5; ")
    assert b"has no text" not in answer.bytes


def test_a_part_of_an_original_is_sent_to_a_viewer_that_asks_for_it(world: World, tenant: str) -> None:
    link = cited(world, tenant)
    part = opened(world, link, "as=original", range="bytes=4-9")
    assert (part.status, part.response.body) == (206, b"ledger")
    assert headers(part)["content-range"] == f"bytes 4-9/{len(TEXT)}"
    assert headers(opened(world, link, "as=original"))["accept-ranges"] == "bytes"
    beyond = opened(world, link, "as=original", range="bytes=9999-")
    assert (beyond.status, headers(beyond)["content-range"]) == (416, f"bytes */{len(TEXT)}")


@given(
    content=st.binary(max_size=20),
    first=st.none() | st.integers(0, 30),
    last=st.none() | st.integers(0, 30),
)
def test_any_range_gives_the_bytes_that_it_names_or_the_whole(
    content: bytes, first: int | None, last: int | None
) -> None:
    wanted = f"bytes={'' if first is None else first}-{'' if last is None else last}"
    answer = original_response(OriginalContent(content, OriginalHeaders("text/plain", "inline")), wanted)
    if first is None and last is None:
        assert (answer.status, answer.body) == (200, content)
        return
    start = max(0, len(content) - (last or 0)) if first is None else first
    expected = content[start:] if first is None or last is None else content[start : last + 1]
    assert (answer.status, answer.body) == ((206, expected) if expected else (416, b""))


@given(st.text(max_size=30).filter(lambda text: not text.strip().lower().startswith("bytes=")))
def test_a_range_of_another_form_gives_the_whole(text: str) -> None:
    answer = original_response(OriginalContent(b"abc", OriginalHeaders("text/plain", "inline")), text)
    assert (answer.status, answer.body) == (200, b"abc")
