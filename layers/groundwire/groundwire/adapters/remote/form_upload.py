"""Upload of a file to the URL of an upload ticket: one multipart form with its fields first, as S3 requires."""

import secrets
from collections.abc import Mapping
from typing import Final

from groundwire.adapters.remote.http_client import send_request
from groundwire.domain.errors import Forbidden, Unavailable

_SUCCESS: Final = range(200, 300)
_SERVER_ERROR: Final = 500
_CHUNK_BYTES: Final = 1 << 20


def post_file(url: str, fields: Mapping[str, str], content: bytes) -> None:
    """Upload the content with the ticket's fields; no API key is sent.

    Raises:
        Forbidden: the content does not match the ticket, or the ticket has expired.
        Unavailable: the store fails, or cannot be reached; repeat with another ticket.
    """
    boundary = f"groundwire-{secrets.token_hex(16)}"
    head, tail = _head(fields, boundary), f"\r\n--{boundary}--\r\n".encode()
    chunks = [content[start : start + _CHUNK_BYTES] for start in range(0, len(content), _CHUNK_BYTES)]
    headers = {
        "content-type": f"multipart/form-data; boundary={boundary}",
        # S3 refuses a form without its length.
        "content-length": str(len(head) + len(content) + len(tail)),
    }
    response = send_request("POST", url, headers, [head, *chunks, tail])
    if response.status in _SUCCESS:
        return
    if response.status >= _SERVER_ERROR:
        raise Unavailable(f"The upload failed ({response.status}): run the command again.")
    raise Forbidden(
        f"The service refused the file ({response.status}): it was changed at the same time, or the "
        "upload took too long."
    )


def _head(fields: Mapping[str, str], boundary: str) -> bytes:
    parts = [
        f'--{boundary}\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{value}\r\n'
        for name, value in fields.items()
    ]
    file = f'--{boundary}\r\nContent-Disposition: form-data; name="file"; filename="file"\r\n\r\n'
    return "".join([*parts, file]).encode()
