"""Events of API Gateway's HTTP API: payload format 2.0, for the function and for the authorizer.

Source of the format: the API Gateway developer guide, "Create AWS Lambda proxy integrations for HTTP APIs"
and "Control access to HTTP APIs with AWS Lambda authorizers".
"""

import base64
import time
import uuid
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final, cast
from urllib.parse import parse_qsl, unquote

from groundwire.entry.gateway.lambda_runtime import ACCOUNT, REGION

API_ID: Final = "local"
STAGE: Final = "$default"

_TEXT_TYPES: Final = frozenset({"application/json", "application/xml", "application/javascript"})
"""Media types beside text/* whose bodies API Gateway passes as text; other bodies are base64."""
_NOT_FORWARDED: Final = frozenset({"connection", "cookie", "keep-alive", "te", "transfer-encoding", "upgrade"})
"""Headers that do not reach the function as headers: cookies are a list in the event, the others are hop-by-hop."""
_MONTHS: Final = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


@dataclass(frozen=True, slots=True)
class GatewayRequest:
    """A request as received.

    Attributes:
        raw_path: percent-encoded, without the query.
        headers: as sent, in order, repeats included.
        source_ip: address of the socket's peer, or of the caller that a trusted proxy names.
    """

    method: str
    raw_path: str
    raw_query: str
    headers: tuple[tuple[str, str], ...]
    body: bytes
    source_ip: str
    protocol: str = "HTTP/1.1"


def merged_headers(headers: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Return headers by lower-case name, repeats joined by commas in their order."""
    merged: dict[str, str] = {}
    for name, value in headers:
        lower = name.lower()
        merged[lower] = f"{merged[lower]},{value}" if lower in merged else value
    return merged


def function_event(request: GatewayRequest, route_key: str, parameters: Mapping[str, str]) -> dict[str, object]:
    """Return the event of a proxy integration, without the authorizer's context."""
    event = _common_fields(request, route_key, parameters)
    text = _body_text(request, cast("Mapping[str, str]", event["headers"]).get("content-type", ""))
    if request.body:
        event["body"] = text if text is not None else base64.b64encode(request.body).decode()
    event["isBase64Encoded"] = bool(request.body) and text is None
    return event


def authorizer_event(event: Mapping[str, object]) -> dict[str, object]:
    """Return the event of a REQUEST authorizer for the call that `event` describes: all but the body."""
    http = cast("Mapping[str, Mapping[str, str]]", event["requestContext"])["http"]
    arn = f"arn:aws:execute-api:{REGION}:{ACCOUNT}:{API_ID}/{STAGE}/{http['method']}{event['rawPath']}"
    shared = {name: value for name, value in event.items() if name not in {"body", "isBase64Encoded"}}
    return {**shared, "type": "REQUEST", "routeArn": arn, "identitySource": None}


def _common_fields(request: GatewayRequest, route_key: str, parameters: Mapping[str, str]) -> dict[str, object]:
    merged = merged_headers(request.headers)
    port = _port(merged.get("host", ""))
    # API Gateway decodes `rawPath`, in spite of its name.
    path = unquote(request.raw_path)
    event: dict[str, object] = {
        "version": "2.0",
        "routeKey": route_key,
        "rawPath": path,
        "rawQueryString": request.raw_query,
        "headers": _forwarded_headers(merged, request.source_ip, port),
        "requestContext": _context(request, route_key, path, merged, port),
    }
    if "cookie" in merged:
        event["cookies"] = [part.strip() for part in merged["cookie"].replace(",", ";").split(";") if part.strip()]
    if request.raw_query:
        pairs = parse_qsl(request.raw_query, keep_blank_values=True)
        event["queryStringParameters"] = _join_repeats(pairs)
    if parameters:
        event["pathParameters"] = dict(parameters)
    return event


def _context(
    request: GatewayRequest, route_key: str, path: str, merged: Mapping[str, str], port: str
) -> dict[str, object]:
    now = time.time()
    domain = merged.get("host", "").removesuffix(f":{port}")
    return {
        "accountId": ACCOUNT,
        "apiId": API_ID,
        "domainName": domain,
        "domainPrefix": domain.partition(".")[0],
        "http": {
            "method": request.method,
            "path": path,
            "protocol": request.protocol,
            "sourceIp": request.source_ip,
            "userAgent": merged.get("user-agent", ""),
        },
        "requestId": str(uuid.uuid4()),
        "routeKey": route_key,
        "stage": STAGE,
        "time": _clf_time(now),
        "timeEpoch": int(now * 1000),
    }


def _forwarded_headers(merged: Mapping[str, str], source_ip: str, port: str) -> dict[str, str]:
    """Return the headers that the function sees, with the forwarding headers that a gateway sets."""
    headers = {name: value for name, value in merged.items() if name not in _NOT_FORWARDED}
    sent = headers.get("x-forwarded-for")
    headers["x-forwarded-for"] = f"{sent}, {source_ip}" if sent else source_ip
    headers["x-forwarded-proto"] = "http"
    headers["x-forwarded-port"] = port
    return headers


def _port(host: str) -> str:
    """Return the port in a Host header; an IPv6 address without a port ends in a bracket."""
    port = host.rpartition(":")[2]
    return port if ":" in host and port.isdecimal() else "80"


def _join_repeats(pairs: Iterable[tuple[str, str]]) -> dict[str, str]:
    joined: dict[str, str] = {}
    for name, value in pairs:
        joined[name] = f"{joined[name]},{value}" if name in joined else value
    return joined


def _body_text(request: GatewayRequest, content_type: str) -> str | None:
    """Return the body as text where API Gateway passes text; None where it passes base64."""
    kind = content_type.partition(";")[0].strip().lower()
    if not kind.startswith("text/") and kind not in _TEXT_TYPES:
        return None
    try:
        return request.body.decode()
    except UnicodeDecodeError:
        # Base64 keeps the bytes, so that the handler, not the gateway, reports what is wrong with them.
        return None


def _clf_time(now: float) -> str:
    moment = time.gmtime(now)
    day = f"{moment.tm_mday:02}/{_MONTHS[moment.tm_mon - 1]}/{moment.tm_year}"
    return f"{day}:{moment.tm_hour:02}:{moment.tm_min:02}:{moment.tm_sec:02} +0000"
