"""Messages that the page on troubleshooting quotes are messages of the product."""

import ast
import re
from typing import Final

import pytest

from tests.support.documentation.pages import ROOT, rows, text_of

PAGE: Final = text_of("troubleshoot")
OF_OTHERS: Final = ("groundwire: command not found", "audit verify", "audit.torn")
"""The shell's message, and names of a command and a file."""
_QUOTED: Final = re.compile(r"`([^`]+ [^`]*)`")


def messages() -> list[str]:
    """The quoted texts of more than one word in the column of symptoms."""
    return [text for row in rows(PAGE) for text in _QUOTED.findall(row[0]) if text not in OF_OTHERS]


def product_texts() -> str:
    """Every string of the package with its backquotes removed, and the Makefile."""
    found = [(ROOT / "Makefile").read_text(encoding="utf-8")]
    for file in (ROOT / "layers/groundwire/groundwire").rglob("*.py"):
        tree = ast.parse(file.read_text(encoding="utf-8"))
        for node in ast.walk(tree):
            if isinstance(node, ast.JoinedStr):
                parts = [part.value if isinstance(part, ast.Constant) else "{}" for part in node.values]
                found.append("".join(map(str, parts)))
            elif isinstance(node, ast.Constant) and isinstance(node.value, str):
                found.append(node.value)
    return "\n".join(found).replace("`", "")


TEXTS: Final = product_texts()


@pytest.mark.parametrize("message", messages())
def test_a_quoted_message_is_one_of_the_product(message: str) -> None:
    assert message in TEXTS


def test_each_row_has_a_cause_and_a_remedy() -> None:
    for row in rows(PAGE):
        assert all(row), row
        assert len(row) == 3, row
