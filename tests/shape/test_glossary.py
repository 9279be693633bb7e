"""The glossary has a row per term of the code, and each row leads to a module."""

import ast
import re
from typing import Final

from tests.shape.structure import DOMAIN_CONCEPTS, FEATURES
from tests.support.documentation.pages import ROOT, rows, text_of

PACKAGE: Final = ROOT / "layers/groundwire/groundwire"
_NAME: Final = re.compile(r"`([^`]+)`")


def entries() -> list[list[str]]:
    return [row for row in rows(text_of("glossary")) if row[0] != "term"]


def port_classes() -> set[str]:
    trees = (ast.parse(path.read_text(encoding="utf-8")) for path in (PACKAGE / "ports").glob("*.py"))
    defined = {node.name for tree in trees for node in tree.body if isinstance(node, ast.ClassDef)}
    return {name for name in defined if not name.startswith("_")}


def test_every_row_has_a_meaning_in_one_sentence_and_modules_that_are_there() -> None:
    for term, meaning, where in entries():
        assert meaning.endswith("."), term
        assert ". " not in meaning, f"{term}: one sentence"
        paths = _NAME.findall(where)
        assert paths, term
        for path in paths:
            assert path.endswith((".py", "/")), path
            assert (PACKAGE / path).exists(), path


def test_rows_are_in_alphabetical_order_without_repetition() -> None:
    terms = [row[0].lower() for row in entries()]
    assert terms == sorted(set(terms))


def test_every_class_of_the_ports_is_named() -> None:
    named = {name for _, meaning, _ in entries() for name in _NAME.findall(meaning)}
    assert port_classes()
    assert port_classes() - named == set()


def test_every_feature_has_a_row() -> None:
    assert {*FEATURES, *DOMAIN_CONCEPTS} - {row[0] for row in entries()} == set()
