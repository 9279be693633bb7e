"""Calls drawn at random, over REST and MCP: no byte of what the caller may not read, and no failure of the server."""

import json
from collections import Counter
from random import Random
from typing import Any, Final

import pytest

from groundwire.domain.access.policy import Policy
from tests.server.dialects.vertex.company import BETA, HANDBOOK, PARENT, RETRIEVE, Company
from tests.support.worlds.world import Answer, caller

CANARIES: Final = ("quillwort", "saxifrage", "pennyroyal", "feverfew", "tansy")
"""Words of text, file, metadata, tag and user that nobody sends."""
CALLS: Final = 400
_WHERES: Final = (
    *(None, "", "year == 2024", "year != 2024", "!(year == 2024)", "!has(metadata.year)", 'month in ["May", "June"]'),
    *("has(metadata.secret)", 'secret != "x"', 'source_file_name.contains("s")', "year = 2024", "1 == 1 || year == 1"),
)


@pytest.fixture
def guarded(company: Company) -> Company:
    closed = Policy(
        public=False, users=frozenset({"tansy"}), any_tags=frozenset({"feverfew"}), all_tags=frozenset[str]()
    )
    for collection in ("handbook", "kitchen", "closed"):
        metadata = {"year": 2024.0, "secret": "pennyroyal"}
        text = "The wheel pump of the quillwort.\n\nSoup with quillwort on Monday."
        company.add(f"saxifrage-{collection}", text, closed, collection=collection, metadata=metadata)
    other = company.world.tenant("birch")
    stranger = Company(company.world, other, company.world.acting_key(other))
    stranger.add("handbook-saxifrage", "The wheel pump of the quillwort.", metadata={"secret": "pennyroyal"})
    return company


def drawn(random: Random, name: str, *values: object) -> dict[str, object]:
    """The member with one of the values, or not at all."""
    value = random.choice([None, *values])
    return {} if value is None else {name: value}


def body(random: Random) -> dict[str, Any]:
    """A request, mostly one that can be answered."""
    corpus = random.choice(
        [HANDBOOK] * 6 + [f"{PARENT}/ragCorpora/{name}" for name in ("kitchen", "closed", "nowhere")]
    )
    filters = {
        **drawn(random, "metadataFilter", *_WHERES),
        **random.choice([{}, {}, {"vectorDistanceThreshold": random.random() * 2}, {"vectorSimilarityThreshold": 0.1}]),
    }
    config = {
        **drawn(random, "topK", 0, 1, "2", 3.0, 100),
        **random.choice([{}, {}, {"filter": filters}]),
        **random.choice([{}, {"hybridSearch": {"alpha": random.choice([0, 0.5, 1])}}]),
    }
    files = random.choice([{}, {}, {}, {"ragFileIds": random.sample(["pump", "secret", "x"], 2)}])
    return {
        "query": {"text": random.choice(["wheel pump", "soup on Monday", "oil"]), "ragRetrievalConfig": config},
        "vertexRagStore": {"ragResources": [{"ragCorpus": corpus, **files}]},
    }


def call(company: Company, random: Random, headers: dict[str, str]) -> tuple[str, Answer]:
    """One call, with the name of its interface."""
    sent = body(random)
    path = random.choice([RETRIEVE, BETA, "/mcp/generate", "/mcp/retrieval"])
    if not path.startswith("/mcp"):
        return "rest", company.post(path, sent, headers)
    params = {"name": "retrieve_contexts", "arguments": {"parent": PARENT, **sent}}
    return "mcp", company.post(path, {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}, headers)


def test_no_answer_to_a_call_drawn_at_random_holds_a_canary(
    guarded: Company, capsys: pytest.CaptureFixture[str]
) -> None:
    random = Random(21)
    callers = [
        caller(guarded.key, user, tags) for user, tags in (("ana", None), ("ben", frozenset({"red"})), (None, ""))
    ]
    answered, calls = Counter[str](), Counter[str]()
    for _ in range(CALLS):
        name, answer = call(guarded, random, random.choice(callers))
        assert answer.status in {200, 400, 404}, answer.payload
        assert [word for word in CANARIES if word.encode() in answer.bytes] == []
        calls[name] += 1
        answered[name] += b'"score"' in answer.response.body or b'\\"score\\"' in answer.response.body
    with capsys.disabled():
        print(f"\nanswered with a context: {dict(answered)} of {dict(calls)}")  # noqa: T201 - counts of the sweep
    assert all(2 * answered[name] >= calls[name] for name in ("rest", "mcp"))


def test_the_canaries_are_found_by_whom_they_admit(guarded: Company) -> None:
    headers = caller(guarded.key, "tansy")
    found = guarded.post(
        RETRIEVE, {"query": {"text": "quillwort"}, "vertexRagStore": {"ragCorpora": [HANDBOOK]}}, headers
    )
    assert b"quillwort" in found.response.body
    assert b"saxifrage" in found.response.body


def test_lists_hold_no_canary(guarded: Company) -> None:
    for path in ("ragCorpora", "ragCorpora/handbook", "ragCorpora/handbook/ragFiles", "ragCorpora/closed/ragFiles"):
        for version in ("v1", "v1beta1"):
            answer = guarded.get(f"/{version}/{PARENT}/{path}")
            assert [word for word in CANARIES if word.encode() in answer.bytes] == []


def mutated(random: Random, sent: bytes) -> bytes:
    """The bytes with some of them replaced, removed or repeated."""
    changed = bytearray(sent)
    for _ in range(random.randint(1, 6)):
        at = random.randrange(len(changed))
        match random.randrange(4):
            case 0:
                changed[at] = random.randrange(256)
            case 1:
                del changed[at : at + random.randint(1, 9)]
            case 2:
                changed[at:at] = changed[at : at + random.randint(1, 20)]
            case _:
                changed[at:at] = random.choice([b"null", b"{}", b"[]", b"1e999", b'"NaN"', b"true", b"\\ud800", b"-0"])
        changed = changed or bytearray(b"{}")
    return bytes(changed)


def test_whatever_bytes_come_the_answer_is_googles(company: Company) -> None:
    random = Random(4)
    statuses = Counter[int]()
    for _ in range(CALLS):
        answer = company.post(random.choice([RETRIEVE, BETA]), mutated(random, json.dumps(body(random)).encode()))
        assert answer.status in {200, 400, 404}, answer.payload
        assert set(answer.payload) == ({"contexts"} if answer.status == 200 else {"error"})
        statuses[answer.status] += 1
    assert statuses[400] > CALLS // 4
