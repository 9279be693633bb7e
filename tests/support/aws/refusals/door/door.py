"""Proxy in front of MiniStack: requests that AWS refuses are refused before the emulator sees them.

Run by MiniStack's own interpreter, so it imports the standard library and the rules of calls alone.
"""

import json
import time
from collections import deque
from collections.abc import Awaitable, Callable, Iterator
from typing import Final
from urllib.parse import quote, unquote

from tests.support.aws.refusals.calls.invocations import INVOCATION_RULES, Invocation
from tests.support.aws.refusals.calls.logs import STREAM_RULES, STREAMS_PER_SECOND, StreamStarts
from tests.support.aws.refusals.calls.tables import TABLE_RULES, TableCall
from tests.support.aws.refusals.door.answers import refusal, refused_stack
from tests.support.aws.refusals.door.exchange import (
    Answer,
    Application,
    Receive,
    Request,
    Scope,
    Send,
    again,
    read,
    requested,
)
from tests.support.aws.refusals.door.subjects import TABLES, Judged, subjects
from tests.support.aws.refusals.rule import Finding, Reading, findings

JudgeStack = Callable[[bytes], Awaitable[str]]
"""Function that returns the reasons why AWS refuses the stack of this CloudFormation form; empty if there are none."""
_INVOCATIONS: Final = "/invocations"
_FUNCTIONS: Final = "/2015-03-31/functions/"
_STACK_ACTIONS: Final = (b"Action=CreateStack&", b"Action=UpdateStack&", b"Action=CreateChangeSet&")
_OWNER: Final = "AWS4-HMAC-SHA256 Credential={account}/20200101/{region}/{service}/aws4_request, SignedHeaders=host, "
_OWNER_SIGNATURE: Final = "Signature=0"


class Door:
    """An ASGI application in front of the emulator.

    Args:
        judge_stack: judges stacks before they are made or changed.
        account: id, by which the emulator knows its owner.
        region: of the account.
        clock: seconds, for the quota of new log streams.
    """

    def __init__(
        self,
        emulator: Application,
        judge_stack: JudgeStack,
        account: str,
        region: str,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._emulator = emulator
        self._judge_stack = judge_stack
        self._account = account
        self._region = region
        self._clock = clock
        self._stream_starts: deque[float] = deque(maxlen=STREAMS_PER_SECOND)
        self._keys: dict[str, tuple[tuple[str, str], ...]] = {}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, or answer it as AWS does."""
        if scope["type"] != "http":
            await self._emulator(scope, receive, send)
            return
        request = await read(scope, receive)
        answer = await self._refusal(request)
        if answer is not None:
            await answer.sent(send)
        else:
            await self._emulator(scope, again(request.body, receive), send)

    async def _refusal(self, request: Request) -> Answer | None:
        """Return AWS's answer to a request that it refuses; None for any other."""
        if request.method == "POST" and _asks_for_stack(request):
            refused = await self._judge_stack(request.body)
            return refused_stack(refused) if refused else None
        judged = [*subjects(request, int(time.time() * 1000)), *self._streams(request)]
        if request.path.startswith(_FUNCTIONS) and request.path.endswith(_INVOCATIONS):
            judged.append((INVOCATION_RULES, await self._invocation(request)))
        if request.target.startswith(TABLES):
            judged.append((TABLE_RULES, await self._table_call(request)))
        finding = next(_found(judged), None)
        if finding is None and request.target.endswith(".CreateLogStream"):
            self._stream_starts.append(self._clock())
        return refusal(request, finding) if finding else None

    def _streams(self, request: Request) -> list[Judged]:
        if not request.target.endswith(".CreateLogStream"):
            return []
        return [(STREAM_RULES, StreamStarts([*self._stream_starts, self._clock()]))]

    async def _invocation(self, request: Request) -> Invocation:
        name = unquote(request.path.removeprefix(_FUNCTIONS).removesuffix(_INVOCATIONS))
        return Invocation(
            name,
            request.body,
            isolated=await self._is_isolated(name),
            tenant=request.headers.get("x-amz-tenant-id", ""),
            asynchronous=request.headers.get("x-amz-invocation-type") == "Event",
        )

    async def _is_isolated(self, function: str) -> bool:
        """Return whether the function of this name or ARN has tenant isolation."""
        answer = await self._ask("GET", f"{_FUNCTIONS}{quote(function, safe='')}/configuration", "lambda", {}, b"")
        return answer.status == 200 and bool(json.loads(answer.body).get("TenancyConfig"))

    async def _table_call(self, request: Request) -> TableCall:
        order = json.loads(request.body)
        call = TableCall(request.target.removeprefix(TABLES), order)
        tables = {table for table, _ in call.parts() if table}
        return TableCall(call.action, order, {table: await self._keys_of(table) for table in tables})

    async def _keys_of(self, table: str) -> tuple[tuple[str, str], ...]:
        """Return the attributes of the keys of a table and its indexes; nothing for a table that is not there."""
        if table not in self._keys:
            headers = {"x-amz-target": f"{TABLES}DescribeTable", "content-type": "application/x-amz-json-1.0"}
            answer = await self._ask("POST", "/", "dynamodb", headers, json.dumps({"TableName": table}).encode())
            if answer.status != 200:
                return ()
            described = json.loads(answer.body)["Table"]
            schemas = [described, *described.get("GlobalSecondaryIndexes", [])]
            self._keys[table] = tuple(_key_of(each["KeySchema"]) for each in schemas)
        return self._keys[table]

    async def _ask(self, method: str, path: str, service: str, headers: dict[str, str], body: bytes) -> Answer:
        """Return the emulator's answer to the owner of the account."""
        owner = _OWNER.format(account=self._account, region=self._region, service=service) + _OWNER_SIGNATURE
        return await requested(
            self._emulator,
            Request(method, path, "", {"host": "localhost", "authorization": owner, **headers}, body),
        )


def _asks_for_stack(request: Request) -> bool:
    return request.body.startswith(_STACK_ACTIONS) or any(b"&" + action in request.body for action in _STACK_ACTIONS)


def _key_of(schema: list[dict[str, str]]) -> tuple[str, str]:
    names = {each["KeyType"]: each["AttributeName"] for each in schema}
    return names["HASH"], names.get("RANGE", "")


def _found(judged: list[Judged]) -> Iterator[Finding]:
    """Yield what AWS refuses; disputed rules count."""
    for rules, subject in judged:
        yield from findings(rules, subject, Reading.REFUSED)
