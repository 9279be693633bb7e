"""The emulator's clock and its failures on demand: each failure affects one request in the way that it names."""

import secrets
from collections.abc import Callable, Generator
from http.client import HTTPException
from threading import Thread
from typing import Any

import pytest

from tests.support.opensearch import emulator
from tests.support.opensearch.emulator import Kind, OpenSearchEmulator
from tests.support.opensearch.signed_calls import call

SERVERLESS = ("serverless-classic", "serverless-nextgen")
NUMBERS = {"mappings": {"properties": {"n": {"type": "integer"}}}}


@pytest.fixture(scope="module", params=SERVERLESS)
def delayed(request: pytest.FixtureRequest, opensearch_url: str) -> Generator[OpenSearchEmulator]:
    """Refreshes every 10 seconds of its clock."""
    with emulator.opened(opensearch_url, str(request.param), visible_after=10) as opened:
        yield opened


@pytest.fixture(scope="module")
def prompt(opensearch_url: str) -> Generator[OpenSearchEmulator]:
    with emulator.opened(opensearch_url, "serverless-nextgen") as opened:
        yield opened


def made(opened: OpenSearchEmulator) -> str:
    """A new index that can be searched."""
    index = f"t-{secrets.token_hex(6)}"
    assert call(opened.url, "PUT", f"/{index}", NUMBERS)[0] == 200
    opened.advance(10)
    return index


def lines(index: str, number: int = 4) -> list[object]:
    return [line for at in range(number) for line in ({"index": {"_index": index}}, {"n": at})]


def count(opened: OpenSearchEmulator, index: str) -> int:
    return call(opened.url, "POST", f"/{index}/_count")[1]["count"]


def test_a_write_is_acknowledged_at_once_and_seen_at_the_next_refresh(delayed: OpenSearchEmulator) -> None:
    index = made(delayed)
    assert call(delayed.url, "POST", "/_bulk", lines(index))[1]["errors"] is False
    assert count(delayed, index) == 0
    delayed.advance(9)
    delayed.advance(1)
    assert count(delayed, index) == 4


def test_what_was_deleted_is_found_until_the_next_refresh(delayed: OpenSearchEmulator) -> None:
    index = made(delayed)
    _, answer = call(delayed.url, "POST", f"/{index}/_doc", {"n": 1})
    delayed.become_visible()
    assert call(delayed.url, "DELETE", f"/{index}/_doc/{answer['_id']}")[0] == 200
    assert count(delayed, index) == 1
    assert call(delayed.url, "GET", f"/{index}/_doc/{answer['_id']}")[1]["found"]
    delayed.advance(10)
    assert count(delayed, index) == 0


def test_a_new_index_of_classic_is_not_searched_for_a_while(opensearch_url: str) -> None:
    with emulator.opened(opensearch_url, "serverless-classic", visible_after=60) as opened:
        assert call(opened.url, "PUT", "/fresh", NUMBERS)[0] == 200
        assert call(opened.url, "POST", "/fresh/_search", {})[0] == 404
        [answer] = call(opened.url, "POST", "/_msearch", [{"index": "fresh"}, {}])[1]["responses"]
        assert (answer["status"], answer["error"]["type"]) == (404, "index_not_found_exception")
        assert call(opened.url, "GET", "/fresh/_mapping")[0] == 200
        assert call(opened.url, "POST", "/_bulk", lines("fresh"))[1]["errors"] is False
        opened.advance(10)
        assert call(opened.url, "POST", "/fresh/_search", {})[0] == 200


def started(work: Callable[[], Any]) -> tuple[Thread, list[Any]]:
    answers: list[Any] = []
    thread = Thread(target=lambda: answers.append(work()))
    thread.start()
    return thread, answers


def test_a_collection_that_sleeps_answers_when_it_woke(prompt: OpenSearchEmulator) -> None:
    index = made(prompt)
    prompt.fall_asleep(wakes_in=20)
    waiting, answers = started(lambda: count(prompt, index))
    waiting.join(timeout=0.3)
    assert waiting.is_alive()
    while waiting.is_alive():
        prompt.advance(20)
        waiting.join(timeout=0.05)
    assert answers == [0]
    assert count(prompt, index) == 0


