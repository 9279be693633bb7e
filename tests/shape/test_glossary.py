"""The glossary has a row per term of the code, and each row leads to a module."""

import ast
import re
from typing import Final

from tests.shape.structure import DOMAIN_CONCEPTS, FEATURES
from tests.support.documentation.pages import ROOT, rows, section, text_of

PACKAGE: Final = ROOT / "layers/groundwire/groundwire"
_NAME: Final = re.compile(r"`([^`]+)`")


PRODUCT: Final = "Terms of the product"
CODE: Final = "Terms of the code"


def entries_of(heading: str) -> list[list[str]]:
    return [row for row in rows(section(text_of("glossary"), heading)) if row[0] != "term"]


def entries() -> list[list[str]]:
    return [*entries_of(PRODUCT), *entries_of(CODE)]


def port_classes() -> set[str]:
    trees = (ast.parse(path.read_text(encoding="utf-8")) for path in (PACKAGE / "ports").glob("*.py"))
    defined = {node.name for tree in trees for node in tree.body if isinstance(node, ast.ClassDef)}
    return {name for name in defined if not name.startswith("_")}


def test_every_row_has_a_meaning_in_one_sentence_and_modules_that_exist() -> None:
    for term, meaning, _, where in entries():
        assert meaning.endswith("."), term
        assert ". " not in meaning, f"{term}: one sentence"
        paths = _NAME.findall(where)
        assert paths, term
        for path in paths:
            assert path.endswith((".py", "/")), path
            assert any(
                (folder / path).exists()
                for folder in (PACKAGE, *(ROOT / "layers").iterdir(), *(ROOT / "tools").iterdir())
            ), path


def test_rows_of_each_table_are_in_alphabetical_order_and_no_term_has_two() -> None:
    for heading in (PRODUCT, CODE):
        terms = [row[0].lower() for row in entries_of(heading)]
        assert terms == sorted(terms)
    assert len({row[0].lower() for row in entries()}) == len(entries())


def test_every_class_of_the_ports_is_named() -> None:
    named = {name for _, _, classes, _ in entries_of(CODE) for name in _NAME.findall(classes)}
    assert port_classes()
    assert port_classes() - named == set()


def test_every_feature_has_a_row() -> None:
    assert {*FEATURES, *DOMAIN_CONCEPTS} - {row[0] for row in entries()} == set()
