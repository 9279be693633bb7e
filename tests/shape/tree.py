"""House rules on exceptions and on names of settings: one tree of exceptions, and one layer that names settings."""

import ast
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from tests.shape.source import Source

ROOTS: Final = {"DomainError", "ProtocolError", "EgressError", "ReadingError"}
"""Roots of the trees: what any caller can get, what has a JSON-RPC error, calls without a response, and readings."""

LISTED: Final[Mapping[str, str]] = {
    "DomainError": "the root of the tree",
    "ProtocolError": "the root of the protocol's errors: code, status and headers of a JSON-RPC answer",
    "JsonError": "the core's error of a rejected body, which its caller words",
    "JsonTooLarge": "as `JsonError`",
    "UnknownContinuation": "the core's error of a token, which its caller words",
    "SessionsUnavailable": "the core's error of a store, which the server's stores are translated to",
    "EgressError": "the root of the errors of calls out of the server, which its adapters translate",
    "ReadingError": "the root of the readers' errors, which the server's parser translates",
    "McpCallError": "an error of the protocol as OpenSearch's server sends it, with a code of its own",
    "UndecodableRow": "a damaged database as SQLite reports others; the adapter translates both alike",
    "UnreadableValue": "the layer of field tables lies below the domain, whose stores translate it",
}
"""Public exception classes outside of the trees, each with the reason."""

_BUILT_IN: Final = {"BaseException", "Exception"}
_WITHOUT_SETTINGS: Final = (
    "groundwire/retry.py",
    "groundwire/stored/",
    "groundwire/domain/",
    "groundwire/ports/",
    "groundwire_egress/deadline.py",
    "groundwire_egress/mcp_client/calls.py",
    "groundwire_egress/secure_urls.py",
    "groundwire_mcp/",
    "groundwire_readers/contents/",
    "groundwire_readers/text/",
)
"""Layers that no setting reaches: they take values, and their texts name no variable of the environment."""
_PREFIX: Final = "GROUNDWIRE_"


def exception_tree(package: Sequence[Source]) -> Iterator[str]:
    """Yield each public exception class that neither derives from a root nor is listed."""
    bases = {node.name: _bases(node) for source in package for node in _classes(source)}
    for source in package:
        for node in _classes(source):
            ancestors = _ancestors(node.name, bases)
            if node.name.startswith("_") or node.name in LISTED or not _is_exception(ancestors):
                continue
            if not ancestors & ROOTS:
                advice = "derive it from `domain.errors`, make it a value, or keep it private to its module"
                yield f"{source.at(node)}: `{node.name}` is an exception outside of the tree: {advice}"


def private_exceptions(package: Sequence[Source]) -> Iterator[str]:
    """Yield each import of a private exception class: it never leaves its module."""
    for source in package:
        for node in source.nodes:
            if isinstance(node, ast.ImportFrom):
                for alias in node.names:
                    if alias.name.startswith("_") and alias.name.endswith(("Error", "Exception")):
                        yield f"{source.name}:{node.lineno}: `{alias.name}` is private: derive it from `domain.errors`"


def names_of_settings(package: Sequence[Source]) -> Iterator[str]:
    """Yield each text, docstrings included, that names a setting in a layer that no setting reaches."""
    for source in package:
        if source.name.startswith(_WITHOUT_SETTINGS):
            for number, line in enumerate(source.text.splitlines(), 1):
                if _PREFIX in line:
                    yield f"{source.name}:{number}: `settings/` names the variable: take the value, or the remedy"


def _classes(source: Source) -> Iterator[ast.ClassDef]:
    return (node for node in source.nodes if isinstance(node, ast.ClassDef))


def _bases(node: ast.ClassDef) -> list[str]:
    return [ast.unparse(base).rpartition(".")[2] for base in node.bases]


def _ancestors(name: str, bases: Mapping[str, Sequence[str]]) -> set[str]:
    found: set[str] = set()
    waiting = [name]
    while waiting:
        for base in bases.get(waiting.pop(), ()):
            if base not in found:
                found.add(base)
                waiting.append(base)
    return found


def _is_exception(ancestors: set[str]) -> bool:
    return bool(ancestors & _BUILT_IN) or any(name.endswith(("Error", "Exception")) for name in ancestors)
