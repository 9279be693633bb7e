"""docs/reference/errors.md: every error of REST, admission, MCP, tools and the command line."""

from collections.abc import Iterator, Mapping
from typing import Final

from groundwire.domain import errors
from groundwire.domain.error_codes import NO_HINTS, error_to_members
from groundwire.domain.errors import DomainError, InvalidInput, LimitExceeded
from groundwire.domain.keys.auth_decision import AuthDecision, AuthReason, AuthStatus
from groundwire.entry.http.auth_errors import auth_error_response
from groundwire_mcp.definitions.tools import ToolErrorKind
from groundwire_mcp.jsonrpc.errors import ERROR_CODES, RETRYABLE_CODE, ResultCode
from tests.support.documentation.reference.auth_reasons import reason_rows
from tests.support.documentation.reference.cli_page import EXIT_CODES

_DOMAIN: Final[Mapping[type[DomainError], tuple[str, str]]] = {
    errors.DomainError: ("The server failed.", "Look at the log of the server."),
    errors.InvalidInput: ("A value of the request is invalid.", "Change the value that the message names."),
    errors.Forbidden: ("The key does not have the right.", "Use a key with the scope or the collection."),
    errors.NotFound: (
        "The name does not exist, or the key may not know it. Both look the same.",
        "List the existing names.",
    ),
    errors.Conflict: (
        "The resource exists already, or changed since you read it.",
        "Read the resource again, then decide.",
    ),
    errors.PreconditionFailed: (
        "The condition of a write does not hold. The server wrote nothing.",
        "Read the resource again, then write again.",
    ),
    errors.LimitExceeded: (
        "The calls are over the rate of the key or the tenant.",
        "Try again after `Retry-After` seconds.",
    ),
    errors.Unavailable: (
        "A service that the server needs does not answer.",
        "Try again after `Retry-After` seconds.",
    ),
    errors.Superseded: ("Another version replaced the resource during the call.", "Try again from the start."),
    errors.ResourceBusy: ("Another process uses the resource.", "Try again later."),
    errors.ParserBusy: ("The parser of documents has no capacity, or does not answer.", "Try again later."),
    errors.ParserBroken: ("The parser of documents cannot start.", "Ask the operator of the service."),
    errors.DocumentRefused: (
        "The server cannot read the document.",
        "See [why a file is refused](../ingest/results.md#why-a-file-is-refused).",
    ),
    errors.ParsingFailed: (
        "The parser of documents ended while it read this document.",
        "Split or repair the file, or ask the operator of the service for a rebuild.",
    ),
}
_ADMISSION: Final[Mapping[AuthStatus, tuple[str, str]]] = {
    AuthStatus.UNAUTHENTICATED: (
        "The credential is missing, malformed, unknown, wrong, expired or revoked.",
        "Send a valid key as `Authorization: Bearer KEY`.",
    ),
    AuthStatus.CONFLICTING_CREDENTIALS: ("The key is in two headers, or twice in one.", "Send the key once."),
    AuthStatus.BAD_IDENTITY_HEADER: (
        "An identity header is malformed or repeated, or names a tenant.",
        "Correct the header that the message names.",
    ),
    AuthStatus.IDENTITY_NOT_ALLOWED: (
        "The key or token does not allow the identity headers.",
        "Remove the headers, or use a delegated key.",
    ),
    AuthStatus.TAG_NOT_ALLOWED: (
        "A tag is outside the tags of a key with `--strict-tags`.",
        "Remove the tag, or create a key that allows it.",
    ),
    AuthStatus.USER_TOKEN_REFUSED: (
        "The key is valid. The access token of the user beside it is not.",
        "Get a new token for the user.",
    ),
    AuthStatus.OVER_LIMIT: (
        "The calls are over the rate of the key or the tenant.",
        "Try again after `Retry-After` seconds.",
    ),
    AuthStatus.UNAVAILABLE: (
        "The registry or the identity provider does not answer.",
        "Try again after `Retry-After` seconds.",
    ),
}
_PROTOCOL: Final[Mapping[ResultCode, tuple[str, str]]] = {
    ResultCode.FORBIDDEN_DIALECT: (
        "The key may not use the dialect of the path or of its toolset.",
        "Use another key or path.",
    ),
    ResultCode.FORBIDDEN_ORIGIN: (
        "The origin of the browser page is not allowed.",
        "Add it to `GROUNDWIRE_ALLOWED_ORIGINS`.",
    ),
    ResultCode.METHOD_NOT_ALLOWED: ("The HTTP method is not POST.", "Send POST."),
    ResultCode.WRONG_CONTENT_TYPE: ("The body is not declared as JSON.", "Send `Content-Type: application/json`."),
    ResultCode.NOT_ACCEPTABLE: ("`Accept` excludes JSON.", "Accept `application/json`."),
    ResultCode.TOO_LARGE: ("The body is too large.", "Keep the [limit](../limits.md)."),
    ResultCode.PARSE_ERROR: (
        "The body is no valid JSON, is too deep, has too many values or a key twice.",
        "Correct the body.",
    ),
    ResultCode.INVALID_REQUEST: ("The JSON is no message, or the batch breaks a rule.", "Correct the message."),
    ResultCode.INVALID_ENVELOPE: ("`_meta` is incomplete.", "Send all members of `_meta`."),
    ResultCode.HEADER_MISMATCH: ("A header contradicts the body.", "Send the same value in both."),
    ResultCode.UNSUPPORTED_VERSION: (
        "The server does not have this version of MCP.",
        "Use a version that the answer lists.",
    ),
    ResultCode.UNKNOWN_METHOD: ("The method does not exist. Handshake versions.", "Use a method of the version."),
    ResultCode.REMOVED_METHOD: ("The method does not exist. Version 2026-07-28.", "Use a method of the version."),
    ResultCode.INVALID_PARAMS: (
        "`params` has a wrong form, an unknown cursor or the `requestState` of another call.",
        "Correct `params`, or start again.",
    ),
    ResultCode.UNKNOWN_TOOL: ("The toolset of the key does not have the tool.", "Use a tool of `tools/list`."),
    ResultCode.UNKNOWN_PROMPT: ("The prompt does not exist.", "Use a prompt of `prompts/list`."),
    ResultCode.UNKNOWN_RESOURCE: (
        "The user can read no resource with this URI. Version 2026-07-28.",
        "Use a URI of `resources/list`.",
    ),
    ResultCode.MISSING_RESOURCE: (
        "The user can read no resource with this URI. Handshake versions.",
        "Use a URI of `resources/list`.",
    ),
    ResultCode.MISSING_CAPABILITY: (
        "A tool needs a capability that the client did not declare.",
        "Declare what `data.requiredCapabilities` names.",
    ),
    ResultCode.UNKNOWN_SESSION: (
        "The session ended, expired or belongs to another caller.",
        "Send `initialize` again.",
    ),
    ResultCode.UNAVAILABLE: ("A store of the server does not answer.", "Try again after `Retry-After` seconds."),
    ResultCode.MISSING_SCOPE: ("The key does not have the scope.", "Use a key with the scope that the answer names."),
    ResultCode.TOOL_ARGUMENTS: ("The tool does not accept the arguments.", "Correct what the message names."),
    ResultCode.TOOL_FAILURE: ("The tool failed. A repeat does not help.", "Look at the log of the server."),
    ResultCode.TOOL_RETRYABLE: (
        "The tool failed. A repeat can succeed.",
        "Try again after `retry_after_s` seconds.",
    ),
    ResultCode.INTERNAL_ERROR: ("The server has a defect.", "Look at the log of the server, and report the defect."),
}
_TOOLS: Final[Mapping[ToolErrorKind, ResultCode]] = {
    ToolErrorKind.ARGUMENTS: ResultCode.TOOL_ARGUMENTS,
    ToolErrorKind.FAILURE: ResultCode.TOOL_FAILURE,
    ToolErrorKind.RETRYABLE: ResultCode.TOOL_RETRYABLE,
}
_INTRO: Final = """# Errors

Error messages state what to do. This page lists the codes of each interface. The exact reason of an error is in
the [audit log](../operate/monitoring.md). [Troubleshooting](../troubleshoot.md) starts from symptoms.

| you call | form of an error | section |
|---|---|---|
| any interface without a valid credential | a JSON-RPC or REST error, with a status | [admission](#admission) |
| `/v1` | `{"error": {"code": …, "message": …}}` | [REST](#rest-and-the-command-line) |
| `/mcp` | a JSON-RPC error | [MCP](#mcp) |
| a tool on `/mcp` | a result with `isError: true`, or a JSON-RPC error | [tools](#tools) |
| `groundwire` | one line on standard error, and an exit code | [the command line](#exit-codes) |

Where a repeat can succeed, a REST or MCP error has `retry_after_s`. The header `Retry-After` has the same number.
The routes of [dialects](../dialects.md) answer with the errors of their systems.
"""
_REST: Final = """
`code` is the member of the REST error. `exit` is the exit code of `groundwire`. Two rows with the same code differ in
their status or their cause. A REST route answers 405 to a method that it does not have, and 413 to a body that is too
large. Both have the code `invalid`. The [REST reference](rest.md) has
the errors of each route."""
_TOOLS_TEXT: Final = """
An MCP client gets a tool error as a result with `isError: true`. Its text contains the remedy for the model. Two kinds
of calls get a JSON-RPC error instead ([protocol](../protocol.md)):

* calls with neither `MCP-Protocol-Version`, `Mcp-Session-Id` nor `_meta`
* calls with a key of the toolset `mindset`

If a repeat can succeed, `groundwire/retry` in `_meta` of the result has `retryable` and `retry_after_s`. In a JSON-RPC
error, `data` has them.
"""


