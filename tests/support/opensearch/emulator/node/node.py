"""The engine behind the emulator."""

import secrets
from threading import Lock
from typing import Any
from urllib.parse import quote

from tests.support.opensearch.emulator.http.connections import Connections
from tests.support.opensearch.emulator.http.messages import JSON, Answer, Request, json_answer
from tests.support.opensearch.emulator.node import spares
from tests.support.opensearch.emulator.node.names import Names


class Node:
    """Calls to the engine, which has indexes of the emulator under names of its own."""

    def __init__(self, url: str) -> None:
        self._names = Names()
        self._connections = Connections(url)
        self._spares = spares.of(url)
        self._bodies: dict[str, bytes] = {}
        self._making = Lock()

    def pass_on(self, request: Request) -> Answer:
        """The engine's answer to the request."""
        name = self._names.of_node(request.index)
        if spares.reshapes(request, self._bodies.get(name)):
            self._bodies.pop(name, None)
        sent = self._names.inward(request)
        return self._called(sent.method, sent.target, sent.body, request.headers.get("content-type", JSON))

    def ask(self, method: str, index: str, operation: str) -> Answer:
        """The answer to a call of the emulator's own."""
        return self._called(method, f"/{quote(self._names.of_node(index))}/{operation}")

    def make(self, request: Request) -> Answer:
        """The answer to who makes an index: where it can be, an emptied one of the very same body."""
        if self._spares is None or not spares.can_be_emptied(request):
            return self.pass_on(request)
        with self._making:
            if self._called("HEAD", f"/{quote(self._names.of_node(request.index))}").status == 200:
                return self.pass_on(request)
            spare = self._spares.take(request.body)
            name = spare or f"spare-{secrets.token_hex(8)}"
            self._names.give(request.index, name)
            self._bodies[name] = request.body
            if spare is not None:
                return json_answer(200, {"acknowledged": True, "shards_acknowledged": True, "index": request.index})
            answer = self.pass_on(request)
            if answer.status != 200:
                self._names.taken_back(request.index)
            return answer

    def remove(self, request: Request) -> Answer:
        """The answer to who removes indexes."""
        if self._put_aside(request.index) and "*" not in request.index:
            return json_answer(200, {"acknowledged": True})
        return self.pass_on(request)

    def clear(self) -> None:
        """No index of the emulator is left."""
        self._put_aside("*")
        self._called("DELETE", f"/{self._names.everything}")

    def close(self) -> None:
        """Its connections are closed."""
        self._connections.close()

    def _put_aside(self, pattern: str) -> bool:
        """Hide the indexes of the pattern from clients and keep them as spares; return whether there were any."""
        with self._making:
            names = self._names.taken_back(pattern)
            for name in names:
                assert self._spares is not None
                self._spares.put(name, self._bodies.pop(name, None))
        return bool(names)

    def _called(self, method: str, target: str, body: bytes = b"", kind: str = JSON) -> Answer:
        return self._names.outward(self._connections.call(method, target, body, kind))


def mapping_of(answer: Answer) -> dict[str, Any]:
    """The mapping that an answer to `_mapping` holds of its one index; empty where there is no index."""
    if answer.status != 200:
        return {}
    [(_, held)] = answer.payload.items()
    return held["mappings"]
