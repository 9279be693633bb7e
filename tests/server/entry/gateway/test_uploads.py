"""Files that come with a ticket: taken whole and as agreed, over real HTTP, or refused as S3 refuses them."""

import hashlib
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path

import httpx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from groundwire.adapters.codecs.aead import AesGcmSeal
from groundwire.adapters.local.uploads import FileUploadInbox, LocalUploadForms
from groundwire.domain.errors import Conflict, NotFound
from groundwire.entry.local_server.background_server import run_in_background
from groundwire.entry.local_server.uploads.endpoint import UploadEndpoint
from groundwire.entry.local_server.uploads.multipart_parser import MalformedFormError, MultipartFormParser
from groundwire.ports.uploads import UploadForm, UploadTerms
from groundwire_mcp.transport.origins import AllowedOrigins
from tests.server.entry.gateway.probe import ProbeStack
from tests.server.entry.gateway.upload_endpoint import Lines
from tests.support.plugins.draws import examples

CONTENT = b"%PDF-1.7 \r\n--not the boundary\r\n" + bytes(range(256)) * 4_000
TERMS = UploadTerms(
    tenant="t_1",
    ticket="up_1",
    path="handbook/.uploads/up_1/file",
    size=len(CONTENT),
    content_type="application/pdf",
    sha256=hashlib.sha256(CONTENT).hexdigest(),
    expires_at=1_000,
)


@dataclass
class ObjectEvents:
    """Received uploads; the first `failures` calls fail."""

    failures: int = 0
    failure: Exception = field(default_factory=lambda: OSError("the disk is full"))
    came: list[tuple[str, str, str, float, bytes]] = field(default_factory=list[tuple[str, str, str, float, bytes]])
    one_more: threading.Semaphore = field(default_factory=lambda: threading.Semaphore(0))

    def __call__(self, tenant: str, ticket: str, version: str, at: float, read: Callable[[], bytes]) -> None:
        try:
            if self.failures:
                self.failures -= 1
                raise self.failure
            self.came.append((tenant, ticket, version, at, read()))
        finally:
            self.one_more.release()


@dataclass
class House:
    """A server's parts, and its upload endpoint."""

    folder: Path
    stack: ProbeStack
    object_events: ObjectEvents = field(default_factory=ObjectEvents)
    audit: Lines = field(default_factory=Lines)
    now: float = 500.0
    address: str = ""
    used: set[tuple[str, str]] = field(default_factory=set[tuple[str, str]])

    @property
    def inbox(self) -> FileUploadInbox:
        return FileUploadInbox(self.folder / "tenants")

    @property
    def forms(self) -> LocalUploadForms:
        return LocalUploadForms(AesGcmSeal(b"k" * 32), self.address)

    def door(self) -> UploadEndpoint:
        return UploadEndpoint(
            self.forms,
            self.inbox,
            self.object_events,
            lambda: self.now,
            is_unused=lambda tenant, ticket: (tenant, ticket) not in self.used,
            audit=self.audit,
            allowed_origins=AllowedOrigins(frozenset({"https://app.example.com"}), allows_loopback=False),
        )

    def send(self, form: UploadForm, content: bytes = CONTENT) -> httpx.Response:
        files = {"file": ("list.pdf", content, "application/pdf")}
        return httpx.post(form.url, data=dict(form.fields), files=files, timeout=20)


@pytest.fixture
def house(tmp_path: Path, own_stack: ProbeStack) -> Iterator[House]:
    house = House(tmp_path, own_stack)
    with run_in_background(own_stack.template, uploads=house.door()) as address:
        house.address = address
        yield house


def test_a_file_is_taken_and_handed_on_byte_for_byte(house: House) -> None:
    answer = house.send(house.forms.form(TERMS))

    assert (answer.status_code, answer.content) == (204, b"")
    assert house.object_events.one_more.acquire(timeout=20)
    assert house.object_events.came == [("t_1", "up_1", TERMS.sha256, 500.0, CONTENT)]


@pytest.mark.parametrize(
    ("content", "code"),
    [
        (CONTENT + b"x", "EntityTooLarge"),
        (CONTENT * 3, "EntityTooLarge"),
        (CONTENT[:-1], "EntityTooSmall"),
        (b"", "EntityTooSmall"),
        (CONTENT[::-1], "BadDigest"),
    ],
)
def test_a_file_that_was_not_agreed_is_refused_and_not_kept(house: House, content: bytes, code: str) -> None:
    answer = house.send(house.forms.form(TERMS), content)

    assert answer.status_code == 400
    assert f"<Code>{code}</Code>" in answer.text
    assert list(house.inbox.list_pending()) == []
    assert house.object_events.came == []


@pytest.mark.parametrize("name", ["key", "Content-Type", "x-amz-checksum-sha256", "policy"])
def test_a_field_that_was_changed_or_left_out_is_refused(house: House, name: str) -> None:
    form = house.forms.form(TERMS)
    changed = replace(form, fields={**form.fields, name: "tenants/t_2/handbook/file"})
    left_out = replace(form, fields={key: value for key, value in form.fields.items() if key != name})

    assert {house.send(changed).status_code, house.send(left_out).status_code} == {403}
    assert house.object_events.came == []


