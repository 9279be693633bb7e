"""Messages that the tables of symptoms quote are messages of the product."""

import ast
import re
from collections.abc import Iterator
from functools import cache
from typing import Final

import pytest

from tests.support.documentation.pages import GUIDES, ROOT, prose, rows, text_of

PAGE: Final = text_of("troubleshoot")
OF_OTHERS: Final = ("groundwire: command not found", "audit verify", "audit.torn", "Connection refused")
"""Messages of the shell and of curl, and names of a command and a file."""
_QUOTED: Final = re.compile(r"`([^`]+)`")
_SYMPTOMS: Final = re.compile(r"^\| symptom \|.*\n((?:\|.*\n)+)", re.MULTILINE)


def symptoms() -> Iterator[str]:
    """The first column of each table of symptoms on any page."""
    for page in GUIDES:
        for table in _SYMPTOMS.findall(prose(page.read_text(encoding="utf-8"))):
            yield from (row[0] for row in rows(table))


def messages() -> list[str]:
    """The quoted texts of more than one word in the columns of symptoms."""
    quoted = {text for symptom in symptoms() for text in _QUOTED.findall(symptom) if " " in text}
    return sorted(quoted.difference(OF_OTHERS))


@cache
def product_texts() -> str:
    """Every string of the package with its backquotes removed, and the Makefile."""
    found = [(ROOT / "Makefile").read_text(encoding="utf-8")]
    for file in (path for name in ("layers", "tools") for path in (ROOT / name).rglob("*.py")):
        tree = ast.parse(file.read_text(encoding="utf-8"))
        for node in ast.walk(tree):
            if isinstance(node, ast.JoinedStr):
                parts = [part.value if isinstance(part, ast.Constant) else "{}" for part in node.values]
                found.append("".join(map(str, parts)))
            elif isinstance(node, ast.Constant) and isinstance(node.value, str):
                found.append(node.value)
    return "\n".join(found).replace("`", "")


@pytest.mark.parametrize("message", messages())
def test_every_quoted_message_is_a_message_of_the_product(message: str) -> None:
    assert message in product_texts()


def test_each_row_has_a_cause_and_a_remedy() -> None:
    for row in rows(PAGE):
        assert all(row), row
        assert len(row) == 3, row
