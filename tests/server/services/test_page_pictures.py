"""The page of a source has the picture of the passage's page, for whoever may open the original at that moment."""

import json
import re
from base64 import b64decode
from collections.abc import Callable, Iterator
from typing import Final
from urllib.parse import urlsplit

import pytest

from groundwire.adapters.parse.confined_parser import ConfinedParser, DrawersInTurn
from groundwire.domain.access.decision import Decision
from groundwire.domain.access.policy import NO_READERS
from groundwire.domain.access.user_blocks import UserBlock
from groundwire.domain.errors import DocumentRefused, ParserBusy
from groundwire.services.documents.images.page_pictures import KEY_PREFIX
from groundwire_readers import ParserLimits
from groundwire_readers.contents.parsed import PAGE_PARTS, PagePicture, WordBox
from tests.server.services.test_opened_links import CHROMIUM, Page, headers
from tests.support.documents.pdf import pdf
from tests.support.documents.png_file import png_file
from tests.support.isolation.policies import for_users
from tests.support.worlds.exchange import exchange, forget
from tests.support.worlds.world import Answer, World, caller

FILLING: Final = "This sentence about the history of the company fills the page with words. " * 3
LINES: Final = ["The ledger of the office pays", "bonuses to every employee."]
FILE: Final = pdf(
    [
        [(16, "Introduction"), *[(10, FILLING[:70])] * 12],
        [(16, "Bonuses"), *[(10, line) for line in LINES], (16, "Holidays"), *[(10, FILLING[:70])] * 12],
    ]
)


class Drawn:
    """Implements `ports.ingestion.PageDrawers`: counts what another one draws.

    Attributes:
        before: what happens while a page is drawn.
    """

    def __init__(self) -> None:
        self.pages: list[int] = []
        self.before: Callable[[], object] = list
        self._parser = ConfinedParser(ParserLimits())

    def for_tenant(self, _tenant: str) -> "Drawn":
        return self

    def draw_page(self, content: bytes, page: int) -> PagePicture:
        self.pages.append(page)
        self.before()
        return self._parser.draw_page(content, page)

    def close(self) -> None:
        self._parser.close()


@pytest.fixture
def drawn(world: World) -> Iterator[Drawn]:
    """What draws pages in the world, which reads real PDF files."""
    drawn = Drawn()
    exchange(world.services, page_drawers=drawn)
    forget(world.services, "parser")
    yield drawn
    drawn.close()


@pytest.fixture
def tenant(world: World) -> str:
    return world.tenant("amber")


def put(world: World, tenant: str, content: bytes = FILE) -> None:
    world.ingest(tenant, content, for_users("ana"), path="/nowhere/ledger.pdf", doc_id="ledger")


def cited(world: World, tenant: str, *, no_originals: bool = False) -> str:
    """The link of the passage about bonuses."""
    put(world, tenant)
    key = world.acting_key(tenant, no_originals=no_originals)
    segments = world.search(caller(key, "ana"), "bonuses").segments
    return next(each["source_url"] for each in segments if "bonuses" in each["raw_text"])


def pictured(world: World, link: str, **sent: str) -> Answer:
    parts = urlsplit(link)
    return world.request("GET", f"{parts.path}?{parts.query}&as=picture", {"accept": "image/*,*/*;q=0.8", **sent}, b"")


def lines(world: World) -> list[dict[str, object]]:
    [log] = world.services.settings.home.rglob("audit*.jsonl")
    found = [json.loads(line) for line in log.read_text().splitlines()]
    return [line for line in found if line.get("route") in {"/o", "/open"}]


def stored_pictures(world: World) -> list[str]:
    return [path.name for path in world.services.settings.home.rglob(f"{KEY_PREFIX[:-1]}*")]


