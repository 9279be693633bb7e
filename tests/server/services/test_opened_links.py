"""A browser that opens a link gets the original, shown or saved, or a page that explains what to do."""

from html.parser import HTMLParser
from typing import Final

import pytest

from groundwire.entry.rest import REFUSED_MESSAGE
from tests.support.isolation.policies import PUBLIC, for_users
from tests.support.worlds.world import Answer, World, caller

CHROMIUM: Final = "text/html,application/xhtml+xml,application/xml;q=0.9,image/webp,*/*;q=0.8"
TEXT: Final = "text/plain; charset=utf-8"
SHOWN: Final = {
    "pdf": "application/pdf",
    **dict.fromkeys(("txt", "text", "md", "markdown"), TEXT),
    "png": "image/png",
    **dict.fromkeys(("jpg", "jpeg"), "image/jpeg"),
    "webp": "image/webp",
}
SAVED: Final = ("svg", "html", "htm", "xhtml", "xml", "js", "docx", "xlsx", "csv", "json", "eml", "gif", "pdf.html")
HOSTILE: Final = b"<!doctype html><script>document.title = 'run'</script>"


def headers(answer: Answer) -> dict[str, str]:
    return {name.lower(): value for name, value in answer.response.headers}


def opened(world: World, file_name: str) -> Answer:
    tenant = world.tenant("amber")
    world.ingest(tenant, HOSTILE, PUBLIC, path=f"/nowhere/{file_name}", doc_id="it")
    [segment] = world.search(caller(world.acting_key(tenant), "ana"), "document").segments
    return world.open(segment["source_url"])


@pytest.mark.parametrize("extension", SHOWN)
def test_a_type_that_runs_nothing_is_shown_as_its_record_states_whatever_the_bytes_are(
    world: World, extension: str
) -> None:
    answer = opened(world, f"a.{extension.upper()}")
    sent = headers(answer)
    assert (answer.status, answer.response.body) == (200, HOSTILE)
    assert (sent["content-type"], sent["x-content-type-options"]) == (SHOWN[extension], "nosniff")
    assert sent["content-disposition"].startswith(f'inline; filename="a.{extension.upper()}"')
    assert "default-src 'none'" in sent["content-security-policy"]
    assert ("sandbox" in sent["content-security-policy"]) == (extension != "pdf")


@pytest.mark.parametrize("extension", SAVED)
def test_any_other_type_is_a_download(world: World, extension: str) -> None:
    sent = headers(opened(world, f"a.{extension}"))
    assert sent["content-type"] == "application/octet-stream"
    assert sent["content-disposition"] == f"attachment; filename=\"a.{extension}\"; filename*=UTF-8''a.{extension}"
    assert sent["content-security-policy"] == "default-src 'none'; frame-ancestors 'none'; sandbox"


@pytest.mark.parametrize("extension", ["pdf", "txt", "html"])
def test_an_original_is_for_one_person_and_its_link_goes_to_no_other_site(world: World, extension: str) -> None:
    sent = headers(opened(world, f"a.{extension}"))
    assert sent["cache-control"] == "private, no-store"
    assert sent["referrer-policy"] == "no-referrer"
    assert sent["cross-origin-resource-policy"] == "same-origin"


@pytest.mark.parametrize(
    ("name", "plain", "extended"),
    [
        ("Größe 100%.txt", "Gr__e 100_.txt", "Gr%C3%B6%C3%9Fe%20100%25.txt"),
        ('a"; filename="b.exe.txt', "a_; filename=_b.exe.txt", "a%22%3B%20filename%3D%22b.exe.txt"),
        ("a\\b.txt", "a_b.txt", "a%5Cb.txt"),
        ("報告.txt", "__.txt", "%E5%A0%B1%E5%91%8A.txt"),
    ],
)
def test_a_file_name_is_sent_in_both_forms_and_ends_no_header(
    world: World, name: str, plain: str, extended: str
) -> None:
    disposition = headers(opened(world, name))["content-disposition"]
    assert disposition == f"inline; filename=\"{plain}\"; filename*=UTF-8''{extended}"


class Page(HTMLParser):
    """Tags, attributes and texts of a page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []
        self.texts: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += attrs

    def handle_data(self, data: str) -> None:
        self.texts.append(data)


def refused_links(world: World) -> dict[str, str]:
    """Links that open nothing, each for another reason."""
    tenant = world.tenant("amber")
    links: dict[str, str] = {"of nothing": "/open/garbage"}
    keys = {name: world.acting_key(tenant) for name in ("forbidden", "deleted", "of a revoked key")}
    for name, key in keys.items():
        doc_id = name.replace(" ", "-")
        world.ingest(tenant, f"The {name} zebra.", for_users("ana"), path=f"/nowhere/{doc_id}.txt", doc_id=doc_id)
        segments = world.search(caller(key, "ana"), name).segments
        [links[name]] = [each["source_url"] for each in segments if each["source_file_name"] == f"{doc_id}.txt"]
    world.services.administration.document_admin.override_policy(tenant, "forbidden", for_users("ben"))
    world.services.administration.document_admin.delete(tenant, "deleted")
    world.services.administration.key_admin.revoke(tenant, keys["of a revoked key"].key.kid)
    return links


def followed(world: World, link: str, accept: str | None) -> Answer:
    path = link[link.index("/o") :]
    return world.request("GET", path, {} if accept is None else {"accept": accept}, b"")


def test_a_dead_link_answers_a_person_with_one_page_whatever_the_reason(world: World) -> None:
    answers = [followed(world, link, CHROMIUM) for link in refused_links(world).values()]
    assert {answer.status for answer in answers} == {404}
    assert len({answer.bytes for answer in answers}) == 1
    sent = headers(answers[0])
    assert (sent["content-type"], sent["cache-control"]) == ("text/html; charset=utf-8", "private, no-store")
    assert sent["vary"] == "accept"


def test_the_page_states_what_to_do_and_loads_and_runs_nothing(world: World) -> None:
    answer = followed(world, "/open/garbage", CHROMIUM)
    page = Page(answer.response.body.decode())
    assert {"main", "h1", "title"} <= set(page.tags)
    assert ("lang", "en") in page.attributes
    assert "new link" in " ".join(page.texts)
    assert {"script", "link", "img", "iframe", "form"}.isdisjoint(page.tags)
    assert {"src", "href", "style"}.isdisjoint(name for name, _ in page.attributes)
    policy = headers(answer)["content-security-policy"]
    assert policy.startswith("default-src 'none'; style-src 'sha256-")
    assert "unsafe" not in policy


@pytest.mark.parametrize("accept", [None, "*/*", "application/json", "text/plain"])
def test_an_invalid_link_answers_a_program_with_one_sentence(world: World, accept: str | None) -> None:
    for link in refused_links(world).values():
        answer = followed(world, link, accept)
        assert (answer.status, answer.response.body.decode()) == (404, REFUSED_MESSAGE)
        assert headers(answer)["content-type"] == TEXT