def test_a_held_request_is_answered_when_its_time_has_passed(prompt: OpenSearchEmulator) -> None:
    index = made(prompt)
    prompt.failures.add(Kind.HELD, "_count", 5)
    waiting, answers = started(lambda: count(prompt, index))
    waiting.join(timeout=0.3)
    assert waiting.is_alive()
    while waiting.is_alive():
        prompt.advance(5)
        waiting.join(timeout=0.05)
    assert answers == [0]


@pytest.mark.parametrize("status", [413, 429, 500, 502, 503, 504])
def test_a_refused_request_is_not_done(prompt: OpenSearchEmulator, status: int) -> None:
    index = made(prompt)
    prompt.failures.add(Kind.REFUSED, "_bulk", status)
    assert call(prompt.url, "POST", "/_bulk", lines(index))[0] == status
    assert count(prompt, index) == 0
    assert call(prompt.url, "POST", "/_bulk", lines(index))[0] == 200


@pytest.mark.parametrize(("kind", "done"), [(Kind.LOST, 0), (Kind.CUT, 2), (Kind.UNHEARD, 4)])
def test_a_bulk_that_is_cut_is_done_so_far(prompt: OpenSearchEmulator, kind: Kind, done: int) -> None:
    index = made(prompt)
    prompt.failures.add(kind, "_bulk")
    with pytest.raises((HTTPException, OSError)):
        call(prompt.url, "POST", "/_bulk", lines(index))
    assert count(prompt, index) == done


@pytest.mark.parametrize("kind", [Kind.LOST, Kind.CUT, Kind.UNHEARD])
def test_a_search_that_is_cut_has_no_whole_answer(prompt: OpenSearchEmulator, kind: Kind) -> None:
    index = made(prompt)
    prompt.failures.add(kind, "_search")
    with pytest.raises((HTTPException, OSError)):
        call(prompt.url, "POST", f"/{index}/_search", {})


def test_of_a_half_refused_bulk_every_second_action_is_done(prompt: OpenSearchEmulator) -> None:
    index = made(prompt)
    prompt.failures.add(Kind.HALF_REFUSED, "_bulk")
    _, answer = call(prompt.url, "POST", "/_bulk", lines(index))
    assert [item["index"]["status"] for item in answer["items"]] == [201, 429, 201, 429]
    assert answer["errors"] is True
    assert count(prompt, index) == 2


def test_answers_that_lack_something_say_so(prompt: OpenSearchEmulator) -> None:
    index = made(prompt)
    call(prompt.url, "POST", "/_bulk", lines(index))
    prompt.failures.add(Kind.TIMED_OUT, "_search")
    answer = call(prompt.url, "POST", f"/{index}/_search", {})[1]
    assert (answer["timed_out"], answer["hits"]["hits"]) == (True, [])
    prompt.failures.add(Kind.SHARD_FAILED, "_search")
    answer = call(prompt.url, "POST", f"/{index}/_search", {})[1]
    assert (answer["_shards"]["failed"], len(answer["hits"]["hits"])) == (1, 2)
    assert len(call(prompt.url, "POST", f"/{index}/_search", {})[1]["hits"]["hits"]) == 4


def test_emulators_share_no_index_and_leave_none(opensearch_url: str) -> None:
    index = f"t-{secrets.token_hex(6)}"
    with emulator.opened(opensearch_url, "opensearch") as one, emulator.opened(opensearch_url, "opensearch") as other:
        for opened in (one, other):
            assert call(opened.url, "PUT", f"/{index}", {}, signing=None)[0] == 200
        call(one.url, "PUT", f"/{index}/_doc/1?refresh=true", {"n": 1}, signing=None)
        counts = [call(each.url, "GET", f"/{index}/_count", signing=None)[1]["count"] for each in (one, other)]
        assert counts == [1, 0]
        assert call(one.url, "GET", "/_resolve/index/t-*", signing=None)[1]["indices"][0]["name"] == index
        assert len(call(opensearch_url, "GET", f"/_resolve/index/*{index}", signing=None)[1]["indices"]) == 2
    assert call(opensearch_url, "GET", f"/_resolve/index/*{index}", signing=None)[1]["indices"] == []
