"""Calls to sources that leave from the sources function; messages as in `domain.sources.messages`."""

import json
from collections.abc import Callable
from math import ceil
from typing import TYPE_CHECKING, Final, TypeVar

from botocore.exceptions import BotoCoreError, ClientError

from groundwire.domain.errors import InvalidInput
from groundwire.domain.limits import SOURCE_VALIDATION_SECONDS
from groundwire.domain.sources.messages import SourceInvocation, decode_answer, decode_listing
from groundwire.domain.sources.state import SourceCaller
from groundwire.ports.deadline import remaining_seconds
from groundwire.ports.sources import SourceUnavailable
from groundwire_egress.mcp_client.calls import SourceAnswer, SourceListing, SourceTarget, SourceToolCall
from groundwire_egress.mcp_client.limits import SOURCE_CALL_SECONDS

if TYPE_CHECKING:
    from types_boto3_lambda import LambdaClient

ResultT = TypeVar("ResultT", SourceListing, SourceAnswer)

_START_SECONDS: Final = 2
"""Time for the start of the function, beyond that of a call."""
_FAILED: Final = "The source's server could not be called. Try again later."


class LambdaSources:
    """Implements `ports.sources.SourceGateway` by the sources function; safe to share between threads.

    An invocation is never repeated: a tool may have effects.

    Args:
        make_client: makes a client with this read timeout in seconds, which never retries.
        function: ARN of the function.
    """

    def __init__(self, make_client: "Callable[[float], LambdaClient]", function: str) -> None:
        self._make_client = make_client
        self._function = function
        self._clients: dict[int, LambdaClient] = {}

    def inspect(self, target: SourceTarget) -> SourceListing:
        """Return the tools of the source's server.

        Raises:
            SourceUnavailable: the server does not answer as an MCP server in time, or the function fails.
            SignInRequired: the credential needs a user's token, which the target has not.
        """
        return self._invoke(target, None, None, SOURCE_VALIDATION_SECONDS, decode_listing)

    def call(self, target: SourceTarget, call: SourceToolCall, caller: SourceCaller) -> SourceAnswer:
        """Return the result of a tool.

        Raises:
            SourceUnavailable: the server does not answer in time, or did not answer repeatedly, or the function fails.
            SourceToolChanged: it declares the tool differently than accepted.
            SignInRequired: the credential needs a user's token, which the target has not.
            LimitExceeded: the source was called too often.
        """
        return self._invoke(target, call, caller, SOURCE_CALL_SECONDS, decode_answer)

    def _invoke(
        self,
        target: SourceTarget,
        call: SourceToolCall | None,
        caller: SourceCaller | None,
        limit: int,
        decode: Callable[[object], ResultT],
    ) -> ResultT:
        seconds = remaining_seconds(limit + _START_SECONDS)
        if seconds <= 0:
            raise SourceUnavailable(_FAILED)
        # The function has less time than the client waits, since its start takes some.
        payload = json.dumps(SourceInvocation(target, call, caller, min(seconds, limit)).to_event()).encode()
        try:
            answer = self._client(ceil(seconds)).invoke(FunctionName=self._function, Payload=payload)
            content = answer["Payload"].read()
        except (BotoCoreError, ClientError) as error:
            raise SourceUnavailable(_FAILED) from error
        if "FunctionError" in answer:
            raise SourceUnavailable(_FAILED)
        try:
            return decode(json.loads(content))
        except (ValueError, InvalidInput) as error:
            raise SourceUnavailable(_FAILED) from error

    def _client(self, seconds: int) -> "LambdaClient":
        """Return the client with this read timeout; whole seconds, so that there are few."""
        if seconds not in self._clients:
            self._clients[seconds] = self._make_client(seconds)
        return self._clients[seconds]
