"""What goes wrong with requests: in the tree of the body, in the headers, in the bytes."""

import json
from collections.abc import Callable, Iterator
from copy import deepcopy
from random import Random
from typing import Any, Final
from urllib.parse import quote

from tests.support.clients.valid_requests import VERSIONS, Draft, Lines
from tests.support.worlds.two_tenants import BLUE, RED, TwoTenants

_TEXTS: Final = (
    *("", " ", "\x00", "é", "e\u0301", "\u202egnp", "😀", "\ufeff", "a,b", "null", "NaN", "../..", "%00", "\n"),
    *(
        "x" * 300,
        "x" * 9_000,
        "[" * 2_000,
        "groundwire://documents/qzxbiadx",
        "groundwire://documents/qzxaiadx/pages/0",
    ),
    *(
        "groundwire://segments/qzxbiadx.0000000000000000",
        "=?base64?////?=",
        "=?base64?w6k=?=",
        "Bearer",
        "{}",
        "[]",
        "*",
    ),
    *("default", "tools/call", "resources/read", "initialize", "sys:admin", "2026-07-28", "1999-01-01", "text/plain"),
)
_ODD: Final = (
    *(None, True, False, 0, 1, 2, 7, -1, 1.5, 2**53, [], {}, [[]], ["ledger"], [1], {"": ""}, {"a": {"b": [1, "é"]}}),
    *([None] * 40, ["x"] * 6, {"arguments": {}}, {"name": "rag_search"}, {"io.modelcontextprotocol/logLevel": "info"}),
)
_NO_NUMBERS: Final = (2**53 + 1, -(2**63), 1e308, float("inf"), float("nan"))
_HEAD: Final = 3
"""Number of members that every draft has: `jsonrpc`, `id` and `method`; mutations of later ones reach more code."""
_NAMES: Final = (
    *("mcp-protocol-version", "mcp-method", "mcp-name", "mcp-session-id", "x-user-id", "x-session-tags", "accept"),
    *("authorization", "api-key", "x-api-key", "origin", "content-type", "mcp-param-query", "x-human-uid", "x-app-uid"),
    *("last-event-id", "traceparent", "host", "x-tenant", "content-length", "x-forwarded-for", "cookie"),
)
_METHODS: Final = ("DELETE", "GET", "PUT", "HEAD", "OPTIONS", "PATCH", "")
_PATH_ENDS: Final = ("%00", "%0A", "%2F..", "%3AretrieveContexts", ":", "%", "%ff", ";x=1", "%C3%A9")
_PARAMETERS: Final = ("pageSize", "pageToken", "page_size", "key", "alt", "$alt")
_DEPTHS: Final = (5, 31, 64, 65, 5_000)
_TAME: Final = b"azAZ019_-./"
_SHARPS: Final = b'"\\{}[],:\x00\xff\xc3u0e-.'