def test_the_page_of_a_passage_shows_its_picture_with_the_passage_marked(
    world: World, tenant: str, drawn: Drawn
) -> None:
    link = cited(world, tenant)
    parts = urlsplit(link)
    answer = world.request("GET", f"{parts.path}?{parts.query}&as=passage&n=1", {"accept": CHROMIUM}, b"")
    page = Page(answer.response.body.decode())
    attributes = dict(page.attributes)
    assert "bonuses to every employee" in str(attributes["alt"])
    assert "img-src 'self'" in headers(answer)["content-security-policy"]
    assert drawn.pages == []
    picture = world.request("GET", f"{parts.path}{attributes['src']}", {}, b"")
    sent = headers(picture)
    assert (picture.status, sent["content-type"]) == (200, "image/svg+xml")
    assert (sent["cache-control"], sent["x-content-type-options"]) == ("private, no-store", "nosniff")
    assert sent["content-security-policy"].startswith("default-src 'none'; img-src data:;")
    assert drawn.pages == [2]
    svg = picture.response.body.decode()
    assert "bonuses" not in svg
    tops = sorted(float(top) for top in re.findall(r'<rect x="[0-9.]+" y="([0-9.]+)"', svg))
    height = float(svg.partition('height="')[2].partition('"')[0])
    # The heading and the two lines below it; the page goes on with other text.
    assert len(tops) in {2, 3}
    assert all(top < height / 4 for top in tops)
    assert b64decode(svg.partition("base64,")[2].partition('"')[0]).startswith(b"\x89PNG")
    assert [(line["outcome"], line["documents"]) for line in lines(world)] == [
        ("shown", ["ledger@1"]),
        ("pictured", ["ledger@1"]),
    ]


def test_a_passage_over_two_pages_shows_both_and_no_other_page(world: World, tenant: str, drawn: Drawn) -> None:
    file = pdf([[(12, "The ledger pays bonuses to")], [(12, "every employee in spring.")], [(20, "Holidays")]])
    put(world, tenant, file)
    segments = world.search(caller(world.acting_key(tenant), "ana"), "bonuses").segments
    parts = urlsplit(segments[0]["source_url"])
    answer = world.request("GET", f"{parts.path}?{parts.query}&as=passage&n=1", {"accept": CHROMIUM}, b"")
    page = Page(answer.response.body.decode())
    sources = [str(value) for name, value in page.attributes if name == "src"]
    marks = [world.request("GET", f"{parts.path}{each}", {}, b"").response.body.count(b"<rect") for each in sources]
    assert marks[:2] == [1, 1]
    assert drawn.pages[:2] == [1, 2]
    for other in ("4", "0", "-1", "1.0", "9" * 20):
        link = f"{parts.path}?{parts.query}&page={other}"
        assert pictured(world, link).status == (404 if other == "4" else 200), other
    assert set(drawn.pages) <= {1, 2, 3}


def test_a_page_is_drawn_once_for_every_passage_and_reader(world: World, tenant: str, drawn: Drawn) -> None:
    link = cited(world, tenant)
    first, second = pictured(world, link), pictured(world, cited(world, tenant))
    assert (first.status, first.response.body == second.response.body) == (200, True)
    assert drawn.pages == [2]


@pytest.mark.parametrize("form", ["HEAD", "preview"])
def test_what_checks_links_draws_nothing(world: World, tenant: str, drawn: Drawn, form: str) -> None:
    parts = urlsplit(cited(world, tenant))
    agent = {"user-agent": "Slackbot-LinkExpanding 1.0"} if form == "preview" else {}
    answer = world.request("GET" if agent else "HEAD", f"{parts.path}?{parts.query}&as=picture", agent, b"")
    assert (answer.status, headers(answer)["content-type"]) == (200, "text/html; charset=utf-8")
    assert (drawn.pages, lines(world)[-1]["outcome"]) == ([], "preview")


def close_by_policy(world: World, tenant: str) -> None:
    world.services.administration.document_admin.override_policy(tenant, "ledger", NO_READERS)


def close_by_deletion(world: World, tenant: str) -> None:
    world.services.administration.document_admin.delete(tenant, "ledger")


def close_by_collection(world: World, tenant: str) -> None:
    world.services.administration.collection_admin.set(tenant, "default", None, None, no_originals=True)


def close_by_block(world: World, tenant: str) -> None:
    world.services.stores.users.block(tenant, UserBlock("ana", Decision("olga", 0.0, "", "")))


def close_by_revocation(world: World, tenant: str) -> None:
    for each in world.services.stores.keys.all(tenant):
        world.services.administration.key_admin.revoke(tenant, each.kid)


CLOSED_BY: Final = (close_by_policy, close_by_deletion, close_by_collection, close_by_block, close_by_revocation)


@pytest.mark.parametrize("close", CLOSED_BY)
@pytest.mark.parametrize("is_kept", [True, False])
def test_a_picture_is_for_whoever_may_open_the_original_at_that_moment(
    world: World, tenant: str, drawn: Drawn, close: Callable[[World, str], None], *, is_kept: bool
) -> None:
    link = cited(world, tenant)
    missing = pictured(world, "/o/forged").bytes
    if is_kept:
        assert pictured(world, link).status == 200
    close(world, tenant)
    assert pictured(world, link).bytes == missing
    assert len(drawn.pages) == is_kept
    assert lines(world)[-1]["outcome"] == "refused"


