"""The service of one generation: what it would refuse is refused, everything else is done by the engine behind it."""

import json
import sys
from collections.abc import Collection
from dataclasses import replace
from typing import Final

from tests.support.opensearch.emulator.generations import Generation
from tests.support.opensearch.emulator.http import signature
from tests.support.opensearch.emulator.http.messages import Answer, Refusal, Request, json_answer
from tests.support.opensearch.emulator.node.fields import Fields
from tests.support.opensearch.emulator.node.node import Node, mapping_of
from tests.support.opensearch.emulator.node.visibility import Visibility
from tests.support.opensearch.emulator.requests import answers, bulks, calls, mappings, searches

_MOST_BYTES: Final = 10 * 1024 * 1024
_DOCUMENTS: Final = frozenset({"_search", "_msearch", "_mget", "_doc", "_source"})
"""Operations whose answers hold documents."""

_SEARCHES: Final = frozenset({"_search", "_msearch", "_count"})
_WRITES: Final = frozenset({"_bulk", "_doc", "_create", "_update"})
_BUSY: Final = ("rejected_execution_exception", "rejected execution of coordinating operation")


class Service:
    """Answers requests as the generation would.

    Attributes:
        substituted: what of a mapping the engine behind does otherwise.
    """

    def __init__(self, node: Node, generation: Generation, visibility: Visibility) -> None:
        self.substituted: list[str] = []
        self._node = node
        self._generation = generation
        self._visibility = visibility
        self._fields = Fields(node)
        self._vectors: dict[str, Collection[str]] = {}

    def judge(self, request: Request) -> None:
        """Raises Refusal."""
        if not self._generation.serverless:
            return
        signature.judge(request)
        if len(request.body) > _MOST_BYTES:
            raise Refusal(json_answer(413, {"status": 413, "error": {"reason": "Request Entity Too Large"}}))
        calls.judge(request, self._generation)
        if request.operation in _SEARCHES and "point_in_time" not in request.parts:
            searches.judge(request, self._generation)
        elif _shapes_index(request):
            mappings.judge(request, self._generation)

    def do(self, request: Request) -> Answer:
        """The answer to a request that was judged."""
        if request.operation == "_bulk":
            return self.bulk(request, every_second=False)
        if _shapes_index(request):
            return self._shape(request)
        if request.operation in _WRITES and request.method != "GET":
            self._visibility.wrote(request.index)
            return self._node.pass_on(request)
        if request.operation in _DOCUMENTS | _SEARCHES:
            return self._read(request)
        if _removes_index(request):
            self._fields.forget()
            return self._node.remove(request)
        return self._node.pass_on(request)

    def bulk(self, request: Request, *, every_second: bool) -> Answer:
        """Return the answer to a bulk request; the service may refuse every second action as too much."""
        sent = bulks.actions(request)
        items = [bulks.refused(action, self._generation) for action in sent]
        if self._generation.refuses_bulks and (refused := [item for item in items if item is not None]):
            return bulks.whole_refused(refused[0])
        if self._generation.serverless:
            items = [item or self._fields.refused(action) for action, item in zip(sent, items, strict=True)]
        if every_second:
            items[1::2] = [action.refused(429, *_BUSY) for action in sent[1::2]]
        for index in {action.index for action in sent}:
            self._visibility.wrote(index)
        return bulks.split(sent, items, lambda body: self._node.pass_on(replace(request, body=body)))

    def _shape(self, request: Request) -> Answer:
        body = request.payload
        for line in mappings.with_engine_of_the_node(body):
            sys.stdout.write(f"gate: index {request.index}, field {line}\n")
            self.substituted.append(line)
        if request.operation:
            return self._node.pass_on(replace(request, body=json.dumps(body).encode()))
        self._fields.forget()
        self._visibility.put_into(body.setdefault("settings", {}))
        answer = self._node.make(replace(request, body=json.dumps(body).encode()))
        if answer.status == 200:
            self._visibility.made(request.index)
        return answer

    def _read(self, request: Request) -> Answer:
        self._visibility.before_reading()
        # Written and read by different workers, a document is found by its id no sooner than by a search.
        if request.operation in {"_doc", "_source", "_mget"} and self._generation.serverless:
            request = replace(request, target=_with_parameter(request.target, "realtime=false"))
        answer = self._node.pass_on(request)
        if request.operation in _SEARCHES and request.method != "DELETE":
            absent = {index for index in searches.indexes(request) if not self._visibility.is_searched(index)}
            answer = answers.without_indexes(request, answer, absent) if absent else answer
        if self._generation.shows_vectors or answer.status != 200 or request.operation not in _DOCUMENTS:
            return answer
        return answers.without_vectors(request, answer, self._vectors_of)

    def _vectors_of(self, index: str) -> Collection[str]:
        if index not in self._vectors:
            mapping = mapping_of(self._node.ask("GET", index, "_mapping"))
            self._vectors[index] = [name for name, _ in mappings.vectors(mapping)]
        return self._vectors[index]


def _removes_index(request: Request) -> bool:
    return request.method == "DELETE" and len(request.parts) == 1 and bool(request.index)


def _shapes_index(request: Request) -> bool:
    is_new = len(request.parts) == 1 and bool(request.index)
    return request.method in {"PUT", "POST"} and (is_new or request.operation == "_mapping")


def _with_parameter(target: str, parameter: str) -> str:
    return f"{target}{'&' if '?' in target else '?'}{parameter}"
