"""The package keeps the rules on exceptions and names of settings, and each rule sees what it forbids."""

from collections.abc import Mapping

import pytest

from tests.shape import tree
from tests.shape.source import Source, parsed, product
from tests.shape.structure import PackageRule
from tests.shape.tree import LISTED

RULES = [tree.exception_tree, tree.private_exceptions, tree.names_of_settings]
DERIVED = "class DomainError(Exception): ...\nclass A(DomainError): ..."

BROKEN: list[tuple[PackageRule, Mapping[str, str]]] = [
    (tree.exception_tree, {"groundwire/a.py": "class A(Exception): ..."}),
    (tree.exception_tree, {"groundwire/a.py": "class A(ValueError): ..."}),
    (tree.exception_tree, {"groundwire/a.py": "class A(sqlite3.DatabaseError): ..."}),
    (tree.exception_tree, {"groundwire/a.py": "class _A(Exception): ...", "groundwire/b.py": "class B(_A): ..."}),
    (tree.exception_tree, {"groundwire/a.py": "def f():\n    class A(Exception): ..."}),
    (tree.private_exceptions, {"groundwire/a.py": "from groundwire.b import _PausedError"}),
    (tree.names_of_settings, {"groundwire/domain/a.py": '"""Read GROUNDWIRE_HOME."""'}),
    (tree.names_of_settings, {"groundwire/ports/a.py": 'x = "set GROUNDWIRE_HOME"'}),
]

KEPT: list[tuple[PackageRule, Mapping[str, str]]] = [
    (tree.exception_tree, {"groundwire/a.py": DERIVED}),
    (tree.exception_tree, {"groundwire/a.py": DERIVED, "groundwire/b.py": "class B(a.A): ..."}),
    (tree.exception_tree, {"groundwire/a.py": "class ToolError(ProtocolError, ValueError): ..."}),
    (tree.exception_tree, {"groundwire/a.py": "class _Paused(Exception): ...\nclass A(NamedTuple): ..."}),
    (tree.private_exceptions, {"groundwire/a.py": "from groundwire.b import PausedError"}),
    (tree.names_of_settings, {"groundwire/settings/a.py": 'x = "GROUNDWIRE_HOME"'}),
]


def package() -> list[Source]:
    return [source for source in product() if source.name.startswith("groundwire")]


def written(texts: Mapping[str, str]) -> list[Source]:
    return [parsed(name, text) for name, text in texts.items()]


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.__name__)
def test_the_package_keeps_the_rule(rule: PackageRule) -> None:
    found = list(rule(package()))
    assert not found, "\n" + "\n".join(found)


@pytest.mark.parametrize(("rule", "texts"), BROKEN)
def test_the_rule_finds_what_it_forbids(rule: PackageRule, texts: Mapping[str, str]) -> None:
    assert list(rule(written(texts)))


@pytest.mark.parametrize(("rule", "texts"), KEPT)
def test_the_rule_lets_pass_what_it_allows(rule: PackageRule, texts: Mapping[str, str]) -> None:
    assert not list(rule(written(texts)))


def test_every_listed_exception_is_one_that_the_rule_finds_without_the_list(monkeypatch: pytest.MonkeyPatch) -> None:
    listed = dict(LISTED)
    monkeypatch.setattr(tree, "LISTED", {})
    found = "\n".join(tree.exception_tree(package()))
    assert all(f"`{name}`" in found for name in listed), "not outside of the tree: remove them from the list"
    assert all(listed.values())
