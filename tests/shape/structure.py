"""House rules for the whole package: sizes of folders and modules, one name per feature, one meaning per class name."""

import ast
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from enum import Enum, auto
from pathlib import PurePath
from typing import Final

from tests.shape.source import Source

PackageRule = Callable[[Sequence[Source]], Iterator[str]]


class _Time(Enum):
    """Time of an import: when the importer is loaded, when a function of it is called, or only to check types."""

    LOAD = auto()
    CALL = auto()
    TYPES = auto()


FEWEST_ENTRIES: Final = 3
MOST_ENTRIES: Final = 12
FRAGMENT_LINES: Final = 40

FEATURES: Final[Mapping[str, str]] = {
    "access": "policies, tags, scopes, toolsets",
    "audit": "the log of calls",
    "collections": "collections of a tenant and their settings",
    "definitions": "JSON objects that administrators make through a dialect",
    "documents": "records, originals and links of documents",
    "evaluate": "measured quality of search",
    "ingest": "a file's way into registry and index",
    "keys": "API keys, access tokens and the decision about a call",
    "models": "installed models",
    "object_events": "changes of a bucket's objects",
    "reindex": "another model for a tenant",
    "search": "candidates, ranking and the passages of an answer",
    "sessions": "sessions of MCP",
    "sources": "MCP servers of other systems",
    "tenants": "tenants and their deletion",
    "uploads": "upload tickets and uploaded files",
    "users": "users and their tags",
}
"""Names of features: a folder or module of this name means this feature, in every layer."""

DOMAIN_CONCEPTS: Final[Mapping[str, str]] = {
    "filters": "conditions on metadata",
    "passages": "chunks and the texts made of them",
    "text": "words, sentences and characters",
}
"""Folders of pure rules that several features use."""

_FEATURE_LAYERS: Final = ("groundwire/domain", "groundwire/services")
"""Layers whose folders are features; folders of other layers may be technologies."""

SYNONYMS: Final[Mapping[str, str]] = {
    "arrival": "object_events",
    "arrivals": "object_events",
    "authentication": "keys",
    "authorisation": "access",
    "authorization": "access",
    "bucket_events": "object_events",
    "care": "admin",
    "corpora": "collections",
    "credentials": "keys",
    "customers": "tenants",
    "deliveries": "object_events",
    "desk": "tickets",
    "indexing": "ingest",
    "ingestor": "ingest",
    "loaders": "ingest",
    "migration": "reindex",
    "news": "object_events",
    "organisations": "tenants",
    "people": "users",
    "permissions": "access",
    "place": "target",
    "places": "target",
    "rebuild": "reindex",
    "retrieval": "search",
    "rights": "access",
    "settle": "reconcile",
    "shelf": "catalog",
    "shelves": "catalog",
    "standing": "index_generations",
    "standings": "index_generations",
    "stewardship": "managed",
    "surroundings": "sidecars",
}
"""Refused names of modules and folders, whole or as a word of a name, with the name in use."""

_FOLDER_SYNONYMS: Final[Mapping[str, str]] = {
    "eval": "evaluate",
    "evaluation": "evaluate",
    "files": "documents",
    "ingestion": "ingest",
    "indexes": "index",
    "querying": "search",
    "searching": "search",
    "tickets": "uploads",
}
"""Refused names of folders; a module may have one of them where it holds one ingestion or one kind of file."""

_SMALL_FOLDERS: Final = {
    "groundwire/dialects/*": "one dialect, as large as its system needs",
    "groundwire/adapters/*": "one adapter, as large as its technology needs",
    "groundwire_model_builder": "graphs, and what installs them",
}

FRAGMENTS: Final[Mapping[str, str]] = {}
"""Short modules with one importer that stay modules, each with the reason."""

_LISTED_IN: Final[Mapping[str, str]] = {
    "groundwire_readers/readers/": "groundwire_readers/dispatch.py",
}
"""Folders of modules that are entries of one table, each with the module of the table: an entry may be short."""

_COMPOSED_IN: Final = {"adapters": "wiring", "dialects": "wiring", "wiring": "entry"}
"""Layers whose modules are imported by the next one, which may not contain them."""


