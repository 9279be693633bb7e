"""The end user's access token in a header of its own, which the authorizer reads."""

from http import HTTPStatus
from typing import TYPE_CHECKING, Final

from groundwire.dialects.declaration.routes import ErrorReply
from groundwire.domain.access.call_headers import USER_TOKEN_HEADER
from groundwire_mcp.jsonrpc.errors import ERROR_CODES, ResultCode

if TYPE_CHECKING:
    from groundwire.domain.keys.caller import Caller
    from groundwire_mcp.transport.http import HttpRequest

_MESSAGE: Final = f"{USER_TOKEN_HEADER}: this path does not accept the token."


def refuse_unread_token(request: "HttpRequest", caller: "Caller") -> ErrorReply | None:
    """Return the reply to a call whose token did not become its principal; None without a token, or if it did.

    The authorizer decides by the path as the gateway gives it. Where it left a token out, an answer by the rights of
    the key alone would be a wrong one.
    """
    if USER_TOKEN_HEADER not in request.headers or caller.is_named_by_token:
        return None
    code = ERROR_CODES[ResultCode.INVALID_REQUEST][0]
    return ErrorReply(HTTPStatus.UNAUTHORIZED, code, _MESSAGE, {}, refused_header=USER_TOKEN_HEADER)