def errors_page() -> str:
    """Return the page."""
    parts = [
        _INTRO.strip(),
        "\n".join(_admission()),
        "\n".join(reason_rows()),
        "\n".join(_rest()),
        "\n".join(_protocol()),
        "\n".join(_tools()),
        "\n".join(_exit_codes()),
    ]
    return "\n\n".join(parts) + "\n"


def _admission() -> Iterator[str]:
    yield "## Admission\n"
    yield "The server decides first whether it admits a call. `code` is that of the JSON-RPC error.\n"
    yield "| decision | status | code | meaning | what to do |"
    yield "|---|---|---|---|---|"
    for status in AuthStatus:
        if status is not AuthStatus.ADMITTED:
            response = auth_error_response(AuthDecision(status, AuthReason.INTERNAL_FAULT))
            yield f"| `{status}` | {response.status} | {response.code} | {' | '.join(_ADMISSION[status])} |"
    yield "\nAn MCP client that is over its rate gets a [tool error](#tools) with status 200 for a tool call."


def _rest() -> Iterator[str]:
    yield "## REST and the command line\n"
    yield f"{_REST.strip()}\n"
    yield "| code | status | exit | meaning | what to do |"
    yield "|---|---|---|---|---|"
    yield "| `unauthenticated` | 401 | 1 | The key is not valid. | Use a valid key. |"
    for kind in sorted(_kinds(DomainError), key=lambda each: each.http_status):
        code = error_to_members(_instance(kind), NO_HINTS)["code"]
        exit_code = 2 if issubclass(kind, InvalidInput) else 1
        yield f"| `{code}` | {kind.http_status} | {exit_code} | {' | '.join(_DOMAIN[kind])} |"