class Mutations:
    """Ways to spoil a request, with the names and tokens of everybody in the two tenants at hand."""

    def __init__(self, two_tenants: TwoTenants, random: Random) -> None:
        self._random = random
        own = [
            text
            for house in two_tenants.houses
            for text in (*house.secrets, *(key.secret.reveal() for key in house.keys))
        ]
        self._texts = [*_TEXTS, *own, *own]
        self._versions = [version for version in VERSIONS if version is not None]

    def body(self, draft: Draft) -> None:
        """One thing of the body is otherwise."""
        places = list(_places(draft.body))
        if not places:
            draft.body = self._value()
            return
        holder, key = self._random.choice(places if self._random.random() < 0.2 else places[_HEAD:] or places)
        self._random.choice((self._replace, self._replace, self._delete, self._double, self._swap, self._wrap))(
            holder, key, places
        )

    def headers(self, draft: Draft) -> None:
        """One thing of the headers is otherwise, or the HTTP method."""
        random, headers = self._random, draft.headers
        place = random.randrange(len(headers)) if headers else 0
        kind = random.randrange(10)
        if kind == 0 and headers:
            del headers[place]
        elif kind < 4 and headers:
            headers[place] = (headers[place][0], self._header_text())
        elif kind == 4:
            draft.method = random.choice(_METHODS)
        elif kind == 5 and headers:
            headers.append((random.choice((headers[place][0], random.choice(_NAMES))), headers[place][1]))
        elif kind == 6 and headers:
            name, value = headers[place]
            headers[place] = (name.upper(), random.choice((f" {value} ", value[:-1], value + value[-1:], value * 2)))
        elif kind == 7:
            headers.append(("mcp-protocol-version", random.choice(self._versions)))
        elif kind == 8:
            headers.append(
                ("x-session-tags", random.choice((f'["{RED}"]', f'["{BLUE}","{RED}"]', "[1]", '["\\ud800"]')))
            )
        else:
            headers.append((random.choice(_NAMES), self._header_text()))

    def path(self, draft: Draft) -> None:
        """One thing of the path or the query is otherwise; the first segment, by which a route is chosen, stays."""
        random = self._random
        parts = draft.path.split("/")
        place = random.randrange(3, len(parts)) if len(parts) > 3 else len(parts) - 1
        kind = random.randrange(8)
        if kind == 0:
            parts[place] = self._quoted_value()
        elif kind == 1:
            parts[place] += random.choice(_PATH_ENDS)
        elif kind == 2:
            parts.insert(place, random.choice(("", ".", "..", "ragFiles", "v1")))
        elif kind == 3:
            parts[place] = parts[place].swapcase()
        elif kind == 4:
            del parts[place]
        elif kind == 5:
            parts.append(random.choice(("ragCorpora", "ragFiles", ":retrieveContexts", "x" * 300, "")))
        else:
            self._query(draft)
        if not any(parts[3 if "projects" in parts else 2 :]):
            parts.append("x")
        draft.path = "/".join(parts)

    def _query(self, draft: Draft) -> None:
        random = self._random
        if random.random() < 0.5:
            draft.query = f"{random.choice(_PARAMETERS)}={self._quoted_value()}"
        else:
            draft.query += random.choice(("&", "=", "%", "&pageSize=1e3", "&pageSize=-1", "&pageToken=%00", "&&=&"))

    def torn(self, body: bytes) -> bytes:
        """Some bytes are others, missing, or there twice."""
        spoilt = bytearray(body)
        for _ in range(self._random.randint(1, 3)):
            self._tear(spoilt, self._random.randrange(len(spoilt) + 1))
        return bytes(spoilt)

    def _tear(self, spoilt: bytearray, at: int) -> None:
        random, kind = self._random, self._random.randrange(9)
        if kind == 0:
            del spoilt[at : at + random.randint(1, 9)]
        elif kind == 1:
            spoilt[at:at] = bytes([random.choice(_SHARPS)])
        elif kind == 2:
            spoilt[at:at] = spoilt[max(0, at - random.randint(1, 40)) : at]
        elif kind == 3:
            del spoilt[at:]
        elif kind == 4:
            spoilt[at : at + 1] = bytes([random.randrange(256)])
        elif spoilt[at : at + 1].isalnum():
            # Still JSON: what is torn is a word.
            spoilt[at] = random.choice(_TAME)

    def encoded(self, body: object) -> bytes:
        """The body's JSON in one of its spellings, now and then with a member twice or nested deeper than anything."""
        random = self._random
        if isinstance(body, Lines):
            return "".join(f"{json.dumps(each)}\n" for each in body).encode("utf-8", "surrogatepass")
        text = json.dumps(body, ensure_ascii=random.random() < 0.5, indent=random.choice((None, None, 1)))
        kind = random.randrange(40)
        if kind == 0:
            text = text.replace('"method"', '"method": "ping", "method"', 1)
        elif kind == 1:
            depth = random.choice(_DEPTHS)
            text = text.replace("{}", "[" * depth + "]" * depth, 1)
        elif kind == 2:
            text = text.replace("1", random.choice(("1e400", "1e2", "-0", "0.1", "01", "9" * 400)), 1)
        return text.encode("utf-8", "surrogatepass")

    def _quoted_value(self) -> str:
        return quote(str(self._value()).encode("utf-8", "surrogatepass"), safe="")

    def _header_text(self) -> str:
        return str(self._random.choice(self._texts)).replace("\n", " ")

    def _value(self) -> object:
        kind = self._random.random()
        if kind < 0.03:
            return self._random.choice((*_NO_NUMBERS, "\udc80"))
        return deepcopy(self._random.choice(self._texts if kind < 0.5 else _ODD))

    def _replace(self, holder: Any, key: Any, _places: list[tuple[Any, Any]]) -> None:
        holder[key] = self._value()

    def _delete(self, holder: Any, key: Any, _places: list[tuple[Any, Any]]) -> None:
        del holder[key]

    def _double(self, holder: Any, key: Any, _places: list[tuple[Any, Any]]) -> None:
        if isinstance(holder, list):
            holder.insert(key, deepcopy(holder[key]))
        else:
            holder[self._random.choice(("name", "cursor", "uri", "arguments", "_meta", "requestState", key + "s"))] = (
                deepcopy(holder[key])
            )

    def _swap(self, holder: Any, key: Any, places: list[tuple[Any, Any]]) -> None:
        other, other_key = self._random.choice(places)
        holder[key] = deepcopy(other[other_key])

    def _wrap(self, holder: Any, key: Any, _places: list[tuple[Any, Any]]) -> None:
        wrap: Callable[[object], object] = self._random.choice((lambda value: [value], lambda value: {"a": value}, str))
        holder[key] = wrap(holder[key])


def _places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Every member and item, with what holds it."""
    keys = list(value) if isinstance(value, dict) else list(range(len(value))) if isinstance(value, list) else []
    for key in keys:
        yield value, key
        yield from _places(value[key])
