"""Limits of requests, lists and sessions, each with its reason."""

from typing import Final

MAX_BODY_BYTES: Final = 1_048_576
"""Size of a request body; a `rag_search` call is a few kB, so more is a mistake or an attack."""
MAX_JSON_DEPTH: Final = 32
MAX_JSON_NODES: Final = 10_000
MAX_BATCH_MESSAGES: Final = 20
"""JSON-RPC messages in one body, of which at most one may call a tool or read documents: a batch must not multiply a
key's rate.
"""
LIST_PAGE_ITEMS: Final = 100
"""Tools, prompts or templates on one page of a list; a model reads no longer list."""
MAX_COMPLETIONS: Final = 100
"""Values proposed for one argument: the maximum of the protocol."""
MAX_RESOURCE_URI_CHARACTERS: Final = 2_048
REQUEST_STATE_SECONDS: Final = 600
"""Time in which a call that requested user input can be resumed: a person reads a question, thinks and types."""
MAX_SESSION_ID_CHARACTERS: Final = 256
"""Length of the header; the server's own ids have 43. A longer one is unknown without a look-up."""
MAX_CLIENT_NAME_CHARACTERS: Final = 200
"""Length of a client's name and of its version, which are stored with its session."""
