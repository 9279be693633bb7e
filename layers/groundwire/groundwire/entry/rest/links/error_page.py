"""Error page for people who open a link in a browser: self-contained HTML without scripts."""

import base64
import hashlib
from dataclasses import dataclass
from html import escape
from typing import Final

_STYLE: Final = (
    ":root{color-scheme:light dark}"
    "body{margin:0;font:1.125rem/1.6 system-ui,sans-serif}"
    "main{max-width:34rem;margin:15vh auto;padding:0 1.5rem}"
    "h1{font-size:1.5rem;line-height:1.3}"
)


def style_source(style: str) -> str:
    """Return the source of a policy that allows this style alone, and none that somebody injects (CSP 3, `sha256`)."""
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode("ascii")
    return f"'sha256-{digest}'"


PAGE_POLICY: Final = (
    f"default-src 'none'; style-src {style_source(_STYLE)}; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'; sandbox"
)
"""Content security policy of the page: its own style and nothing else."""


@dataclass(frozen=True, slots=True)
class ErrorPage:
    """Texts of a page.

    Attributes:
        title: what happened, in one sentence.
        paragraphs: what the reader can do.
    """

    title: str
    paragraphs: tuple[str, ...]

    def to_html(self) -> str:
        """Return the page."""
        title = escape(self.title)
        paragraphs = "".join(f"<p>{escape(paragraph)}</p>\n" for paragraph in self.paragraphs)
        return (
            '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
            '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
            f"<title>{title}</title>\n<style>{_STYLE}</style>\n</head>\n"
            f"<body>\n<main>\n<h1>{title}</h1>\n{paragraphs}</main>\n</body>\n</html>\n"
        )
