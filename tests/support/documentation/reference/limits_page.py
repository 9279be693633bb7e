"""docs/limits.md: every limit with the number of its constant."""

from collections.abc import Iterator, Mapping
from dataclasses import asdict
from types import ModuleType
from typing import Final

from groundwire.adapters.aws.dynamodb.documents import items, transaction
from groundwire.adapters.parse.function import limits as function_limits
from groundwire.domain import limits
from groundwire.domain.keys.fairness import work
from groundwire.entry.local_server import application, workers
from groundwire.entry.local_server.connections import protocol
from groundwire_egress.mcp_client import limits as egress_limits
from groundwire_mcp import limits as mcp_limits
from groundwire_readers.contents import limits as readers_limits
from groundwire_readers.sandbox.processes.process import ParserLimits
from tests.support.documentation.reference.limit_texts import (
    DOMAIN_GROUPS,
    PARSER_FUNCTION_GROUP,
    PARSER_GROUP,
    RECORD_GROUP,
    SERVER_GROUP,
    LimitGroup,
)

_NOT_PER_DOCUMENT: Final = {"documents_per_worker", "document_seconds", "recycle_above_mb", "start_seconds"}
_INTRO: Final = """# Limits

This page has every limit, and what happens beyond it. The last column has the name of the constant. Most constants are
in `layers/groundwire/groundwire/domain/limits.py`. Those of a package are in its own module `limits`.

A limit is fixed, unless its row contains "by default". Then the row names the option that changes it, or
[settings](settings.md) has the variable. Words such as "status 413" mean an HTTP status, and "error -32602" a
[JSON-RPC error](protocol.md). A tool error is a result with `isError`. [Errors](reference/errors.md) has the codes.
"""


class MissingTextError(Exception):
    """Error when limits and texts about limits do not have the same names."""


def limits_page() -> str:
    """Return the page.

    Raises:
        MissingTextError: a limit has no text, or a text has no limit.
    """
    parser = {name: int(value) for name, value in asdict(ParserLimits()).items() if name not in _NOT_PER_DOCUMENT}
    sources: list[tuple[tuple[LimitGroup, ...], Mapping[str, int]]] = [
        (DOMAIN_GROUPS, numbers(limits) | numbers(egress_limits) | numbers(mcp_limits) | numbers(readers_limits)),
        ((SERVER_GROUP,), public(application) | public(work) | public(workers) | public(protocol)),
        ((PARSER_GROUP,), parser),
        ((PARSER_FUNCTION_GROUP,), public(function_limits)),
        ((RECORD_GROUP,), public(items) | public(transaction)),
    ]
    parts = [_INTRO.strip()]
    for groups, values in sources:
        texts = [text.name for group in groups for text in group.limits]
        if sorted(texts) != sorted(values):
            raise MissingTextError(f"limits and limit_texts.py differ: {sorted(set(texts) ^ set(values)) or 'twice'}")
        parts += ["\n".join(_section(group, values)) for group in groups]
    return "\n\n".join(parts) + "\n"


def _section(group: LimitGroup, values: Mapping[str, int]) -> Iterator[str]:
    yield f"## {group.title}\n"
    yield "| value | what it limits | beyond it | name |"
    yield "|---|---|---|---|"
    for text in group.limits:
        yield f"| {values[text.name]:,} | {text.meaning} | {text.beyond} | `{text.name}` |"
    if group.note:
        yield f"\n{group.note}"


def numbers(module: ModuleType) -> dict[str, int]:
    """Return the constants of a module that are numbers."""
    return {name: int(value) for name, value in vars(module).items() if name.isupper() and type(value) in (int, float)}


def public(module: ModuleType) -> dict[str, int]:
    """Return those without a leading underscore."""
    return {name: value for name, value in numbers(module).items() if not name.startswith("_")}
