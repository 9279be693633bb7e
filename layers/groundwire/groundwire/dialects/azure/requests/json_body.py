"""JSON bodies of requests, and the content type of answers."""

from typing import Final

from groundwire.dialects.azure.errors import AzureError, invalid_parameter
from groundwire_mcp.jsonrpc.json_codec import JsonError, JsonTooLarge, decode
from groundwire_mcp.limits import MAX_BODY_BYTES

JSON_TYPE: Final = "application/json; odata.metadata=minimal; odata.streaming=true; charset=utf-8"
_TOO_LARGE: Final = 413


def read_json(body: bytes) -> object:
    """Return the value of a body.

    Raises:
        AzureError: it is no JSON, or too large.
    """
    try:
        return decode(body)
    except JsonTooLarge:
        text = f"The request is larger than {MAX_BODY_BYTES} bytes, or has too many values: send less."
        raise AzureError(_TOO_LARGE, text) from None
    except JsonError as error:
        raise invalid_parameter(f"The body is not JSON: {error}.") from None
