"""Pages of opened links in Chromium: that of the source, an original, or what to do when the link is dead."""

import base64
from collections.abc import Generator, Iterator
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Final
from urllib.parse import parse_qs, urlsplit

import boto3
import pytest

from groundwire import wiring
from groundwire.adapters.aws.clients import S3_CONFIG
from groundwire.adapters.aws.s3.blobs import S3Blobs
from groundwire.adapters.aws.s3.bucket import Bucket
from groundwire.domain.access.policy import Principal
from groundwire.domain.keys.caller import Caller
from groundwire.domain.keys.grants import TagSource
from groundwire.domain.keys.tenant import Tenant
from groundwire.entry.local_server.background_server import run_in_background
from groundwire.services.documents.links.source_links import passage_url
from groundwire.wiring.local.services import LocalServices
from tests.support.documents.pdf import assembled, pdf
from tests.support.engines.chromium import Page, page
from tests.support.engines.installers.chromium import chromium
from tests.support.engines.missing import Absent, answer
from tests.support.isolation.policies import for_users
from tests.support.registry.records import ACT_AS_KEY, MARIAS_DOCUMENT
from tests.support.worlds.exchange import exchange, forget
from tests.support.worlds.world import World, caller, open_world

TEMPLATE: Final = Path(__file__).parents[4] / "template.yaml"
KEY: Final = replace(ACT_AS_KEY, tenant="t_1")
MARIA: Final = Principal("t_1", "maria", frozenset[str]())
HOSTILE: Final = b"<!doctype html><title>mine</title><script>document.title = 'run'</script>"
PNG: Final = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)
BLUE, RED, GREEN = (0, 0, 255), (255, 0, 0), (0, 255, 0)


def coloured_pdf() -> bytes:
    """Three pages: blue, red, green."""
    objects = [b"<< /Type /Catalog /Pages 2 0 R >>", b"<< /Type /Pages /Count 3 /Kids [3 0 R 5 0 R 7 0 R] >>"]
    for number, colour in enumerate((b"0 0 1 rg", b"1 0 0 rg", b"0 1 0 rg")):
        stream = colour + b" 0 0 612 792 re f"
        objects.append(
            b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Resources << >> /Contents %d 0 R >>"
            % (4 + 2 * number)
        )
        objects.append(b"<< /Length %d >>\nstream\n%b\nendstream" % (len(stream), stream))
    return assembled(objects)


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Generator[Page]:
    try:
        program = chromium()
    except Absent as absent:
        answer(absent)
    with page(program, tmp_path_factory.mktemp("profile")) as opened:
        yield opened


