"""Hidden documents are added, changed and deleted; no byte of any dialect's answer changes for other readers."""

import re
from collections.abc import Callable, Mapping
from http import HTTPStatus
from typing import Final

import pytest

from groundwire.domain.access.policy import Policy
from groundwire.ports import DocumentVersion
from tests.support.documents.plain_text_parser import PICTURE
from tests.support.isolation.dialect_calls import DIALECT_CALLS, DialectCall, Wanted
from tests.support.isolation.draws import COLLECTIONS, COMMON
from tests.support.isolation.leaks import LEAKS
from tests.support.isolation.leaks.browsing import BROWSING_LEAKS
from tests.support.isolation.policies import NO_READERS, PUBLIC, for_users
from tests.support.worlds.world import Answer, World, caller

READER: Final = "ana"
CLOSED: Final = (for_users("ben"), NO_READERS)

OF_ONE_ANSWER: Final = frozenset({"request-id", "elapsed-time", "content-length"})
"""Headers that differ between equal answers: ids, times, and the length of a time."""

PARTS_OF_ONE_ANSWER: Final = (
    rb"=[0-9]{9}(?![0-9])",
    rb"/open/[A-Za-z0-9_-]+",
    rb'"queryTime":"[^"]+"',
    rb'"elapsedMs":[0-9]+',
    rb'"took":[0-9]+',
)
"""Members that differ between equal answers: the line between quotations, the hour of a link, times of a search."""

ComparedAnswer = tuple[int, list[tuple[str, str]], bytes]


@pytest.fixture
def tenant(world: World) -> str:
    amber = world.tenant("amber")
    for number in range(6):
        text = f"The {COMMON} of {number}.\n\nMore of {COMMON} {number}."
        add(world, amber, f"open-{number}", PUBLIC, text, COLLECTIONS[number % 2])
    return amber


def add(world: World, tenant: str, doc_id: str, policy: Policy, text: str, collection: str) -> None:
    text = f"{text}\n\n{PICTURE}A drawing of the {COMMON} #{doc_id}"
    world.ingest(tenant, text, policy, path=f"/files/{doc_id}.txt", doc_id=doc_id, collection=collection)


class Reader:
    """Caller that makes every call of every dialect, each with a key for its toolset."""

    def __init__(self, world: World, tenant: str) -> None:
        self._world = world
        key = world.acting_key(tenant)
        self._keys = {None: key} | {toolset: world.twin(key, toolset) for toolset in _toolsets()}
        uid = world.services.stores.indexes.for_tenant(tenant).segments(DocumentVersion("open-0", 1))[0].uid
        self._wanted = Wanted(COLLECTIONS[0], "open-0", uid, "open-1")

    def answers(self) -> dict[str, ComparedAnswer]:
        """Return the compared part of each answer, by the name of the call."""
        return {each.name: _compared(self._send(each)) for each in DIALECT_CALLS}

    def _send(self, each: DialectCall) -> Answer:
        method, path, body = each.send(self._wanted)
        headers = {**each.headers, **caller(self._keys[each.toolset], READER)}
        answer = self._world.request(method, path, headers, body)
        assert answer.status == HTTPStatus.OK, (each.name, answer.bytes)
        return answer


def _toolsets() -> set[str]:
    return {each.toolset for each in DIALECT_CALLS if each.toolset is not None}


def _compared(answer: Answer) -> ComparedAnswer:
    headers = [(name, value) for name, value in answer.response.headers if name.lower() not in OF_ONE_ANSWER]
    body = answer.response.body
    for part in PARTS_OF_ONE_ANSWER:
        body = re.sub(part, b"", body)
    return answer.status, headers, body


def close_documents(world: World, tenant: str) -> None:
    for number, collection in enumerate((*COLLECTIONS, *COLLECTIONS, "archive")):
        text = f"The {COMMON} {COMMON} of {number}.\n\nThe {COMMON} of {number}."
        add(world, tenant, f"closed-{number}", CLOSED[number % 2], text, collection)


def changed(before: Mapping[str, ComparedAnswer], after: Mapping[str, ComparedAnswer]) -> dict[str, list[bytes]]:
    return {name: [before[name][2], after[name][2]] for name in before if before[name] != after[name]}


def test_hidden_documents_change_no_byte_of_any_dialects_answer(world: World, tenant: str) -> None:
    reader = Reader(world, tenant)
    before = reader.answers()
    close_documents(world, tenant)
    assert changed(before, reader.answers()) == {}
    admin = world.services.administration.document_admin
    for number in range(5):
        admin.override_policy(tenant, f"closed-{number}", CLOSED[(number + 1) % 2])
    assert changed(before, reader.answers()) == {}
    for number in range(5):
        admin.delete(tenant, f"closed-{number}")
    assert changed(before, reader.answers()) == {}


BUGS: Final[Mapping[str, Callable[[pytest.MonkeyPatch], None]]] = {
    "an empty policy is public": LEAKS["empty policy is public"],
    "lists and completions are unchecked": BROWSING_LEAKS["lists and completions are unchecked"],
}


@pytest.mark.parametrize("bug", BUGS)
def test_a_product_is_found_in_which(bug: str, world: World, tenant: str, monkeypatch: pytest.MonkeyPatch) -> None:
    BUGS[bug](monkeypatch)
    reader = Reader(world, tenant)
    before = reader.answers()
    close_documents(world, tenant)
    assert changed(before, reader.answers())