def _protocol() -> Iterator[str]:
    yield "## MCP\n"
    yield "The name is that of the result in the audit log. In version 2026-07-28, the HTTP status (503 instead of 200)"
    yield f"replaces the code {RETRYABLE_CODE}.\n"
    yield "| name | code | status | meaning | what to do |"
    yield "|---|---|---|---|---|"
    for result, (code, status) in ERROR_CODES.items():
        yield f"| `{result}` | {code} | {status} | {' | '.join(_PROTOCOL[result])} |"


def _tools() -> Iterator[str]:
    yield "## Tools\n"
    yield _TOOLS_TEXT.lstrip()
    yield "| error | code as JSON-RPC error | what to do |"
    yield "|---|---|---|"
    for kind in ToolErrorKind:
        result = _TOOLS[kind]
        yield f"| `{result}` | {ERROR_CODES[result][0]} | {_PROTOCOL[result][1]} |"


def _exit_codes() -> Iterator[str]:
    yield "## Exit codes\n"
    yield "| code | meaning |"
    yield "|---|---|"
    yield from (f"| {code} | {meaning} |" for code, meaning in EXIT_CODES.items())


def _kinds(kind: type[DomainError]) -> Iterator[type[DomainError]]:
    """Yield this class of errors and all below it that the domain defines."""
    if kind.__module__ == errors.__name__:
        yield kind
        for inner in kind.__subclasses__():
            yield from _kinds(inner)


def _instance(kind: type[DomainError]) -> DomainError:
    return kind("", 1) if issubclass(kind, LimitExceeded) else kind("")