@pytest.fixture
def services(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[LocalServices]:
    monkeypatch.setenv("GROUNDWIRE_HOME", str(tmp_path))
    monkeypatch.setenv("POWERTOOLS_METRICS_DISABLED", "true")
    wiring.reset()
    current = wiring.local_services()
    current.stores.tenants.add(Tenant("t_1", "Acme", rate_per_minute=600, burst=60, created_at=0.0))
    # A key needs the secrets of its home; without the file the home counts as damaged.
    assert current.stores.secrets.pepper
    current.stores.keys.add(KEY, b"d" * 32)
    yield current
    wiring.reset()


@pytest.fixture
def server(services: LocalServices) -> Iterator[str]:
    # The services are those of the test, which the server's functions find as they begin.
    assert wiring.local_services() is services
    with run_in_background(TEMPLATE) as url:
        yield url


def link(services: LocalServices, server: str, file_type: str, content: bytes, page: int | None = None) -> str:
    """The address, at the test's server, of a passage of Maria's document of this type."""
    document = replace(MARIAS_DOCUMENT, source_file_name=f"a.{file_type}", source_file_type=file_type)
    services.stores.blobs.put("t_1", "doc_1-1", content)
    services.stores.documents.write("t_1", document, None)
    url = services.reading.source_links.url_for(
        document, Caller.from_key(KEY, MARIA, KEY.scopes, TagSource.CALL, now=0.0)
    )
    return server + passage_url(f"{url}?as=original", document, page).removeprefix(services.settings.public_url)


def shows(browser: Page, colour: tuple[int, int, int]) -> bool:
    """Whether the colour appears in the middle of the window before a hundred pictures of it were taken."""
    return any(browser.pixel(500, 250) == colour for _ in range(100))


@pytest.mark.parametrize(("number", "colour"), [(None, BLUE), (2, RED), (3, GREEN)])
def test_a_pdf_is_shown_at_the_page_of_its_passage(
    browser: Page, services: LocalServices, server: str, number: int | None, colour: tuple[int, int, int]
) -> None:
    browser.load(link(services, server, "pdf", coloured_pdf(), number))
    assert browser.run("return document.contentType") == "application/pdf"
    assert shows(browser, colour)


class BucketHandler(BaseHTTPRequestHandler):
    """The one file of a bucket, with the headers that its address states, as S3 sends them."""

    def do_GET(self) -> None:
        requested = parse_qs(urlsplit(self.path).query)
        content = coloured_pdf()
        self.send_response(200)
        self.send_header("content-length", str(len(content)))
        for name in ("content-type", "content-disposition", "cache-control"):
            self.send_header(name, requested[f"response-{name}"][0])
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the name of the base class
        """Nothing is logged."""


@pytest.fixture
def bucket() -> Iterator[str]:
    """The address of a bucket's server, of another origin than the product's."""
    with ThreadingHTTPServer(("127.0.0.1", 0), BucketHandler) as listening:
        thread = Thread(target=listening.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{listening.server_port}"
        listening.shutdown()
        thread.join()


def test_the_page_survives_the_redirect_to_the_bucket(
    browser: Page, services: LocalServices, server: str, bucket: str
) -> None:
    address = link(services, server, "pdf", coloured_pdf(), 2)
    client = boto3.Session().client(
        "s3",
        region_name="eu-central-1",
        aws_access_key_id="local",
        aws_secret_access_key="local",
        endpoint_url=bucket,
        config=S3_CONFIG,
    )
    exchange(services, blobs=S3Blobs(Bucket(client, "groundwire-files")))
    forget(services, "link_opener")
    browser.load(address)
    assert browser.url.startswith(f"{bucket}/groundwire-files/tenants/t_1/")
    assert urlsplit(browser.url).fragment == "page=2"
    assert shows(browser, RED)


def test_a_text_is_shown_as_text_whatever_it_looks_like(browser: Page, services: LocalServices, server: str) -> None:
    browser.load(link(services, server, "txt", HOSTILE + "Grüße".encode()))
    assert browser.run("return [document.contentType, document.title]") == ["text/plain", ""]
    assert browser.run("return document.body.innerText") == (HOSTILE + "Grüße".encode()).decode()


def test_a_picture_is_shown_as_a_picture(browser: Page, services: LocalServices, server: str) -> None:
    browser.load(link(services, server, "png", PNG))
    assert browser.run("return [document.contentType, document.images[0].naturalWidth]") == ["image/png", 1]


@pytest.mark.parametrize("file_type", ["html", "svg", "xml"])
def test_what_could_run_a_script_is_saved_and_never_shown(
    browser: Page, services: LocalServices, server: str, file_type: str
) -> None:
    address = link(services, server, file_type, HOSTILE)
    browser.load("about:blank")
    browser.load(address)
    assert (browser.url, browser.run("return document.title")) == ("about:blank", "")


def test_an_invalid_link_shows_a_styled_page_that_states_what_to_do(browser: Page, server: str) -> None:
    browser.load(f"{server}/open/garbage")
    assert browser.run("return document.title") == "This link does not open a document"
    assert "new link" in browser.run("return document.querySelector('main').innerText")
    # The style is applied only if its hash is the one of the policy.
    assert browser.run("return getComputedStyle(document.body).marginTop") == "0px"


@pytest.fixture
def world(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[World]:
    with open_world(tmp_path / "home", monkeypatch) as opened:
        yield opened


@pytest.fixture
def address(world: World) -> Iterator[str]:
    """The address of a server of the world."""
    assert world.services.stores.secrets.pepper
    with run_in_background(TEMPLATE) as url:
        yield url


def ledger(world: World, address: str, extension: str, content: bytes, phrase: str) -> str:
    """The address of Ana's passage in a file of this type."""
    tenant = world.tenant("amber")
    world.ingest(tenant, content, for_users("ana"), path=f"/nowhere/ledger.{extension}", doc_id="ledger")
    segments = world.search(caller(world.acting_key(tenant), "ana"), phrase).segments
    [link] = [each["source_url"] for each in segments if phrase in each["raw_text"]]
    return address + link.removeprefix(world.services.settings.public_url)


def test_a_person_gets_to_the_marked_passage_without_a_click_and_saves_a_file_that_no_browser_may_show(
    browser: Page, world: World, address: str, tmp_path: Path
) -> None:
    text = b"The ledger grants leave.\n\nThe ledger pays bonuses.<script>document.title = 'run'</script>"
    browser.load(ledger(world, address, "html", text, "bonuses"), pages=2)
    assert browser.run("return document.querySelector('mark').innerText") == text.decode().partition("\n\n")[2]
    assert "grants leave" in browser.run("return document.body.innerText")
    assert browser.run("return [document.title, self.origin]") == ["ledger", "null"]
    assert browser.run("return getComputedStyle(document.body).marginTop") == "0px"
    browser.command("Browser.setDownloadBehavior", behavior="allow", downloadPath=str(tmp_path))
    browser.run("document.querySelector('a').click()")
    saved = tmp_path / "ledger.html"
    assert any(saved.exists() for _ in range(5_000) if browser.run("return true"))
    assert saved.read_bytes() == text
    assert browser.run("return document.title") == "ledger"


def test_the_page_of_a_pdf_leads_to_the_viewer_of_the_browser(browser: Page, world: World, address: str) -> None:
    browser.load(ledger(world, address, "pdf", coloured_pdf(), "MediaBox"), pages=2)
    browser.load(browser.run("return document.querySelector('a').href"))
    assert browser.run("return document.contentType") == "application/pdf"
    assert shows(browser, BLUE)


def test_the_page_stops_working_in_the_browser_as_soon_as_its_person_may_not_read_the_source(
    browser: Page, world: World, address: str
) -> None:
    link = ledger(world, address, "txt", b"The ledger pays bonuses.", "bonuses")
    browser.load(link, pages=2)
    assert browser.run("return document.querySelector('mark') !== null")
    [tenant] = [each.tenant for each in world.services.stores.tenants.all()]
    world.services.administration.document_admin.override_policy(tenant, "ledger", for_users("ben"))
    browser.load(link)
    dead = browser.run("return document.documentElement.outerHTML")
    browser.load(f"{address}/open/garbage")
    assert browser.run("return document.documentElement.outerHTML") == dead


def test_a_person_sees_the_page_of_a_pdf_with_the_passage_marked_without_a_click(
    browser: Page, world: World, address: str
) -> None:
    forget(world.services, "parser")
    file = pdf([[(40, "BONUSES FOR EVERYBODY")]])
    browser.load(ledger(world, address, "pdf", file, "BONUSES"), pages=2)
    picture = "const [picture] = document.images; if (picture.naturalWidth > 0)"
    assert browser.wait_for(f"{picture} return picture.naturalHeight") == 1_600
    assert "BONUSES FOR EVERYBODY" in browser.run("return document.images[0].alt")
    # The line is at a height of 40 of the 792 points of the page.
    left, top, width = browser.run(
        "const [picture] = document.images; picture.scrollIntoView();"
        "const place = picture.getBoundingClientRect();"
        "return [place.left + scrollX, place.top + scrollY + place.height * 40 / 792, place.width]"
    )
    colours = {browser.pixel(round(left + width * place / 612), round(top)) for place in range(72, 300, 3)}
    assert any(max(colour) < 120 for colour in colours)
    assert any(red > 240 and blue < 200 for red, _, blue in colours)
    beside = {browser.pixel(round(left + width * place / 612), round(top)) for place in range(10, 60, 10)}
    assert beside == {(255, 255, 255)}
