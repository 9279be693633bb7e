"""Limits of the upload endpoint for callers without a ticket: memory, bytes read and waiting time."""

import asyncio
import tracemalloc
from collections.abc import Iterator
from pathlib import Path

import pytest

from groundwire.domain.documents.uploads import TICKET_SECONDS
from groundwire.domain.limits import (
    MAX_CONCURRENT_UPLOAD_FORMS,
    MAX_UPLOAD_FORM_FIELD_BYTES,
    MAX_UPLOAD_FORM_FIELDS,
    MIN_UPLOAD_BYTES_PER_SECOND,
    UPLOAD_FORM_HEADER_SECONDS,
    UPLOAD_WINDOW_SECONDS,
)
from groundwire_readers.contents.limits import MAX_DOCUMENT_BYTES
from tests.server.entry.gateway.upload_endpoint import (
    FORM_END,
    FRIEND,
    Door,
    Piece,
    Sender,
    field_bytes,
    form_head,
    terms_of,
)
from tests.server.entry.gateway.virtual_time import play

CONTENT = b"# Pumps\n\nThe blue pump takes 40 litres.\n"
TERMS = terms_of("up_1", CONTENT)


@pytest.fixture
def door(tmp_path: Path) -> Iterator[Door]:
    door = Door(tmp_path)
    yield door
    door.gateway.close()


def _small_fields() -> Iterator[Piece]:
    """Each by itself until long after the refusal; what is dropped then comes in larger pieces, for time's sake."""
    yield from (Piece(field_bytes(f"x{number}", "")) for number in range(10_000))
    several = b"".join(field_bytes(f"x{number}", "") for number in range(10_000, 10_100))
    yield from (Piece(several) for _ in range(9_900))


ENDLESS = {
    "many fields": lambda: (Piece(field_bytes(f"x{number}", "v" * 60_000)) for number in range(4_000)),
    "one field": lambda: (
        Piece(field_bytes("key", "")[:-2] if not number else b"v" * 60_000) for number in range(4_000)
    ),
    "one header": lambda: (Piece(b"--b\r\nX: " if not number else b"v" * 60_000) for number in range(4_000)),
    "before the first field": lambda: (Piece(b"\r\n" * 30_000) for _ in range(4_000)),
    "small fields": _small_fields,
}


@pytest.mark.parametrize("form", ENDLESS.values(), ids=ENDLESS)
def test_a_form_of_any_length_is_refused_in_little_memory(door: Door, form: "type[Iterator[Piece]]") -> None:
    sender = Sender(form(), ends=True)
    tracemalloc.start()
    try:
        answer = play(door.answered("up_1", sender, {}))
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()

    assert (answer.status, answer.ends_connection) == (400, True)
    assert peak < 1_000_000
    # What is read after the refusal is dropped, so that the sender gets to read its answer.
    assert sender.sent < 34_000_000


def test_a_form_is_refused_beyond_its_bytes_and_fields_and_not_before(door: Door) -> None:
    def form(fields: int, padding: int, after: bytes = b"") -> bytes:
        others = b"".join(field_bytes(f"x{number}", "") for number in range(fields - 4))
        given = {**door.forms.form(TERMS).fields, "x": "v" * padding} if padding else door.forms.form(TERMS).fields
        return others + form_head(given) + CONTENT + after + FORM_END

    frame = len(form(5, 1)) - len(CONTENT) - 1
    too_long = form(5, MAX_UPLOAD_FORM_FIELD_BYTES - frame + 1)
    too_many = form(MAX_UPLOAD_FORM_FIELDS + 1, 0)
    room = MAX_UPLOAD_FORM_FIELD_BYTES - len(form(4, 0)) + len(CONTENT) - len(field_bytes("late", ""))
    too_much_after = form(4, 0, b"\r\n" + field_bytes("late", "v" * (room + 1))[:-2])
    for refused in (too_long, too_many, too_much_after):
        answer = play(door.post("up_1", refused))
        assert (answer.status, "MalformedPOSTRequest" in answer.text) == (400, True)
    assert list(door.inbox.list_pending()) == []

    assert play(door.post("up_1", form(5, MAX_UPLOAD_FORM_FIELD_BYTES - frame))).status == 204
    later = terms_of("up_2", CONTENT)
    fields = door.forms.form(later).fields
    others = b"".join(field_bytes(f"x{number}", "") for number in range(MAX_UPLOAD_FORM_FIELDS - 4))
    assert play(door.post("up_2", others + form_head(fields) + CONTENT + FORM_END)).status == 204


