"""Drawn calls of every tool, by every kind of key: each word of an answer is one that its caller may read."""

import json
import sys
from base64 import b64decode
from collections import Counter
from collections.abc import Iterator
from random import Random
from typing import Any, Final

import pytest

from groundwire.entry.gateway.events import GatewayRequest
from groundwire.entry.http.authorizer_context import decision_from_event
from tests.server.dialects.foundry.edge import PATH, PLAIN, SEARCHES, TOOLS
from tests.support.documents.filters.milvus_cases import any_filter, text_of
from tests.support.isolation.oracle import may_read
from tests.support.worlds.two_tenants import BLUE, CANARY, KEPT, LURE, RED, USERS, TwoTenants, opened
from tests.support.worlds.world import caller

CALLS: Final = 1_200
IMAGE_TOOLS: Final = ("search_image", "search_multimodal")
ADMITTING: Final = (None, "", "1 == 1", 'file_path like "%"', 'not (file_path == "x")', "page >= 1", "year is null")


@pytest.fixture(scope="module")
def two_tenants() -> Iterator[TwoTenants]:
    with opened() as both:
        yield both


def arguments(random: Random, both: TwoTenants, tool: str) -> dict[str, Any]:
    """Return the arguments of a search; most of them find something for most callers."""
    pictures = {"include_images": random.random() < 0.8} if tool in IMAGE_TOOLS else {}
    held = random.choice(random.choice(both.houses).documents)
    names = [["edgeragapp"], ["default"], ["default", "qzxashlf", "qzxbshlf"], None, [held.doc_id, "default"]]
    drawn = text_of(any_filter(random), random)
    filters = [*ADMITTING, *ADMITTING, *ADMITTING, drawn, f"1 == 1 or {drawn}", f'file_path == "{held.file_name}.txt"']
    return {
        "query": random.choice([LURE, LURE, f"{LURE} here", f"{LURE} {held.doc_id}"]),
        "collection_names": random.choice(names),
        "top_n": random.choice([1, 5, 50]),
        "strictness": random.choice([0, 0, 1, 5]),
        "filters": random.choice(filters),
        **pictures,
    }


def words(reported: dict[str, Any], body: str) -> tuple[set[str], int]:
    """Return the words of an answer and of its pictures, and the number of these."""
    blocks = [each for each in reported.get("result", {}).get("content", ()) if each["type"] == "image"]
    pictures = [b64decode(each["data"]).decode("latin-1") for each in blocks]
    return set(CANARY.findall(" ".join([body, *pictures]))), len(pictures)


def test_every_word_of_an_answer_is_one_that_its_caller_may_read(two_tenants: TwoTenants) -> None:
    random = Random(11)
    sent, finding, pictured = Counter[str](), Counter[str](), 0
    for _ in range(CALLS):
        house, tool = random.choice(two_tenants.houses), random.choice(TOOLS)
        key = random.choice(house.keys)
        user, tags = None, None
        if key.key.user is None:
            user = random.choice(USERS)
            tags = frozenset(random.sample((RED, BLUE, KEPT), random.randint(0, 3)))
        given = arguments(random, two_tenants, tool) if tool in SEARCHES else {}
        message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": tool, "arguments": given}}
        body = json.dumps(message)
        headers = tuple({**PLAIN, **caller(key, user, tags)}.items())
        event, answer = two_tenants.answer(GatewayRequest("POST", PATH, "", headers, body.encode(), "127.0.0.1"))
        reported = json.loads(answer["body"])
        assert answer["statusCode"] == 200, reported
        assert "result" in reported or reported["error"]["code"] == -32602, reported
        sent[tool] += 1
        finding[tool] += bool('"file_path":' in answer["body"] or '"status":"active"' in answer["body"])
        admitted = decision_from_event(event).caller
        assert admitted is not None, event
        reader = admitted.principal
        rights = reader.user, reader.tags
        found, pictures = words(reported, answer["body"])
        pictured += pictures
        for word in found:
            held = two_tenants.by_word.get(word)
            if held is None or (word != held.secret and word in body):
                continue
            assert held.tenant == house.tenant, (word, message)
            assert key.key.collections == "every" or held.collection in key.key.collections, (word, message)
            assert may_read(*rights, held.policy), (word, message)
    sys.stdout.write(f"{ {tool: f'{finding[tool]} of {sent[tool]}' for tool in TOOLS} }\n")
    for tool in TOOLS:
        assert finding[tool] >= sent[tool] / 2, tool
    assert pictured > CALLS / 4
