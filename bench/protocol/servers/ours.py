"""The mcp function, imported as the Lambda service does."""

import os
import sys
from functools import partial
from typing import Any, Final

from requested import event, main  # pyright: ignore[reportMissingImports, reportUnknownVariableType]

# The service finds a function's module on the path of its own folder.
sys.path.insert(0, os.environ["FUNCTION_FOLDER"])

from app import handler  # pyright: ignore[reportMissingImports, reportUnknownVariableType]

ADMITTED: Final = {
    "decision": "admitted",
    "reason": "admitted",
    "kid": "000000000000",
    "tenant": "t_0123456789abcdef",
    "user": "maria",
    "headerUser": "maria",
    "headerTags": "[]",
    "tags": "[]",
    "kind": "act_as",
    "scopes": '["act_as","search","verify"]',
    "collections": "every",
    "topN": "8",
    "toolset": "default",
    "expandTokens": "0",
}
"""What the authorizer puts into the event: it is a function of its own."""


class Context:
    """Members of the Lambda context that the handler reads."""

    aws_request_id = "00000000-0000-4000-8000-000000000000"


def answer_to(call: dict[str, Any]) -> str:
    """The body."""
    return str(handler(call, Context())["body"])


def call_of(operation: str) -> dict[str, Any]:
    """The event of an admitted call."""
    call: dict[str, Any] = event(operation)
    call["requestContext"]["authorizer"] = {"lambda": ADMITTED}
    return call


if __name__ == "__main__":
    main({name: partial(answer_to, call_of(name)) for name in ("initialize", "discover", "list", "call")})
