"""Attacks on opened links: every refusal is one answer, whoever opens, and a name or a range changes no header."""

from collections.abc import Callable
from typing import Final
from urllib.parse import urlsplit

import pytest

from groundwire.domain.access.decision import Decision
from groundwire.domain.access.policy import NO_READERS
from groundwire.domain.access.user_blocks import UserBlock
from tests.server.services.test_opened_links import CHROMIUM, headers
from tests.support.isolation.policies import for_tags, for_users
from tests.support.worlds.world import Answer, World, caller

TEXT: Final = "The ledger lists pumps."
RED: Final = frozenset({"red"})
FORMS: Final[dict[str, tuple[str, str, dict[str, str]]]] = {
    "browser": ("GET", "", {"accept": CHROMIUM}),
    "passage": ("GET", "as=passage&n=1", {"accept": CHROMIUM}),
    "original": ("GET", "as=original", {"accept": CHROMIUM}),
    "program": ("GET", "", {"accept": "*/*"}),
    "range": ("GET", "", {"range": "bytes=0-3"}),
    "range past the end": ("GET", "as=original", {"range": "bytes=9999-"}),
    "head": ("HEAD", "", {"accept": CHROMIUM}),
    "preview": ("GET", "", {"accept": CHROMIUM, "user-agent": "Slackbot-LinkExpanding 1.0"}),
}


def opened(world: World, link: str, form: str) -> Answer:
    method, query, sent = FORMS[form]
    return world.request(method, f"{urlsplit(link).path}?{query}", sent, b"")


def red_ledger(world: World, tenant: str) -> str:
    """The link of Ana, who reads the ledger by a tag."""
    world.ingest(tenant, TEXT, for_tags("red"), path="/nowhere/ledger.txt", doc_id="ledger")
    [segment] = world.search(caller(world.acting_key(tenant), "ana", RED), "ledger").segments
    return segment["source_url"]


def close(world: World, tenant: str) -> None:
    world.services.administration.document_admin.override_policy(tenant, "ledger", NO_READERS)


def narrow(world: World, tenant: str) -> None:
    world.services.administration.document_admin.override_policy(tenant, "ledger", for_users("ben"))


def delete(world: World, tenant: str) -> None:
    world.services.administration.document_admin.delete(tenant, "ledger")


def block(world: World, tenant: str) -> None:
    world.services.stores.users.block(tenant, UserBlock("ana", Decision("olga", 0.0, "", "")))


def revoke(world: World, tenant: str) -> None:
    for key in world.services.stores.keys.all(tenant):
        world.services.administration.key_admin.revoke(tenant, key.kid)


def remove_tenant(world: World, tenant: str) -> None:
    world.services.administration.tenant_admin.delete(tenant)


@pytest.mark.parametrize("end", [close, narrow, delete, block, revoke, remove_tenant])
def test_a_link_that_ended_is_in_every_form_what_a_forged_link_is(
    world: World, end: Callable[[World, str], None]
) -> None:
    tenant = world.tenant("amber")
    link = red_ledger(world, tenant)
    for form in FORMS:
        assert opened(world, link, form).status in {200, 206, 416}
    end(world, tenant)
    for form in FORMS:
        refused = opened(world, link, form)
        assert refused.bytes == opened(world, "/open/forged", form).bytes
        assert refused.status == 404


def test_a_link_of_one_tenant_means_nothing_to_another_whose_document_has_its_id(world: World) -> None:
    amber, blue = world.tenant("amber"), world.tenant("blue")
    link = red_ledger(world, amber)
    world.ingest(blue, "The blue ledger.", for_tags("red"), path="/nowhere/ledger.txt", doc_id="ledger")
    close(world, amber)
    theirs = caller(world.acting_key(blue), "ana", RED)
    for form, (method, query, sent) in FORMS.items():
        answer = world.request(method, f"{urlsplit(link).path}?{query}", {**sent, **theirs}, b"")
        assert answer.bytes == opened(world, "/open/forged", form).bytes


@pytest.mark.parametrize("form", FORMS)
def test_no_answer_of_a_link_is_kept_read_by_another_site_or_found_by_a_search_engine(world: World, form: str) -> None:
    for link in (red_ledger(world, world.tenant("amber")), "/open/forged"):
        sent = headers(opened(world, link, form))
        assert sent["cache-control"] == "private, no-store"
        assert (sent["x-content-type-options"], sent["x-robots-tag"]) == ("nosniff", "noindex")
        assert (sent["referrer-policy"], sent["cross-origin-resource-policy"]) == ("no-referrer", "same-origin")
        assert sent["content-security-policy"].startswith("default-src 'none'; ")
        assert "access-control-allow-origin" not in sent
        assert "etag" not in sent


@pytest.mark.parametrize("wanted", ["bytes=0-1,3-4", "bytes=0-1, 3-", "bytes=1-0", "bytes=-", "items=0-1", "bytes=a-b"])
def test_several_ranges_and_those_of_another_form_give_the_whole_or_nothing(world: World, wanted: str) -> None:
    link = red_ledger(world, world.tenant("amber"))
    answer = world.request("GET", f"{urlsplit(link).path}?as=original", {"range": wanted}, b"")
    assert (answer.status, answer.response.body) in {(200, TEXT.encode()), (416, b"")}


@pytest.mark.parametrize("number", ["9" * 18, "9" * 19, "9" * 400])
def test_a_range_of_any_length_costs_no_more_than_the_file(world: World, number: str) -> None:
    link = red_ledger(world, world.tenant("amber"))
    for wanted in (f"bytes=0-{number}", f"bytes=-{number}"):
        answer = world.request("GET", f"{urlsplit(link).path}?as=original", {"range": wanted}, b"")
        assert answer.response.body == TEXT.encode()


@pytest.mark.parametrize(
    "name",
    [
        "a\r\nx-added: 1.txt",
        'a"; filename=b.txt',
        "cod\u202etxt.exe.txt",
        "\u2066a\u2069.txt",
        "a\x00b.txt",
        "a\u200fb.txt",
    ],
)
def test_a_file_name_adds_no_header_and_reads_as_it_is_saved(world: World, name: str) -> None:
    tenant = world.tenant("amber")
    world.ingest(tenant, TEXT, for_tags("red"), path=f"/nowhere/{name}", doc_id="ledger")
    [segment] = world.search(caller(world.acting_key(tenant), "ana", RED), "ledger").segments
    original, page = opened(world, segment["source_url"], "original"), opened(world, segment["source_url"], "browser")
    sent = headers(original)
    assert "x-added" not in sent
    assert sent["content-disposition"].isascii()
    assert sent["content-disposition"].isprintable()
    for direction in ("\u202e", "\u2066", "\u2069", "\u200f"):
        assert direction not in page.response.body.decode()
    for hidden in ("%E2%80%AE", "%E2%81%A6", "%E2%81%A9", "%E2%80%8F", "%0D", "%0A", "%00"):
        assert hidden not in sent["content-disposition"]


def test_a_name_with_a_path_is_saved_as_a_name(world: World) -> None:
    tenant = world.tenant("amber")
    world.ingest(tenant, TEXT, for_tags("red"), path="/nowhere/..\\..\\etc\\a.txt", doc_id="ledger")
    [segment] = world.search(caller(world.acting_key(tenant), "ana", RED), "ledger").segments
    sent = headers(opened(world, segment["source_url"], "original"))["content-disposition"]
    plain = sent.partition('filename="')[2].partition('"')[0]
    assert {"/", "\\"}.isdisjoint(plain)
    assert {"/", "\\"}.isdisjoint(sent.partition("filename*=")[2])
