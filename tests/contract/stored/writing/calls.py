"""Values that calls store or return: sessions, tickets, links, cursors, states, the authorizer's contexts."""

import hashlib
import json
from typing import Any, Final
from urllib.parse import urlsplit

from groundwire import wiring
from groundwire.domain.documents.links import SEAL_PURPOSE
from groundwire.domain.keys.auth_decision import AuthDecision, AuthReason, AuthStatus
from groundwire.entry.http.authorizer_context import to_context
from tests.contract.stored.reading import asking_back
from tests.contract.stored.reading.gateway import context, mcp, rest
from tests.contract.stored.reading.signing_in import signed_in
from tests.contract.stored.writing.home import Home

CONTENT: Final = b"# Query\n\nThe weight of the mouse.\n"
_HANDSHAKE: Final = {
    "protocolVersion": "2025-11-25",
    "capabilities": {},
    "clientInfo": {"name": "reader", "version": "1.0"},
}
_PUBLIC: Final = {"public": True, "users": [], "any_tags": [], "all_tags": []}
_MANY_TAGS: Final = json.dumps([f"department:{number:02}-{'of-a-long-name' * 4}" for number in range(60)])


def write_calls(home: Home) -> dict[str, Any]:
    """Return what travels through other hands, by name; sessions and tickets stay in the home."""
    keys, tenants = home.made["keys"], home.made["tenants"]
    home.made["sessions"] = _sessions(home)
    home.made["tickets"] = _tickets(keys["admin"]["text"], tenants["acme"])
    first = rest("GET", "/v1/documents", keys["admin"]["text"], limit=2)
    page = mcp(keys["lister"]["text"], "resources/list", {}, x_user_id="ann").json["result"]
    caller = context(keys["act_as"]["text"], x_user_id="ann", x_session_tags='["board"]')
    requested = asking_back.call(wiring.local_services(), caller, None)
    return {
        "links": _links(keys),
        "rest_cursor": first["next"],
        "mcp_cursor": page["nextCursor"],
        "request_state": requested["requestState"],
        "upload_form": home.made["tickets"]["awaited"],
    }


def _sessions(home: Home) -> dict[str, str]:
    keys = home.made["keys"]
    personal = mcp(keys["personal"]["text"], "initialize", _HANDSHAKE).headers["mcp-session-id"]
    mcp(keys["personal"]["text"], "logging/setLevel", {"level": "error"}, mcp_session_id=personal)
    acting = mcp(keys["act_as"]["text"], "initialize", _HANDSHAKE, x_user_id="bob").headers["mcp-session-id"]
    return {"personal": personal, "act_as": acting}


def _links(keys: dict[str, Any]) -> dict[str, str]:
    body = {"phrases": ["weight of the pump"], "top_n": 1}
    short = rest("POST", "/v1/search", keys["personal"]["text"], body)["passages"][0]
    params = {"name": "rag_search", "arguments": {"search_phrases": ["weight of the pump"]}}
    session = {"x_user_id": "ann", "x_session_tags": _MANY_TAGS}
    found = mcp(keys["act_as"]["text"], "tools/call", params, **session).json["result"]["structuredContent"]
    codes = {"code": short["source_url"], "packed_code": found["segments"][0]["source_url"]}
    return {**codes, "short": _sealed(codes["code"]), "packed": _sealed(codes["packed_code"])}


def _sealed(link: str) -> str:
    """Return the long form of a link with a code, as for a document with an id of its owner's choice."""
    services = wiring.local_services()
    grant = services.reading.short_links.read(urlsplit(link).path.removeprefix("/o/"))
    assert grant is not None
    document = services.stores.documents.read(grant.principal.tenant, [grant.doc_id])[grant.doc_id]
    token = services.stores.seal.seal_repeatably(SEAL_PURPOSE, grant.to_bounded_bytes(document.readers))
    return f"{link.partition('/o/')[0]}/open/{token}"


def _tickets(key: str, tenant: str) -> dict[str, Any]:
    """A ticket in each state, and a file that was taken and not read yet."""
    services = wiring.local_services()
    made = {name: _ticket(key, name) for name in ("awaited", "arrived", "done", "refused")}
    now = services.clock()
    for name in ("arrived", "done", "refused"):
        assert services.stores.uploads.claim(tenant, made[name]["ticket"], "version-1", now) is not None
    services.stores.uploads.finish(tenant, made["done"]["ticket"], None)
    services.stores.uploads.finish(tenant, made["refused"]["ticket"], "it cannot be read")
    with services.stores.uploaded_files.open_writer(tenant, made["arrived"]["ticket"]) as file:
        file.write(CONTENT)
    return made


def _ticket(key: str, name: str) -> Any:
    order: dict[str, Any] = {"collection": "handbook", "file_name": f"{name}.md", "size": len(CONTENT)}
    order |= {"sha256": hashlib.sha256(CONTENT).hexdigest(), "policy": _PUBLIC, "doc_id": f"d-{name}"}
    order |= {"metadata": {"year": 2026, "tags": ["pumps"], "source": "upload"}, "content_type": "text/markdown"}
    return rest("POST", "/v1/uploads", key, {**order, "source_url": "https://intranet.example/query"})


def write_contexts(home: Home) -> dict[str, Any]:
    """The authorizer's context for each decision, and for each kind of key."""
    keys = {name: key["text"] for name, key in home.made["keys"].items()}
    tenant = home.made["tenants"]["acme"]
    over_limit = AuthDecision(AuthStatus.OVER_LIMIT, AuthReason.KEY_RATE, retry_after_s=3, kid="kid", tenant=tenant)
    return {
        "personal": context(keys["personal"]),
        "act_as": context(keys["act_as"], x_user_id="Zoë", x_session_tags='["department:größe", "board"]'),
        "act_as_for_nobody": context(keys["act_as"]),
        "oauth": signed_in(tenant),
        "unauthenticated": context(None),
        "revoked": context(keys["revoked"]),
        "expired": context(keys["expired"]),
        "conflicting": context(keys["personal"], x_api_key=keys["act_as"]),
        "bad_header": context(keys["act_as"], x_session_tags="not json"),
        "identity_not_allowed": context(keys["personal"], x_user_id="bob"),
        "tag_not_allowed": context(keys["act_as"], x_user_id="bob", x_session_tags='["secret"]'),
        "over_limit": to_context(over_limit),
        "unavailable": to_context(AuthDecision(AuthStatus.UNAVAILABLE, AuthReason.STORE_UNAVAILABLE, retry_after_s=5)),
    }
