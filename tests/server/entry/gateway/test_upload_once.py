"""A ticket is for one file: a second file is refused with a message, and the first one stays."""

import asyncio
import logging
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.server.entry.gateway.upload_endpoint import FORM_END, Answer, Door, Piece, form_head, terms_of
from tests.server.entry.gateway.virtual_time import play

CONTENT = b"# Pumps\n\nThe blue pump takes 40 litres.\n"
TERMS = terms_of("up_1", CONTENT)


@pytest.fixture
def door(tmp_path: Path) -> Iterator[Door]:
    door = Door(tmp_path)
    yield door
    door.gateway.close()


def is_reported(answer: Answer) -> bool:
    """Return whether the answer names the error and the remedy."""
    return answer.status == 409 and "<Code>TicketUsed</Code>" in answer.text and "POST /v1/uploads" in answer.text


@pytest.mark.parametrize("read_meanwhile", [False, True])
def test_a_second_file_under_one_ticket_is_refused(
    door: Door, caplog: pytest.LogCaptureFixture, *, read_meanwhile: bool
) -> None:
    caplog.set_level(logging.WARNING)

    async def scene() -> None:
        assert (await door.post("up_1", door.body(TERMS, CONTENT))).status == 204
        if read_meanwhile:
            door.reconcile()
        assert is_reported(await door.post("up_1", door.body(TERMS, CONTENT)))

    play(scene())
    door.reconcile()

    assert door.came == [("t_1", "up_1")]
    assert caplog.records == []


def test_a_second_file_is_refused_before_it_is_sent(door: Door) -> None:
    play(door.post("up_1", door.body(TERMS, CONTENT)))

    answer = play(door.post("up_1", [Piece(form_head(door.forms.form(TERMS).fields))], ends=False))

    assert (is_reported(answer), answer.ends_connection) == (True, True)


@pytest.mark.parametrize("forms", [2, 5])
def test_of_forms_that_end_in_one_moment_exactly_one_is_taken(door: Door, forms: int) -> None:
    sent = [Piece(form_head(door.forms.form(TERMS).fields)), Piece(CONTENT, after=1), Piece(FORM_END, after=1)]

    async def scene() -> list[Answer]:
        return await asyncio.gather(*(door.post("up_1", sent) for _ in range(forms)))

    answers = play(scene())

    assert sorted(answer.status for answer in answers) == [204] + [409] * (forms - 1)
    assert all(is_reported(answer) for answer in answers if answer.status != 204)
    door.reconcile()
    assert door.came == [("t_1", "up_1")]


def test_a_form_gives_way_to_one_that_came_and_was_read_while_it_was_sent(door: Door) -> None:
    slow = [Piece(form_head(door.forms.form(TERMS).fields)), Piece(CONTENT + FORM_END, after=10)]

    async def scene() -> Answer:
        second = asyncio.create_task(door.post("up_1", slow))
        await asyncio.sleep(1)
        assert (await door.post("up_1", door.body(TERMS, CONTENT))).status == 204
        door.reconcile()
        assert list(door.inbox.list_pending()) == []
        return await second

    assert is_reported(play(scene()))
    assert list(door.inbox.list_pending()) == []
    door.reconcile()
    assert door.came == [("t_1", "up_1")]


def test_a_file_that_was_not_agreed_leaves_its_ticket_good(door: Door) -> None:
    assert play(door.post("up_1", door.body(TERMS, CONTENT[::-1]))).status == 400
    assert play(door.post("up_1", door.body(TERMS, CONTENT)[:-30])).status == 400

    assert play(door.post("up_1", door.body(TERMS, CONTENT))).status == 204