def test_fields_after_the_file_say_nothing(door: Door) -> None:
    sent = form_head(door.forms.form(TERMS).fields) + CONTENT + b"\r\n" + field_bytes("x", "late")[:-2] + FORM_END

    assert play(door.post("up_1", sent)).status == 204


def test_a_second_file_or_a_repeated_field_is_no_form(door: Door) -> None:
    fields = door.forms.form(TERMS).fields
    second = form_head(fields) + CONTENT + b"\r\n" + form_head({}) + CONTENT + FORM_END
    repeated = field_bytes("key", fields["key"]) + form_head(fields) + CONTENT + FORM_END

    assert [play(door.post("up_1", sent)).status for sent in (second, repeated)] == [400, 400]
    assert list(door.inbox.list_pending()) == []


@pytest.mark.parametrize("fields", [{"policy": "forged"}, {"key": "k"}])
def test_without_a_ticket_nothing_of_the_file_is_waited_for(door: Door, fields: dict[str, str]) -> None:
    answer = play(door.post("up_1", [Piece(form_head(fields) + b"x")], ends=False))

    assert (answer.status, answer.ends_connection) == (403, True)
    assert answer.at < UPLOAD_FORM_HEADER_SECONDS


def test_a_forged_ticket_ends_the_form_before_its_other_fields_come(door: Door) -> None:
    sent = [Piece(field_bytes("policy", "forged") + b"--b\r\n"), Piece(b"x" * 100, after=20)]

    answer = play(door.post("up_1", sent, ends=False))

    assert (answer.status, answer.at < 20) == (403, True)


def test_the_form_of_another_ticket_is_refused_as_soon_as_it_is_opened(door: Door) -> None:
    sealed = door.forms.form(terms_of("up_2", CONTENT)).fields["policy"]

    answer = play(door.post("up_1", [Piece(field_bytes("policy", sealed) + b"--b\r\n")], ends=False))

    assert (answer.status, answer.at < UPLOAD_FORM_HEADER_SECONDS) == (403, True)


def test_the_ticket_comes_first_in_the_forms_that_are_given_out(door: Door) -> None:
    assert next(iter(door.forms.form(TERMS).fields)) == "policy"


def test_fields_may_come_in_any_order(door: Door) -> None:
    fields = dict(reversed(list(door.forms.form(TERMS).fields.items())))

    assert play(door.post("up_1", door.body(TERMS, CONTENT, fields))).status == 204


def test_a_body_that_states_it_is_too_large_is_not_read(door: Door) -> None:
    length = {"content-length": str(MAX_DOCUMENT_BYTES + MAX_UPLOAD_FORM_FIELD_BYTES + 1), "expect": "100-continue"}
    sender = Sender([Piece(door.body(TERMS, CONTENT))], ends=False)

    answer = play(door.answered("up_1", sender, length))

    assert (answer.status, "EntityTooLarge" in answer.text, answer.ends_connection) == (400, True, True)
    assert (answer.at, sender.sent) == (0.0, 0)
    largest = {"content-length": str(MAX_DOCUMENT_BYTES + MAX_UPLOAD_FORM_FIELD_BYTES)}
    assert play(door.post("up_1", door.body(TERMS, CONTENT), largest)).status == 204


@pytest.mark.parametrize("origin", ["https://evil.example", "null", "", f"{FRIEND},https://evil.example"])
def test_a_page_of_somebody_else_sends_no_file(door: Door, origin: str) -> None:
    answer = play(door.post("up_1", door.body(TERMS, CONTENT), {"origin": origin}))

    assert (answer.status, list(door.inbox.list_pending())) == (403, [])
    assert play(door.post("up_1", door.body(TERMS, CONTENT), {"origin": FRIEND})).status == 204


def test_a_form_in_drips_has_thirty_seconds_to_its_file_and_no_more(door: Door) -> None:
    drips = [Piece(bytes([byte]), after=12) for byte in door.body(TERMS, CONTENT)]

    answer = play(door.post("up_1", drips))

    assert (answer.status, "RequestTimeout" in answer.text, answer.ends_connection) == (400, True, True)
    assert answer.at == UPLOAD_FORM_HEADER_SECONDS