def test_a_form_of_one_ticket_opens_no_other(house: House) -> None:
    form = house.forms.form(TERMS)

    assert house.send(replace(form, url=form.url.replace("up_1", "up_2"))).status_code == 403


def test_a_form_ends_with_its_ticket(house: House) -> None:
    form = house.forms.form(TERMS)
    house.now = 1_000.0

    assert "The ticket has expired" in house.send(form).text


def test_what_is_no_form_is_refused(house: House) -> None:
    url = house.forms.form(TERMS).url

    assert httpx.post(url, content=b"x" * 100_000).status_code == 400
    assert httpx.post(url, data={"key": "k"}, files={"other": b""}).status_code == 400
    assert httpx.get(url).status_code == 404
    assert httpx.post(f"{url}/more", content=b"").status_code == 404


def test_a_file_that_could_not_be_ingested_is_ingested_at_the_next_start(tmp_path: Path, own_stack: ProbeStack) -> None:
    house = House(tmp_path, own_stack, ObjectEvents(failures=1))
    with run_in_background(own_stack.template, uploads=house.door()) as house.address:
        house.send(house.forms.form(TERMS))
        assert house.object_events.one_more.acquire(timeout=20)
    assert [ticket for _, ticket, _ in house.inbox.list_pending()] == ["up_1"]

    door = house.door()
    door.resume()
    assert house.object_events.one_more.acquire(timeout=20)
    door.close()

    assert [content for *_, content in house.object_events.came] == [CONTENT]
    assert list(house.inbox.list_pending()) == []


def test_a_file_whose_document_was_changed_meanwhile_is_ingested_again_at_once(
    tmp_path: Path, own_stack: ProbeStack
) -> None:
    house = House(tmp_path, own_stack, ObjectEvents(failures=2, failure=Conflict("It was changed.")))
    with run_in_background(own_stack.template, uploads=house.door()) as house.address:
        house.send(house.forms.form(TERMS))
        assert all(house.object_events.one_more.acquire(timeout=20) for _ in range(3))

    assert [content for *_, content in house.object_events.came] == [CONTENT]
    assert list(house.inbox.list_pending()) == []


def test_a_file_for_a_tenant_that_no_longer_exists_is_not_kept(tmp_path: Path, own_stack: ProbeStack) -> None:
    house = House(tmp_path, own_stack, ObjectEvents(failures=1, failure=NotFound("There is no such tenant any more.")))
    with run_in_background(own_stack.template, uploads=house.door()) as house.address:
        house.send(house.forms.form(TERMS))
        assert house.object_events.one_more.acquire(timeout=20)
    assert list(house.inbox.list_pending()) == []


def test_a_server_without_an_upload_endpoint_takes_no_file(own_stack: ProbeStack) -> None:
    with run_in_background(own_stack.template) as address:
        assert httpx.post(f"{address}/upload/up_1", content=b"").status_code == 404


def form_bytes(fields: dict[str, str], content: bytes) -> bytes:
    parts = [
        f'--b\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{value}\r\n' for name, value in fields.items()
    ]
    begin = '--b\r\nContent-Disposition: form-data; name="file"; filename="f"\r\n\r\n'
    return ("".join(parts) + begin).encode() + content + b"\r\n--b--\r\n"


@settings(deadline=None, max_examples=examples(200))
@given(
    st.dictionaries(
        st.text("abcXYZ-", min_size=1).filter(lambda name: name != "file"), st.text("abc \r\n-"), max_size=4
    ),
    st.lists(st.sampled_from([b"\r\n", b"--", b"b", b"\r\n--", b"x", b"\r"])).map(b"".join),
    st.integers(1, 40),
)
def test_a_form_reads_the_same_in_pieces_of_any_size(fields: dict[str, str], content: bytes, size: int) -> None:
    if b"\r\n--b" in b"\r\n" + content or any("\r\n--b" in "\r\n" + value for value in fields.values()):
        return
    sent = form_bytes(fields, content)
    reported: dict[str, str] = {}
    form = MultipartFormParser("multipart/form-data; boundary=b", frozenset(fields), reported.__setitem__)

    read = b"".join(form.feed(sent[at : at + size]) for at in range(0, len(sent), size))

    assert (form.fields, read, form.is_complete) == (fields, content, True)
    assert reported == fields


@settings(deadline=None, max_examples=examples(200))
@given(st.binary(max_size=300))
def test_whatever_comes_is_read_or_refused(data: bytes) -> None:
    form = MultipartFormParser("multipart/form-data; boundary=b", frozenset(), nobody_listens)
    with suppress(MalformedFormError):
        form.feed(b"--b\r\n" + data)


def nobody_listens(name: str, value: str) -> None:
    pass