def test_a_key_without_originals_gets_no_picture(world: World, tenant: str, drawn: Drawn) -> None:
    link = cited(world, tenant, no_originals=True)
    assert pictured(world, link).bytes == pictured(world, "/o/forged").bytes
    assert drawn.pages == []


def replaced(world: World, tenant: str) -> None:
    put(world, tenant, FILE.replace(b"history", b"mystery"))


def test_a_new_version_and_a_deletion_remove_the_pictures(world: World, tenant: str, drawn: Drawn) -> None:
    link = cited(world, tenant)
    assert pictured(world, link).status == 200
    assert len(stored_pictures(world)) == 2
    replaced(world, tenant)
    assert stored_pictures(world) == []
    assert pictured(world, link).status == 200
    assert drawn.pages == [2, 2]
    world.services.administration.document_admin.delete(tenant, "ledger")
    assert stored_pictures(world) == []


def test_a_deleted_tenant_has_no_pictures(world: World, tenant: str, drawn: Drawn) -> None:
    assert pictured(world, cited(world, tenant)).status == 200
    assert (drawn.pages, len(stored_pictures(world))) == ([2], 2)
    world.services.administration.tenant_admin.delete(tenant)
    assert stored_pictures(world) == []


@pytest.mark.parametrize("change", [close_by_deletion, replaced])
def test_a_page_that_is_drawn_during_a_deletion_or_a_replacement_leaves_nothing(
    world: World, tenant: str, drawn: Drawn, change: Callable[[World, str], None]
) -> None:
    link = cited(world, tenant)
    drawn.before = lambda: change(world, tenant)
    assert pictured(world, link).bytes == pictured(world, "/o/forged").bytes
    assert stored_pictures(world) == []


def test_a_page_that_cannot_be_drawn_is_not_there_and_the_page_of_the_source_is(
    world: World, tenant: str, drawn: Drawn
) -> None:
    def damage() -> None:
        raise DocumentRefused("the page cannot be drawn")

    link = cited(world, tenant)
    drawn.before = damage
    assert pictured(world, link).bytes == pictured(world, "/o/forged").bytes
    assert stored_pictures(world) == []
    parts = urlsplit(link)
    page = world.request("GET", f"{parts.path}?{parts.query}&as=passage&n=1", {"accept": CHROMIUM}, b"")
    assert b"<mark>" in page.bytes


def test_a_picture_for_which_others_wait_is_tried_again_later(world: World, tenant: str, drawn: Drawn) -> None:
    def fill() -> None:
        raise ParserBusy("Other pages are drawn.", retry_after_s=10)

    link = cited(world, tenant)
    drawn.before = fill
    answer = pictured(world, link)
    assert (answer.status, headers(answer)["retry-after"]) == (503, "10")
    assert b"Other pages" not in answer.bytes


@pytest.mark.parametrize("query", ["as=picture", "p=&as=picture", "p=ffffff&as=picture", "p=..%2F&as=picture"])
def test_what_names_no_passage_of_the_document_has_no_picture(
    world: World, tenant: str, drawn: Drawn, query: str
) -> None:
    parts = urlsplit(cited(world, tenant))
    assert world.request("GET", f"{parts.path}?{query}", {}, b"").status == 404
    assert drawn.pages == []


def test_another_format_has_no_picture(world: World, tenant: str, drawn: Drawn) -> None:
    world.ingest(tenant, "The ledger pays bonuses.", for_users("ana"), path="/nowhere/ledger.md", doc_id="ledger")
    [segment] = world.search(caller(world.acting_key(tenant), "ana"), "bonuses").segments
    link = segment["source_url"]
    assert (pictured(world, link).status, drawn.pages) == (404, [])
    parts = urlsplit(link)
    page = world.request("GET", f"{parts.path}?{parts.query}&as=passage&n=1", {"accept": CHROMIUM}, b"").bytes
    assert b"<img" not in page


def test_whoever_waits_too_long_for_other_pages_is_refused_and_the_others_go_on() -> None:
    picture = PagePicture(png_file(), "image/png", 64, 56, (WordBox("word", 0, 0, PAGE_PARTS, 1),))

    class Waiting(ConfinedParser):
        def draw_page(self, content: bytes, page: int) -> PagePicture:
            if content:
                with pytest.raises(ParserBusy):
                    drawers.draw_page(b"", page)
            return picture

    drawers = DrawersInTurn(Waiting(ParserLimits()), wait_seconds=0)
    assert drawers.draw_page(b"x", 1) == picture
    assert drawers.draw_page(b"", 1) == picture
