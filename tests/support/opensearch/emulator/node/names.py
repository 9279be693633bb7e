"""Each emulator has the node to itself: the names of its indexes begin with a word of its own there."""

import json
import secrets
from dataclasses import replace
from fnmatch import fnmatchcase
from typing import Any
from urllib.parse import quote, urlsplit

from tests.support.opensearch.emulator.http.messages import Answer, Request
from tests.support.opensearch.emulator.requests import bulks


class Names:
    """Names as clients know them, and as the node does."""

    def __init__(self) -> None:
        self._prefix = f"gate-{secrets.token_hex(6)}-"
        self._given: dict[str, str] = {}

    @property
    def everything(self) -> str:
        """Every index without a given name, as the node knows them."""
        return f"{self._prefix}*"

    def of_node(self, index: str) -> str:
        """The index as the node knows it; of a pattern, all indexes that it means."""
        if "*" not in index:
            return self._given.get(index, self._prefix + index)
        return ",".join([self._prefix + index, *(self._given[each] for each in self._meant(index))])

    def give(self, index: str, name: str) -> None:
        """The node knows the index by this name."""
        self._given[index] = name

    def taken_back(self, pattern: str) -> list[str]:
        """The names that were given to these indexes, and are no longer theirs."""
        return [self._given.pop(index) for index in self._meant(pattern)]

    def inward(self, request: Request) -> Request:
        """The request as the node shall get it."""
        return replace(request, target=self._target(request), body=self._body(request))

    def outward(self, answer: Answer) -> Answer:
        """The answer as the client shall get it."""
        body = answer.body.replace(self._prefix.encode(), b"")
        for index, name in list(self._given.items()):
            body = body.replace(name.encode(), index.encode())
        return replace(answer, body=body)

    def _meant(self, pattern: str) -> list[str]:
        return [index for index in list(self._given) if fnmatchcase(index, pattern)]

    def _target(self, request: Request) -> str:
        if request.operation == "_resolve":
            parts = [*request.parts[:-1], self.of_node(request.parts[-1])]
        elif request.index:
            parts = [self.of_node(request.index), *request.parts[1:]]
        else:
            return request.target
        query = urlsplit(request.target).query
        return "/" + "/".join(quote(part, safe="") for part in parts) + (f"?{query}" if query else "")

    def _body(self, request: Request) -> bytes:
        if request.operation == "_bulk":
            parts = [(self._action(one.lines[0]), *one.lines[1:]) for one in bulks.actions(request)]
            return b"".join(line + b"\n" for lines in parts for line in lines)
        if request.operation == "_msearch":
            lines = request.body.splitlines()
            lines[::2] = [self._named(json.loads(line), "index") for line in lines[::2]]
            return b"".join(line + b"\n" for line in lines)
        return request.body

    def _action(self, line: bytes) -> bytes:
        [(name, about)] = json.loads(line).items()
        return b'{"' + name.encode() + b'":' + self._named(about, "_index") + b"}"

    def _named(self, about: dict[str, Any], key: str) -> bytes:
        return json.dumps({**about, **({key: self.of_node(about[key])} if key in about else {})}).encode()
