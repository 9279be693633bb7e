"""House rule on words: names and first sentences use the terms of docs/glossary.md, never those that it replaced."""

import ast
import re
from collections.abc import Iterator, Mapping
from pathlib import PurePath
from typing import Final

from tests.shape.source import Source, docstrings_of, is_rest_model

RETIRED: Final[Mapping[str, str]] = {
    "afar": "remotely",
    "arrivals": "object events",
    "asked": "requested, or the kind of query",
    "begun": "started",
    "beneath": "subtree",
    "bring": "ingest, or return",
    "brings": "ingest, or return",
    "brought": "ingested, or returned",
    "care": "administration",
    "deliveries": "event claims",
    "desk": "tickets",
    "elsewhere": "the name of the other place",
    "fault": "error",
    "faults": "errors",
    "gone": "deleted, or missing",
    "hears": "receives",
    "late": "lazy, or overdue",
    "lose": "discard, or remove",
    "loses": "discards, or removes",
    "midst": "during",
    "news": "event",
    "patience": "timeout",
    "rounds": "multi round trip",
    "said": "declared, or stated",
    "saying": "stating",
    "says": "states, or declares",
    "settle": "reconcile",
    "settled": "reconciled",
    "settles": "reconciles",
    "settling": "reconciliation",
    "shelf": "catalog, or store",
    "shelves": "catalogs, or stores",
    "spoken": "declared",
    "stand": "version token, or be",
    "standing": "index generations",
    "standings": "index generations",
    "stands": "is",
    "stewardship": "managed documents",
    "surroundings": "sidecars",
    "tells": "returns, or reports",
    "tidy": "merge, or clean up",
    "tidying": "merge, or cleanup",
    "told": "reported, or passed",
    "trouble": "error",
    "verdict": "decision",
    "verdicts": "decisions",
    "visit": "request context",
    "withdraw": "remove the source",
    "withdrawn": "removed",
}
"""Retired words, each with the term to use."""

RETIRED_PHRASES: Final[Mapping[tuple[str, ...], str]] = {
    ("by", "hand"): "manually, or manual override",
    ("by", "meaning"): "semantic",
    ("by", "words"): "lexical",
    ("carried", "by"): "parent",
    ("caught", "up"): "refreshed",
    ("doubles", "as"): "is also",
    ("give", "back"): "refund",
    ("last", "words"): "tail",
    ("name", "current"): "publish",
    ("prompt", "book"): "prompt methods",
    ("until", "alone"): "retry on conflict",
}
"""Retired names of several words."""

RETIRED_NAMES: Final[Mapping[str, str]] = {
    "apart": "per key",
    "families": "attachment trees",
    "family": "attachment tree",
    "offer": "server definition",
    "offers": "server definitions",
    "reach": "tenant rate limit, or collections",
    "together": "shared, or in parallel",
    "turning": "migrating",
}
"""Words that are retired as names only: in a sentence they have their plain meaning."""

STORED_OR_ON_THE_WIRE: Final[Mapping[str, str]] = {
    "INTERNAL_FAULT": "the reason `internal_fault` in audit lines",
    "address_family": "an attribute that the standard library's socket servers read",
}
"""Identifiers that keep a retired word, with the place where the name is stored, sent or defined."""

_WORD: Final = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|\d+")
_CODE: Final = re.compile(r"`[^`]*`|\w*_\w*")
"""Quoted text and names of several words, which a sentence mentions as they are."""


def retired_identifiers(source: Source) -> Iterator[str]:
    for name, line in identifiers(source):
        if name not in STORED_OR_ON_THE_WIRE:
            yield from (f"{source.name}:{line}: `{name}`: {advice}" for advice in retired_words(name))


def retired_first_lines(source: Source) -> Iterator[str]:
    for name, line, text in docstrings_of(source):
        words = re.findall(r"[a-z]+", _CODE.sub("``", text.splitlines()[0]).lower())
        for advice in _advice(words, RETIRED):
            yield f"{source.name}:{line}: first line of the docstring of {name}: {advice}"


def retired_words(name: str) -> list[str]:
    """Return the advice for each retired word of an identifier, split at `_` and at changes of case.

    The name of a test is a sentence, in which words that are retired as names alone have their plain meaning.
    """
    retired = RETIRED if name.startswith("test_") else {**RETIRED, **RETIRED_NAMES}
    return list(_advice([word.lower() for word in _WORD.findall(name)], retired))


def _advice(words: list[str], retired: Mapping[str, str]) -> Iterator[str]:
    for word in words:
        if word in retired:
            yield f"`{word}` is retired, say: {retired[word]}"
    for phrase, term in RETIRED_PHRASES.items():
        if any(tuple(words[start : start + len(phrase)]) == phrase for start in range(len(words))):
            yield f"`{' '.join(phrase)}` is retired, say: {term}"


def identifiers(source: Source) -> Iterator[tuple[str, int]]:
    """Yield each name that the module gives, with its line; names of published models are left out."""
    yield from ((part, 1) for part in PurePath(source.name).with_suffix("").parts)
    waiting: list[ast.AST] = [source.tree]
    while waiting:
        node = waiting.pop()
        if not is_rest_model(source, node):
            yield from ((name, getattr(node, "lineno", 1)) for name in _names_given(node) if name)
            waiting.extend(ast.iter_child_nodes(node))


def _names_given(node: ast.AST) -> list[str | None]:
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return [node.name]
    if isinstance(node, ast.ExceptHandler | ast.MatchAs | ast.MatchStar):
        return [node.name]
    if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
        return [node.id]
    if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
        return [node.attr]
    if isinstance(node, ast.arg):
        return [node.arg]
    return [node.asname] if isinstance(node, ast.alias) else []
