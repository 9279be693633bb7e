"""Every form leaves one line in the audit log, taken or refused, and nothing of it is a stranger's word."""

import json
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import pytest

from tests.server.entry.gateway.upload_endpoint import Door, Piece, form_head, terms_of
from tests.server.entry.gateway.virtual_time import play

CONTENT = b"# Pumps\n\nThe blue pump takes 40 litres.\n"
TERMS = terms_of("up_1", CONTENT)
CANARY = "periwinkle-canary-4711"


@pytest.fixture
def door(tmp_path: Path) -> Iterator[Door]:
    door = Door(tmp_path)
    yield door
    door.gateway.close()


def sent_twice(door: Door) -> bytes:
    play(door.post("up_1", door.body(TERMS, CONTENT)))
    door.audit.records.clear()
    return door.body(TERMS, CONTENT)


GOOD: dict[str, tuple[Callable[[Door], bytes], int, str]] = {
    "taken": (lambda door: door.body(TERMS, CONTENT), 204, "answered"),
    "other content": (lambda door: door.body(TERMS, CONTENT[::-1]), 400, "BadDigest"),
    "too large": (lambda door: door.body(TERMS, CONTENT * 2), 400, "EntityTooLarge"),
    "cut off": (lambda door: door.body(TERMS, CONTENT)[:-9], 400, "IncompleteBody"),
    "no file": (lambda door: form_head(door.forms.form(TERMS).fields)[:-60], 400, "MalformedPOSTRequest"),
    "a second time": (sent_twice, 409, "TicketUsed"),
}
NO_TICKET: dict[str, tuple[Callable[[Door], bytes], Mapping[str, str], int, str]] = {
    "no form": (lambda _: CANARY.encode() * 100, {}, 400, "MalformedPOSTRequest"),
    "another type": (lambda _: b"", {"content-type": CANARY}, 400, "MalformedPOSTRequest"),
    "no ticket": (lambda _: form_head({"policy": CANARY}), {}, 403, "AccessDenied"),
    "another's": (lambda door: door.body(terms_of("up_2", CONTENT), CONTENT), {}, 403, "AccessDenied"),
    "a foreign page": (lambda door: door.body(TERMS, CONTENT), {"origin": f"https://{CANARY}"}, 403, "AccessDenied"),
    "too many bytes": (lambda _: b"", {"content-length": "1000000000"}, 400, "EntityTooLarge"),
}


@pytest.mark.parametrize(("form", "status", "outcome"), GOOD.values(), ids=GOOD)
def test_a_form_with_a_ticket_is_recorded_with_its_tenant_and_ticket(
    door: Door, form: Callable[[Door], bytes], status: int, outcome: str
) -> None:
    answer = play(door.post("up_1", form(door)))

    [line] = door.audit.records
    assert (answer.status, line["status"], line["outcome"]) == (status, status, outcome)
    assert (line["tenant"], line["ticket"], line["route"]) == ("t_1", "up_1", "POST /upload/{ticket}")
    assert line["bytes"] == len(answer.text)


@pytest.mark.parametrize(("form", "headers", "status", "outcome"), NO_TICKET.values(), ids=NO_TICKET)
def test_a_form_without_a_ticket_leaves_a_small_line_that_holds_nothing_of_it(
    door: Door, form: Callable[[Door], bytes], headers: Mapping[str, str], status: int, outcome: str
) -> None:
    answer = play(door.post("up_1", form(door), headers))

    [line] = door.audit.records
    assert (answer.status, line["status"], line["outcome"]) == (status, status, outcome)
    assert not {"tenant", "ticket"} & line.keys()
    assert len(json.dumps(line)) < 250
    assert "up_1" not in json.dumps(line)
    assert CANARY not in json.dumps(line)


def test_a_sender_that_is_too_slow_is_recorded(door: Door) -> None:
    play(door.post("up_1", [Piece(b"--b")], ends=False))

    assert [line["outcome"] for line in door.audit.records] == ["RequestTimeout"]


def test_a_form_that_cannot_be_recorded_is_not_taken_and_its_ticket_stays_good(door: Door) -> None:
    door.audit.failures = 1

    refused = play(door.post("up_1", door.body(TERMS, CONTENT)))

    assert (refused.status, refused.headers["retry-after"]) == (503, "5")
    assert list(door.inbox.list_pending()) == []
    assert play(door.post("up_1", door.body(TERMS, CONTENT))).status == 204
    door.reconcile()
    assert door.came == [("t_1", "up_1")]


def test_a_file_that_cannot_be_kept_is_answered_so_that_it_may_come_again(door: Door, tmp_path: Path) -> None:
    (tmp_path / "t_1").write_text("a file where the tenant's folder should be")

    refused = play(door.post("up_1", door.body(TERMS, CONTENT)))

    assert (refused.status, "ServiceUnavailable" in refused.text) == (503, True)
    assert str(tmp_path) not in refused.text
    assert [line["status"] for line in door.audit.records] == [503]
