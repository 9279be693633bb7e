"""Session ids of open discovery: random, stored nowhere, and proof of nothing.

A client that initialised without a credential sends its id with later calls, those with a key among them. Such an id
has the form of a UUID, which no id of a stored session has, and is never looked up.
"""

import re
from typing import Final

from groundwire.protocol.jsonrpc.errors import ResultCode
from groundwire.protocol.transport.exchanges import McpResponse
from groundwire.protocol.transport.http import HttpRequest
from groundwire.protocol.versions import SESSION_HEADER

_UUID: Final = re.compile(r"[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}")


def with_open_session(answer: McpResponse) -> McpResponse:
    """Return the answer of open discovery; that to `initialize` names a new id."""
    if answer.method != "initialize" or answer.result_code is not ResultCode.ANSWERED:
        return answer
    from uuid import uuid4

    headers = {**answer.response.headers, SESSION_HEADER: str(uuid4())}
    return answer._replace(response=answer.response._replace(headers=headers))


def without_open_session(request: HttpRequest) -> HttpRequest:
    """Return the request without an id of open discovery."""
    if not _UUID.fullmatch(request.headers.get(SESSION_HEADER, "")):
        return request
    return request._replace(headers={name: text for name, text in request.headers.items() if name != SESSION_HEADER})