def test_a_sender_that_falls_silent_is_not_waited_for(door: Door) -> None:
    answer = play(door.post("up_1", [Piece(door.body(TERMS, CONTENT)[:-20])], ends=False))

    assert (answer.status, answer.at, answer.ends_connection) == (400, UPLOAD_WINDOW_SECONDS, True)
    assert list(door.inbox.list_pending()) == []


@pytest.mark.parametrize("fast", [0, 10 * MIN_UPLOAD_BYTES_PER_SECOND * UPLOAD_WINDOW_SECONDS])
def test_a_file_in_drips_is_cut_off_however_fast_it_began(door: Door, fast: int) -> None:
    content = b"x" * (fast + 4_000)
    terms = terms_of("up_1", content)
    head = form_head(door.forms.form(terms).fields)
    drips = [Piece(head), Piece(content[:fast]), *(Piece(b"x", after=1) for _ in content[fast:])]

    answer = play(door.post("up_1", drips))

    assert (answer.status, "RequestTimeout" in answer.text) == (400, True)
    assert answer.at == UPLOAD_WINDOW_SECONDS * (2 if fast else 1)


def test_a_slow_file_comes_whole_at_the_least_rate(door: Door) -> None:
    content = b"x" * (5 * MIN_UPLOAD_BYTES_PER_SECOND * UPLOAD_WINDOW_SECONDS)
    terms = terms_of("up_1", content)
    piece = 10 * MIN_UPLOAD_BYTES_PER_SECOND
    parts = [content[start : start + piece] for start in range(0, len(content), piece)]
    sent = [Piece(form_head(door.forms.form(terms).fields)), *(Piece(part, after=9.9) for part in parts)]

    answer = play(door.post("up_1", [*sent, Piece(FORM_END)]))

    assert (answer.status, answer.at > 4 * UPLOAD_WINDOW_SECONDS) == (204, True)


def test_the_slowest_file_of_all_comes_within_the_time_of_its_ticket() -> None:
    assert MAX_DOCUMENT_BYTES / MIN_UPLOAD_BYTES_PER_SECOND + UPLOAD_WINDOW_SECONDS < TICKET_SECONDS


def test_so_many_forms_are_read_at_a_time_and_the_next_is_given_a_retry_time(door: Door) -> None:
    async def scene() -> None:
        heads = {
            terms.ticket: form_head(door.forms.form(terms).fields)
            for number in range(MAX_CONCURRENT_UPLOAD_FORMS)
            for terms in [terms_of(f"up_{number}", CONTENT, tenant=f"t_{number % 4}")]
        }
        held = [asyncio.create_task(door.post(name, [Piece(heads[name])], ends=False)) for name in heads]
        await asyncio.sleep(1)
        last = terms_of("up_last", CONTENT, tenant="t_5")
        refused = await door.post("up_last", door.body(last, CONTENT))
        assert (refused.status, refused.headers["retry-after"]) == (503, "5")
        assert {(await each).status for each in held} == {400}
        assert (await door.post("up_last", door.body(last, CONTENT))).status == 204

    play(scene())


def test_senders_without_a_ticket_keep_no_place_from_those_with_one(door: Door) -> None:
    async def scene() -> None:
        strangers = [
            asyncio.create_task(door.post("up_x", [Piece(b"--b")], ends=False))
            for _ in range(2 * MAX_CONCURRENT_UPLOAD_FORMS)
        ]
        await asyncio.sleep(1)
        assert (await door.post("up_1", door.body(TERMS, CONTENT))).status == 204
        assert {(await each).status for each in strangers} == {400}

    play(scene())


def test_a_tenant_has_half_of_the_places_and_leaves_the_others_to_others(door: Door) -> None:
    async def scene() -> None:
        own = [terms_of(f"up_{number}", CONTENT) for number in range(MAX_CONCURRENT_UPLOAD_FORMS // 2 + 1)]
        heads = {terms.ticket: form_head(door.forms.form(terms).fields) for terms in own}
        held = [asyncio.create_task(door.post(name, [Piece(heads[name])], ends=False)) for name in list(heads)[1:]]
        await asyncio.sleep(1)
        refused = await door.post("up_0", door.body(own[0], CONTENT))
        assert (refused.status, refused.headers["retry-after"]) == (503, "5")
        other = terms_of("up_other", CONTENT, tenant="t_2")
        assert (await door.post("up_other", door.body(other, CONTENT))).status == 204
        assert {(await each).status for each in held} == {400}
        assert (await door.post("up_0", door.body(own[0], CONTENT))).status == 204

    play(scene())
