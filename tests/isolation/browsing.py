"""The machine with callers who look around: they list, complete and read resources, and fetch."""

import json
from collections.abc import Iterator, Mapping
from http import HTTPStatus
from typing import Any, Final

from hypothesis import strategies as st
from hypothesis.stateful import invariant, rule

from groundwire.domain.documents.ids import short_passage_id
from tests.support.isolation.expectations import Held, visible
from tests.support.isolation.machine import STRAY, Isolation, LeakError
from tests.support.isolation.shown_links import Call
from tests.support.worlds.world import Answer, caller

_TEMPLATE: Final = "groundwire://documents/{doc_id}"


class Browsing(Isolation):
    """The same promise."""

    @rule(data=st.data())
    def look_around(self, data: st.DataObject) -> None:
        """List documents, collections and resources as some caller."""
        call = self._caller(data)
        seen = self._seen(call)
        if seen is not None:
            listed = list(self._listed(call))
            assert len(listed) == len(set(listed)), listed
            self._expect_exactly(seen, call, set(listed))
            self._expect_completions(seen, call)

    @rule(data=st.data())
    def read_anything(self, data: st.DataObject) -> None:
        """Read any id or uid that was ever used, also of the other tenant, as some caller."""
        call = self._caller(data)
        ever = [uid for held in self._documents() for uid in held.uids]
        self._read(call, data.draw(st.sampled_from(ever or [STRAY])))

    @invariant()
    def look_again(self) -> None:
        """Read, after every step, a document that was just changed and one that was deleted."""
        deleted_ids = [
            uid for held in self._documents() for uid in held.uids if held.deleted or uid not in _current(held)
        ]
        for call in self._searches[:1]:
            self._read(call, self._changed)
        for call in self._searches[1:2]:
            self._read(call, deleted_ids[next(self._steps) % len(deleted_ids)] if deleted_ids else STRAY)

    def _documents(self) -> list[Held]:
        return [held for each in self._tenancies for held in each.documents.values()]

    # What is expected

    def _seen(self, call: Call) -> list[Held] | None:
        """The documents that the call must be shown; None for a call that is refused, as it must be."""
        holder, user, tags = call
        tenancy = self._tenancy(holder.tenant)
        who = holder.speaks_for(user, tags, tenancy.entries)
        if isinstance(who, HTTPStatus):
            self._expect_status(self._ask(call, "resources/list", {}), who)
            return None
        return visible(tenancy.documents.values(), who, holder.collections)

    def _listed(self, call: Call) -> Iterator[str]:
        params: dict[str, object] = {}
        while True:
            answer = self._ask(call, "resources/list", params)
            self._expect_words(answer, [])
            yield from (resource["uri"] for resource in answer.result["resources"])
            if "nextCursor" not in answer.result:
                return
            params = {"cursor": answer.result["nextCursor"]}

    def _expect_exactly(self, seen: list[Held], call: Call, listed: set[str]) -> None:
        collections = {f"groundwire://collections/{held.collection}" for held in seen}
        expected = collections | {f"groundwire://documents/{held.doc_id}" for held in seen}
        if more := listed - expected:
            raise LeakError(f"{call[0].tenant} was listed {more}")
        if missing := expected - listed:
            self._miss(f"not listed: {missing}")

    def _expect_completions(self, seen: list[Held], call: Call) -> None:
        requested = {"ref": {"type": "ref/resource", "uri": _TEMPLATE}, "argument": {"name": "doc_id", "value": ""}}
        values = set(self._ask(call, "completion/complete", requested).result["completion"]["values"])
        expected = {held.doc_id for held in seen}
        if more := values - expected:
            raise LeakError(f"{call[0].tenant} was proposed {more}")
        if missing := expected - values:
            self._miss(f"not proposed: {missing}")

    def _read(self, call: Call, uid: str) -> None:
        """By the document and by the passage, as a resource and by the tool."""
        seen = self._seen(call)
        if seen is None:
            return
        doc_id = uid.rpartition(".")[0]
        held = next((each for each in seen if each.doc_id == doc_id), None)
        current = held is not None and uid in _current(held)
        for wanted, uri, is_open in (
            (doc_id, f"groundwire://documents/{doc_id}", held is not None),
            (uid, f"groundwire://segments/{uid}", current),
        ):
            read = self._ask(call, "resources/read", {"uri": uri})
            self._expect_text(read, held if is_open else None, is_shown="result" in read.payload)
            for identifier in (uid, short_passage_id(uid)) if wanted == uid else (doc_id,):
                fetched = self._ask(call, "tools/call", {"name": "fetch", "arguments": {"id": identifier}})
                self._expect_text(fetched, held if is_open else None, is_shown="result" in fetched.payload)

    def _expect_text(self, answer: Answer, held: Held | None, *, is_shown: bool) -> None:
        self._expect_words(answer, [] if held is None else [held])
        if is_shown and held is None:
            raise LeakError(f"read: {answer.bytes!r}")
        if held is not None and not all(passage in _text(answer.payload) for passage in held.passages):
            self._miss(f"{held} reads {answer.bytes!r}")

    def _ask(self, call: Call, method: str, params: Mapping[str, object]) -> Answer:
        holder, user, tags = call
        message = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
        return self._world.post(json.dumps(message).encode(), caller(holder.key, user, tags))


def _current(held: Held) -> list[str]:
    """The uids of the version that answers."""
    return held.uids[-len(held.passages) :]


def _text(payload: Mapping[str, Any]) -> str:
    """All texts of the answer, as a model reads them."""
    return json.dumps(payload, ensure_ascii=False)
