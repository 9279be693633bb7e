"""Composition is plain: groups of use cases without ancestors, few names each, and no table of functions."""

import ast
from collections.abc import Callable, Iterable, Iterator
from typing import Final

import pytest

from tests.shape.source import Source, product

MOST_NAMES: Final = 25
MOST_LAMBDAS: Final = 3
"""Most lambdas among the arguments of one call: more of them are a table that hides what is built when."""
_DECLARATIONS: Final = {"Protocol", "NamedTuple", "Generic"}
"""Bases that give a class no behaviour of another one."""


def composed() -> list[Source]:
    """Return the modules of the composition root."""
    return [source for source in product() if source.name.startswith("groundwire/wiring/")]


def inherited(text: str) -> Iterator[str]:
    """Yield the classes that have an ancestor with behaviour; a protocol may extend a protocol."""
    for node in _classes(text):
        bases = {ast.unparse(base).split("[")[0] for base in node.bases}
        if bases - _DECLARATIONS and "Protocol" not in bases:
            yield node.name


def crowded(text: str) -> Iterator[str]:
    """Yield the classes with more public names than one group may have."""
    for node in _classes(text):
        if len(public_names(node)) > MOST_NAMES:
            yield node.name


def public_names(node: ast.ClassDef) -> set[str]:
    """Return the public attributes and methods that the class itself defines."""
    functions = {each.name for each in node.body if isinstance(each, ast.FunctionDef)}
    fields = {
        each.target.id for each in node.body if isinstance(each, ast.AnnAssign) and isinstance(each.target, ast.Name)
    }
    return {name for name in functions | fields if not name.startswith("_")}


def tables_of_functions(text: str) -> Iterator[int]:
    """Yield the lines of calls whose arguments are a table of lambdas."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Call):
            values = [*node.args, *(keyword.value for keyword in node.keywords)]
            if sum(isinstance(value, ast.Lambda) for value in values) > MOST_LAMBDAS:
                yield node.lineno


def _classes(text: str) -> Iterator[ast.ClassDef]:
    return (node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.ClassDef))


@pytest.mark.parametrize("rule", [inherited, crowded, tables_of_functions], ids=lambda rule: rule.__name__)
def test_the_composition_root_keeps_the_rule(rule: Callable[[str], Iterable[object]]) -> None:
    modules = composed()
    assert len(modules) > MOST_NAMES
    assert {source.name: found for source in modules if (found := list(rule(source.text)))} == {}


def test_a_class_with_an_ancestor_is_found_and_a_protocol_is_not() -> None:
    assert list(inherited("class A(B): ...")) == ["A"]
    assert list(inherited("class A(B, Protocol): ...\nclass C(Generic[T]): ...\nclass D: ...")) == []


def test_a_class_with_too_many_public_names_is_found() -> None:
    names = "".join(f"    def name_{number}(self) -> None: ...\n" for number in range(MOST_NAMES))
    assert list(crowded(f"class A:\n{names}    def _private(self) -> None: ...\n")) == []
    assert list(crowded(f"class A:\n    field: int\n{names}")) == ["A"]


def test_a_table_of_lambdas_is_found() -> None:
    assert list(tables_of_functions("f(a=lambda: 1, b=lambda: 2, c=lambda: 3)")) == []
    assert list(tables_of_functions("f(lambda: 0, a=lambda: 1, b=lambda: 2, c=lambda: 3)")) == [1]
