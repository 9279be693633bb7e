"""The isolation machine with callers who are clients of Vertex: they retrieve contexts, and list corpora and files."""

import json
from collections.abc import Sequence
from http import HTTPStatus
from typing import Final

import pytest
from hypothesis import strategies as st
from hypothesis.stateful import invariant, rule

from tests.support.isolation.expectations import Held, visible
from tests.support.isolation.leaks.browsing import BROWSING_LEAKS
from tests.support.isolation.machine import COMMON, Isolation, LeakError
from tests.support.isolation.running import run
from tests.support.isolation.shown_links import Call
from tests.support.worlds.world import Answer, World, caller

LOCATION: Final = "/v1beta1/projects/p1/locations/eu"
NOWHERE: Final = "nowhere"
COUNTS: Final = {"calls": 0, "answered": 0}


class Retrieving(Isolation):
    """The same promise."""

    @rule(data=st.data())
    def retrieve(self, data: st.DataObject) -> None:
        """Query each corpus that ever existed, and list those that exist, as some caller."""
        self._look(self._caller(data))

    @invariant()
    def retrieve_again(self) -> None:
        """Repeat the last searches after every step."""
        for call in self._searches:
            self._look(call)

    def _look(self, call: Call) -> None:
        holder, user, tags = call
        tenancy = self._tenancy(holder.tenant)
        who = holder.speaks_for(user, tags, tenancy.entries)
        if isinstance(who, HTTPStatus):
            self._expect_status(self._send(call, "GET", "/ragCorpora"), who)
            return
        seen = visible(tenancy.documents.values(), who, holder.collections)
        self._expect_names(self._send(call, "GET", "/ragCorpora"), "ragCorpora", {held.collection for held in seen})
        every = {held.collection for each in self._tenancies for held in each.documents.values()}
        for collection in sorted(every | {NOWHERE}):
            of_corpus = [held for held in seen if held.collection == collection]
            self._expect_files(call, collection, of_corpus)
            self._expect_contexts(call, collection, of_corpus)

    def _send(self, call: Call, method: str, path: str, body: bytes = b"") -> Answer:
        holder, user, tags = call
        headers = {"content-type": "application/json", **caller(holder.key, user, tags)}
        return self._world.request(method, f"{LOCATION}{path}", headers, body)

    def _expect_contexts(self, call: Call, collection: str, seen: Sequence[Held]) -> None:
        corpus = f"{LOCATION.removeprefix('/v1beta1/')}/ragCorpora/{collection}"
        sent = {"text": COMMON, "ragRetrievalConfig": {"topK": 100, "filter": {"vectorDistanceThreshold": 2.1}}}
        body = {"query": sent, "vertexRagStore": {"ragResources": [{"ragCorpus": corpus}]}}
        answer = self._send(call, "POST", "/:retrieveContexts", json.dumps(body).encode())
        self._expect_words(answer, list(seen))
        COUNTS["calls"] += 1
        if answer.status == HTTPStatus.NOT_FOUND:
            if seen:
                self._miss(f"{collection} does not exist for {call}")
            return
        assert answer.status == HTTPStatus.OK, answer.bytes
        contexts = answer.payload["contexts"]["contexts"]
        COUNTS["answered"] += bool(contexts)
        if more := {each["chunk"]["fileId"] for each in contexts} - {held.doc_id for held in seen}:
            raise LeakError(f"{call} was shown {more}")
        if not seen:
            raise LeakError(f"{collection} exists for {call}")
        if missing := {text for held in seen for text in held.passages} - {each["text"] for each in contexts}:
            self._miss(f"{call} was not shown {missing}")

    def _expect_files(self, call: Call, collection: str, seen: Sequence[Held]) -> None:
        answer = self._send(call, "GET", f"/ragCorpora/{collection}/ragFiles?pageSize=100")
        if answer.status == HTTPStatus.NOT_FOUND:
            self._expect_words(answer, [])
            if seen:
                self._miss(f"{collection} has no files for {call}")
            return
        self._expect_names(answer, "ragFiles", {held.doc_id for held in seen})

    def _expect_names(self, answer: Answer, member: str, expected: set[str]) -> None:
        self._expect_words(answer, [])
        assert answer.status == HTTPStatus.OK, answer.bytes
        named = {each["name"].rpartition("/")[2] for each in answer.payload[member]}
        if more := named - expected:
            raise LeakError(f"was listed {more}")
        if missing := expected - named:
            self._miss(f"not listed: {missing}")


def test_every_client_of_vertex_is_shown_exactly_what_its_user_may_read_at_that_moment(world: World) -> None:
    COUNTS.update(calls=0, answered=0)
    run(world, examples=6, machine=Retrieving)
    assert COUNTS["answered"] > COUNTS["calls"] // 10


def test_the_machine_finds_a_product_that_lists_files_unchecked(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    BROWSING_LEAKS["lists and completions are unchecked"](monkeypatch)
    with pytest.raises(LeakError):
        run(world, examples=20, leaks_only=True, machine=Retrieving)
