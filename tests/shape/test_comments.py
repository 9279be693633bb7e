"""Comments give a reason where a reader must otherwise guess: at least twelve in a thousand lines of a package."""

from typing import Final

import pytest

from tests.shape.comments import per_thousand_lines, reason_comments
from tests.shape.source import product

FEWEST: Final = 12
PACKAGES: Final = (
    "groundwire/adapters/aws",
    "groundwire/adapters/codecs",
    "groundwire/adapters/lexical",
    "groundwire/adapters/local/audit",
    "groundwire/adapters/local/evaluate",
    "groundwire/adapters/local/filesystem",
    "groundwire/adapters/local/index",
    "groundwire/adapters/local/ingest",
    "groundwire/adapters/local/registry",
    "groundwire/adapters/local/sqlite",
    "groundwire/adapters/oidc",
    "groundwire/adapters/onnx",
    "groundwire/adapters/opensearch",
    "groundwire/adapters/parse",
    "groundwire/adapters/planning",
    "groundwire/adapters/remote",
    "groundwire/dialects",
    "groundwire/dialects/azure",
    "groundwire/dialects/foundry",
    "groundwire/dialects/opensearch",
    "groundwire/dialects/vertex",
    "groundwire/domain/access",
    "groundwire/domain/audit",
    "groundwire/domain/documents",
    "groundwire/domain/filters",
    "groundwire/domain/keys",
    "groundwire/domain/passages",
    "groundwire/domain/search",
    "groundwire/domain/sources",
    "groundwire/domain/text",
    "groundwire/entry/cli",
    "groundwire/entry/functions",
    "groundwire/entry/gateway",
    "groundwire/entry/http",
    "groundwire/entry/local_server",
    "groundwire/entry/operator",
    "groundwire/entry/rest",
    "groundwire/entry/runtime",
    "groundwire/entry/serialization",
    "groundwire/ports",
    "groundwire/services",
    "groundwire/settings",
    "groundwire/stored",
    "groundwire/wiring",
    "groundwire_egress",
    "groundwire_mcp",
    "groundwire_model_builder",
    "groundwire_readers",
)
"""Packages, and layers of the server, that have them."""


@pytest.mark.parametrize("package", PACKAGES)
def test_the_package_gives_twelve_reasons_in_a_thousand_lines(package: str) -> None:
    modules = [source for source in product() if source.name.startswith(f"{package}/")]
    assert modules
    assert per_thousand_lines(modules) >= FEWEST


@pytest.mark.parametrize(
    "text",
    [
        "# The store repeats a lost request.\nx = 1",
        "# The store repeats\n# a lost request.\nx = 1",
        "x = 1  # the first of several counts",
    ],
)
def test_a_comment_that_gives_a_reason_counts_once(text: str) -> None:
    assert len(reason_comments(text)) == 1


@pytest.mark.parametrize(
    "text",
    [
        "# Reading of all the options\nx = 1",
        "# -------- the options of keys --------\nx = 1",
        "# A short one.\nx = 1",
        "x = 1  # noqa: PLR2004 - a number of four bytes",
        "x = 1  # pyright: ignore[reportAny] - the library has no types",
        "# fmt: skip because of its table.\nx = 1",
        'x = "# this is a text and no comment."',
        '"""A docstring of more than four words."""',
    ],
)
def test_a_heading_a_directive_and_a_text_do_not_count(text: str) -> None:
    assert not reason_comments(text)


def test_comments_with_code_between_them_count_one_by_one() -> None:
    assert len(reason_comments("# One reason is given here.\nx = 1\n# Another reason is given here.\ny = 1")) == 2
