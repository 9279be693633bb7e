"""One description of runs, and how each format writes it."""

from collections.abc import Callable, Mapping, Sequence
from html import escape

from tests.readers.open_files import epub

Run = tuple[str, str]
"""Kind of a run ("plain", "raised", "lowered", "struck", "deleted") and its text."""


def _tagged(tags: Mapping[str, tuple[str, str]]) -> Callable[[Sequence[Run]], str]:
    return lambda runs: "".join(f"{tags[kind][0]}{escape(text)}{tags[kind][1]}" for kind, text in runs)


html_runs = _tagged(
    {
        "plain": ("", ""),
        "raised": ("<sup>", "</sup>"),
        "lowered": ("<sub>", "</sub>"),
        "struck": ("<s>", "</s>"),
        "deleted": ("<del>", "</del>"),
    }
)
_css_runs = _tagged(
    {
        "plain": ("<span>", "</span>"),
        "raised": ("<span class='up'>", "</span>"),
        "lowered": ("<span style='font-size:60%; position:relative; top:.3em'>", "</span>"),
        "struck": ("<span style='text-decoration: red line-through'>", "</span>"),
        "deleted": ("<b class='gone'>", "</b>"),
    }
)
_markdown_runs = _tagged(
    {
        "plain": ("", ""),
        "raised": ("<sup>", "</sup>"),
        "lowered": ("<sub>", "</sub>"),
        "struck": ("~~", "~~"),
        "deleted": ("<del>", "</del>"),
    }
)
_STYLE = "<style>.up{vertical-align:super} .gone{text-decoration-line:line-through}</style>"


def _html(runs: Sequence[Run]) -> bytes:
    return f"<p>{html_runs(runs)}</p><table><tr><td>{html_runs(runs)}<td>cell</table>".encode()


def _css(runs: Sequence[Run]) -> bytes:
    return f"{_STYLE}<p>{_css_runs(runs)}</p><table><tr><td>{_css_runs(runs)}<td>cell</table>".encode()


def _epub(runs: Sequence[Run]) -> bytes:
    return epub({"a.xhtml": f"<p>{html_runs(runs)}</p><table><tr><td>{html_runs(runs)}</td><td>cell</td></tr></table>"})


def _markdown(runs: Sequence[Run]) -> bytes:
    return f"{_markdown_runs(runs)}\n\n| {_markdown_runs(runs)} | cell |\n|---|---|\n".encode()


WRITERS: Mapping[str, tuple[str, Callable[[Sequence[Run]], bytes]]] = {
    "html": ("html", _html),
    "css": ("html", _css),
    "epub": ("epub", _epub),
    "md": ("md", _markdown),
}
"""File type and content of a paragraph of the runs and a table with them in its first cell, by name."""
