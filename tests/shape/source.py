"""The product's modules as syntax trees."""

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]
PACKAGES = ROOT / "layers" / "groundwire"
FUNCTIONS = ROOT / "functions"

AnyFunction = ast.FunctionDef | ast.AsyncFunctionDef
Definition = AnyFunction | ast.ClassDef


@dataclass(frozen=True)
class Source:
    """A module; `name` is its path below the folder that is on the path of imports."""

    name: str
    text: str
    tree: ast.Module

    def at(self, node: ast.stmt | ast.expr | ast.excepthandler) -> str:
        """Where a finding is, in the form that terminals and editors open."""
        return f"{self.name}:{node.lineno}"


def parsed(name: str, text: str) -> Source:
    return Source(name, text, ast.parse(text))


def paths() -> list[Path]:
    return sorted((PACKAGES / "groundwire").rglob("*.py"))


@cache
def product() -> list[Source]:
    package = [parsed(str(path.relative_to(PACKAGES)), path.read_text()) for path in paths()]
    functions = [parsed(str(path.relative_to(ROOT)), path.read_text()) for path in sorted(FUNCTIONS.rglob("*.py"))]
    return package + functions


def functions(source: Source) -> Iterator[AnyFunction]:
    """All of them, methods and those inside others included."""
    for node in ast.walk(source.tree):
        if isinstance(node, AnyFunction):
            yield node


def public(source: Source) -> Iterator[Definition]:
    """Classes, functions and methods that others may use: no underscore before the name, nor before its owner's."""
    return _public(source.tree)


def _public(owner: ast.Module | ast.ClassDef) -> Iterator[Definition]:
    for node in _definitions(owner):
        if not node.name.startswith("_"):
            yield node
            if isinstance(node, ast.ClassDef):
                yield from _public(node)


def _definitions(owner: ast.Module | ast.ClassDef) -> Iterator[Definition]:
    """What is defined in the owner itself, under an `if` or `try` too."""
    waiting: list[ast.AST] = list(owner.body)
    while waiting:
        node = waiting.pop()
        if isinstance(node, Definition):
            yield node
        else:
            waiting.extend(ast.iter_child_nodes(node))
