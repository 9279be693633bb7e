"""A file on its way to the address of an upload ticket: one form, its fields first, as buckets take it."""

import secrets
from collections.abc import Mapping
from typing import Final

from groundwire.adapters.remote.http_client import send_request
from groundwire.domain.errors import Forbidden, Unavailable

_SUCCESS: Final = range(200, 300)
_SERVER_FAULT: Final = 500
_CHUNK_BYTES: Final = 1 << 20


def post_file(url: str, fields: Mapping[str, str], content: bytes) -> None:
    """The content is where the ticket says; no key goes with it.

    Raises:
        Denied: it is not what the ticket is for, or the ticket has ended. Unavailable: repeat with another ticket.
    """
    boundary = f"groundwire-{secrets.token_hex(16)}"
    head, tail = _head(fields, boundary), f"\r\n--{boundary}--\r\n".encode()
    pieces = [content[start : start + _CHUNK_BYTES] for start in range(0, len(content), _CHUNK_BYTES)]
    headers = {
        "content-type": f"multipart/form-data; boundary={boundary}",
        "content-length": str(len(head) + len(content) + len(tail)),
    }
    answer = send_request("POST", url, headers, [head, *pieces, tail])
    if answer.status in _SUCCESS:
        return
    if answer.status >= _SERVER_FAULT:
        raise Unavailable(f"The store of uploads fails ({answer.status}): run the command again.")
    raise Forbidden(f"The store of uploads refuses the file ({answer.status}): it changed meanwhile, or took too long.")


def _head(fields: Mapping[str, str], boundary: str) -> bytes:
    parts = [
        f'--{boundary}\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{value}\r\n'
        for name, value in fields.items()
    ]
    file = f'--{boundary}\r\nContent-Disposition: form-data; name="file"; filename="file"\r\n\r\n'
    return "".join([*parts, file]).encode()
