"""Comments give a reason where a reader must otherwise guess: at least twelve in a thousand lines of a folder."""

from typing import Final

import pytest

from tests.shape.comments import per_thousand_lines, reason_comments
from tests.shape.source import Source, product

FEWEST: Final = 12
_LEAST_LINES: Final = 1_000
"""Lines from which a folder is large enough for a share of a thousand."""
_DEPTH: Final = 3


def folders() -> dict[str, list[Source]]:
    """Return the packages, their layers and the features of these, each with its modules, if they are large."""
    found: dict[str, list[Source]] = {}
    for source in product():
        parts = source.name.split("/")[:-1]
        # The other packages have one promise each: a feature of theirs is no part that somebody takes alone.
        for depth in range(1, min(_DEPTH if parts[0] == "groundwire" else 1, len(parts)) + 1):
            found.setdefault("/".join(parts[:depth]), []).append(source)
    return {name: modules for name, modules in found.items() if _lines(modules) >= _LEAST_LINES}


def _lines(modules: list[Source]) -> int:
    return sum(source.text.count("\n") for source in modules)


@pytest.mark.parametrize("folder", sorted(folders()))
def test_the_folder_gives_twelve_reasons_in_a_thousand_lines(folder: str) -> None:
    assert per_thousand_lines(folders()[folder]) >= FEWEST


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
