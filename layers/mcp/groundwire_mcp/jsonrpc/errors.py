"""Result codes of requests, with the JSON-RPC code and HTTP status of each error in one table."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Final

from groundwire_mcp.versions import STATELESS_VERSIONS

RETRYABLE_CODE: Final = -32000
"""JSON-RPC code of a failure that a repeat may cure; `data` holds `retryable` and `retry_after_s`."""
FORBIDDEN_CODE: Final = 403
"""JSON-RPC code of a missing permission: the HTTP status, outside JSON-RPC's reserved range -32768..-32000."""


CONTRACT_FORBIDDEN_CODE: Final = -32001
"""The same for calls without an MCP marker, or under a tool's contract: of Mindset AI's page, which has -32000 to
-32099 for a server's own errors."""


def code_for_version(code: int, status: int, version: str | None) -> int:
    """Return the code of an error as the revision has it.

    From 2026-07-28 on, a server's own errors are outside -32019..-32000, which belong to earlier revisions (MCP,
    `basic/index`, error codes). There a retryable error has its HTTP status, or 503 where the status is 200.
    """
    if code != RETRYABLE_CODE or version not in STATELESS_VERSIONS:
        return code
    return _UNAVAILABLE_STATUS if status == _OK else status


_OK: Final = 200
_UNAVAILABLE_STATUS: Final = 503


class ResultCode(StrEnum):
    """The result of a request, as audit records, metrics and tests name it."""

    ANSWERED = "answered"
    ACCEPTED = "accepted"
    INPUT_REQUIRED = "input_required"
    NOT_ADMITTED = "not_admitted"
    UNKNOWN_PATH = "unknown_path"
    FORBIDDEN_DIALECT = "forbidden_dialect"
    FORBIDDEN_ORIGIN = "forbidden_origin"
    METHOD_NOT_ALLOWED = "method_not_allowed"
    WRONG_CONTENT_TYPE = "wrong_content_type"
    NOT_ACCEPTABLE = "not_acceptable"
    TOO_LARGE = "too_large"
    PARSE_ERROR = "parse_error"
    INVALID_REQUEST = "invalid_request"
    INVALID_ENVELOPE = "invalid_envelope"
    HEADER_MISMATCH = "header_mismatch"
    UNSUPPORTED_VERSION = "unsupported_version"
    UNKNOWN_METHOD = "unknown_method"
    REMOVED_METHOD = "removed_method"
    INVALID_PARAMS = "invalid_params"
    UNKNOWN_TOOL = "unknown_tool"
    UNKNOWN_PROMPT = "unknown_prompt"
    UNKNOWN_RESOURCE = "unknown_resource"
    MISSING_RESOURCE = "missing_resource"
    MISSING_CAPABILITY = "missing_capability"
    MISSING_SCOPE = "missing_scope"
    SESSION_ENDED = "session_ended"
    UNKNOWN_SESSION = "unknown_session"
    UNAVAILABLE = "unavailable"
    TOOL_ARGUMENTS = "tool_arguments"
    TOOL_FAILURE = "tool_failure"
    TOOL_RETRYABLE = "tool_retryable"
    INTERNAL_ERROR = "internal_error"


ERROR_CODES: Final[Mapping[ResultCode, tuple[int, int]]] = {
    ResultCode.FORBIDDEN_DIALECT: (FORBIDDEN_CODE, 403),
    # MCP (transports, security): a request with an invalid `Origin` gets 403.
    ResultCode.FORBIDDEN_ORIGIN: (FORBIDDEN_CODE, 403),
    # GET gets 405 at once: a stream for it would hold a function until its timeout.
    ResultCode.METHOD_NOT_ALLOWED: (-32600, 405),
    ResultCode.WRONG_CONTENT_TYPE: (-32600, 415),
    ResultCode.NOT_ACCEPTABLE: (-32600, 406),
    ResultCode.TOO_LARGE: (-32600, 413),
    ResultCode.PARSE_ERROR: (-32700, 400),
    ResultCode.INVALID_REQUEST: (-32600, 400),
    ResultCode.INVALID_ENVELOPE: (-32602, 400),
    ResultCode.HEADER_MISMATCH: (-32020, 400),
    ResultCode.UNSUPPORTED_VERSION: (-32022, 400),
    # In the handshake revisions, errors of JSON-RPC have status 200. 2026-07-28 wants 404 for an unknown method.
    ResultCode.UNKNOWN_METHOD: (-32601, 200),
    ResultCode.REMOVED_METHOD: (-32601, 404),
    ResultCode.INVALID_PARAMS: (-32602, 200),
    ResultCode.UNKNOWN_TOOL: (-32602, 200),
    ResultCode.UNKNOWN_PROMPT: (-32602, 200),
    ResultCode.UNKNOWN_RESOURCE: (-32602, 200),
    ResultCode.MISSING_RESOURCE: (-32002, 200),
    ResultCode.MISSING_CAPABILITY: (-32021, 400),
    # 404 makes a client send `initialize` again (MCP, session management).
    ResultCode.UNKNOWN_SESSION: (-32600, 404),
    ResultCode.UNAVAILABLE: (RETRYABLE_CODE, 503),
    ResultCode.MISSING_SCOPE: (FORBIDDEN_CODE, 403),
    ResultCode.TOOL_ARGUMENTS: (-32602, 200),
    ResultCode.TOOL_FAILURE: (-32603, 200),
    ResultCode.TOOL_RETRYABLE: (RETRYABLE_CODE, 200),
    ResultCode.INTERNAL_ERROR: (-32603, 200),
}
"""JSON-RPC code and HTTP status of each error.

Codes -32020..-32022 belong to the stateless revisions: a client of both kinds of revision does not fall back to the
handshake on them. A missing resource has its own code in the handshake revisions, hence two result codes.
"""


class ProtocolError(Exception):
    """A request that gets a JSON-RPC error; the root of the protocol's exceptions.

    Attributes:
        result_code: the result for audit records and metrics.
        code: JSON-RPC error code; that of the table unless another one is given.
        status: HTTP status.
        data: `error.data`.
        headers: HTTP headers of the response.
        tool: the called tool, once it is known to be one of the caller's.
    """

    def __init__(
        self,
        result_code: ResultCode,
        message: str,
        *,
        data: Mapping[str, object] | None = None,
        headers: Mapping[str, str] | None = None,
        tool: str | None = None,
        code: int | None = None,
    ) -> None:
        super().__init__(message)
        self.result_code = result_code
        self.code, self.status = ERROR_CODES[result_code]
        if code is not None:
            self.code = code
        self.data = data
        self.headers = headers or {}
        self.tool = tool
