"""Requirements on the MCP server, by the ids in the tests' names.

H: the HTTP transport, J: JSON-RPC, F: features, D: what is decided here where the specification leaves it open.
"""

from collections.abc import Callable
from typing import Final, TypeVar

TestT = TypeVar("TestT", bound=Callable[..., None])

KEPT: Final = {
    "H1": "one path, POST",
    "H2": "a foreign Origin is refused with 403",
    "H4": "a request is answered by one JSON object, or by buffered events when there is something to tell before it",
    "H5": "an accepted notification or response is answered by an empty 202, a refused one by 4xx",
    "H6": "a response sent to the stateless revision is 400 -32600",
    "H7": "406 only when Accept excludes JSON",
    "H8": "a body of another type than JSON is 415",
    "H9": "GET is 405 with Allow: POST, at once",
    "H10": "DELETE ends the session that it names, and is 405 without one and in the stateless revision",
    "H11": "session ids and Last-Event-ID are ignored in the stateless revision",
    "H12": "initialize begins a session of an unguessable id; another's and one that is over are 404",
    "H13": "MCP-Protocol-Version must equal the envelope's version",
    "H14": "a version that is not served is 400 -32022 with those that are",
    "H15": "an unknown method of the stateless revision is 404 -32601",
    "H16": "Mcp-Method and Mcp-Name must equal the body",
    "H17": "Mcp-Param headers must equal the arguments that they mirror",
    "H18": "an unsupported version header is 400, an absent one means 2025-03-26",
    "H19": "events hold what belongs to the request, the response last; nothing is streamed, nobody is asked",
    "H20": "a cancellation is accepted and ignored",
    "H21": "batches are for 2025-03-26 and for clients without a version header",
    "H22": "bodies are UTF-8 JSON of at most 1 MiB",
    "H23": "a missing scope is 403 with an insufficient_scope challenge that names it",
    "J1": "ids are strings or integers and come back unchanged",
    "J2": "each kind of failure has its code",
    "J3": "an incomplete envelope is 400 -32602; clientInfo may be left out",
    "J4": "what needs an undeclared capability of the client is 400 -32021 with all that is missing",
    "J5": "results of the stateless revision carry resultType and serverInfo",
    "J6": "no request depends on an earlier one",
    "J7": "our own errors stay outside the reserved range",
    "J8": "`_meta` keys that MCP reserves are used only as it defines them",
    "F1": "server/discover",
    "F2": "what is declared answers, what is not declared is an unknown method",
    "F3": "tool names are of letters, digits and _.-",
    "F4": "input schemas are object schemas",
    "F5": "structuredContent comes with the full answer as text",
    "F6": "an unknown tool is -32602; faults of a tool are isError results, and errors under its contract",
    "F7": "a tool outside the caller's toolset is unknown to it",
    "F8": "lists come in pages, whose cursors are good for their list and owner only; any other is -32602",
    "F9": "a missing resource and a forbidden one are one error, -32602 or (handshake) -32002, with the URI",
    "F11": "progress is told to whom asked for it, grows, and ends with the answer",
    "F12": "log messages go to whom asked for them, no milder than asked",
    "F13": "completion proposes at most 100 values, only such as the caller may know",
    "F14": "ping is answered in the handshake revisions",
    "F15": "a prompt is filled in with exactly the arguments that it takes, all of them text",
    "F16": "a call that asks back can be gone on with by its own caller only, unchanged, for ten minutes",
    "F17": "lists carry cache hints, public only where all callers see the same",
    "F18": "title, instructions and annotations are there",
    "F19": "apps are shown to clients whose capabilities name them; every other client gets the bytes without apps",
    "F20": "skills are declared, listed with digests and sizes, and read as resources by who may read resources",
    "D1": "initialize is answered under any header, with the asked version when it is served",
    "D2": "a call without handshake and version header just works",
    "D3": "a request that says two eras at once is refused",
    "D4": "a request without id is refused, not swallowed",
    "D5": "what a tool raises beside its faults reaches the entry, which has an answer for it",
    "D6": "an answer says what to record of it",
}

NOT_OFFERED: Final = {
    "H3": "authentication stands before the protocol, at the gateway's edge",
    "F10": "subscriptions hold a function open; none is declared, so subscribing is an unknown method",
}


def promise(*ids: str) -> Callable[[TestT], TestT]:
    """The test shows that these promises are kept."""
    assert KEPT.keys() >= set(ids)

    def mark(test: TestT) -> TestT:
        test.__dict__["promises"] = ids
        return test

    return mark