def folder_sizes(package: Sequence[Source]) -> Iterator[str]:
    entries: dict[PurePath, set[str]] = defaultdict(set)
    for source in package:
        path = PurePath(source.name)
        for folder in path.parents[:-1]:
            entries[folder].add(path.relative_to(folder).parts[0])
    for folder, held in sorted(entries.items()):
        count = len(held - {"__init__.py"})
        if count > MOST_ENTRIES:
            yield f"{folder}: {count} entries, at most {MOST_ENTRIES}: group its modules into folders"
        elif count < FEWEST_ENTRIES and not any(map(folder.match, _SMALL_FOLDERS)):
            yield f"{folder}: {count} entries, at least {FEWEST_ENTRIES}: make it a module, or join it with a sibling"


def feature_names(package: Sequence[Source]) -> Iterator[str]:
    folders = {folder for source in package for folder in PurePath(source.name).parents[:-1]}
    for folder in sorted(folders):
        if str(folder.parent) in _FEATURE_LAYERS and folder.name not in {*FEATURES, *DOMAIN_CONCEPTS}:
            yield f"{folder}: use the name of a feature, or add the new feature to FEATURES and to docs/glossary.md"
        yield from _refused_names(folder, folder.name, {**SYNONYMS, **_FOLDER_SYNONYMS})
    for source in package:
        yield from _refused_names(PurePath(source.name), PurePath(source.name).stem, SYNONYMS)


def _refused_names(path: PurePath, name: str, synonyms: Mapping[str, str]) -> Iterator[str]:
    for word in sorted({name, *name.split("_")} & synonyms.keys()):
        yield f"{path}: `{word}` is a second name of `{synonyms[word]}`: use that one"


def fragments(package: Sequence[Source]) -> Iterator[str]:
    importers, lazy = importers_of(package), lazy_modules(package)
    for source in package:
        lines = len(source.text.splitlines())
        if lines >= FRAGMENT_LINES or source.name.endswith("__init__.py") or source.name in FRAGMENTS:
            continue
        if source.name in lazy:
            continue
        if len(importers[source.name]) == 1:
            [importer] = importers[source.name]
            if any(source.name.startswith(folder) and importer == table for folder, table in _LISTED_IN.items()):
                continue
            if _COMPOSED_IN.get(_layer(source.name), "") != _layer(importer):
                yield f"{source.name}: {lines} lines, imported by {importer} alone: join the two"


def _layer(path: str) -> str:
    return PurePath(path).parts[1]


def importers_of(package: Sequence[Source]) -> Mapping[str, set[str]]:
    """Return the paths of the modules that import each module, by the path of the imported one."""
    found: dict[str, set[str]] = defaultdict(set)
    for importer, imported, _ in _imports(package):
        found[imported].add(importer)
    return found


def lazy_modules(package: Sequence[Source]) -> set[str]:
    """Return the paths of the modules that a cold start does without: only functions import them, to run them."""
    times: dict[str, set[_Time]] = defaultdict(set)
    for _, imported, time in _imports(package):
        times[imported].add(time)
    return {path for path, found in times.items() if _Time.CALL in found and _Time.LOAD not in found}


def _imports(package: Sequence[Source]) -> Iterator[tuple[str, str, _Time]]:
    """Yield the paths of importer and imported module, and when the import is carried out."""
    paths = {_dotted(source.name): source.name for source in package}
    for source in package:
        for name, time in _imported_names(source.tree, _Time.LOAD):
            # `from a import b` names the module `a.b`, or the name `b` of the module `a`.
            module = name if name in paths else name.rpartition(".")[0]
            if module in paths:
                yield source.name, paths[module], time


def _dotted(path: str) -> str:
    return path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")


def _imported_names(parent: ast.AST, time: _Time) -> Iterator[tuple[str, _Time]]:
    for node in ast.iter_child_nodes(parent):
        match node:
            case ast.Import():
                yield from ((alias.name, time) for alias in node.names)
            case ast.ImportFrom(module=str(module)):
                yield from ((f"{module}.{alias.name}", time) for alias in node.names)
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                yield from _imported_names(node, _Time.CALL)
            case ast.If(test=ast.Name(id="TYPE_CHECKING")):
                yield from _imported_names(node, _Time.TYPES)
            case _:
                yield from _imported_names(node, time)


def class_names(package: Sequence[Source]) -> Iterator[str]:
    places: dict[str, list[str]] = defaultdict(list)
    for source in package:
        for node in source.nodes:
            if isinstance(node, ast.ClassDef):
                places[node.name].append(source.at(node))
    for name, defined in sorted(places.items()):
        if len(defined) > 1:
            yield f"`{name}` is a class of {' and '.join(defined)}: name each after what distinguishes it"
