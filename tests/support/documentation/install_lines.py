"""Install lines of the pages, each with the first commands that the page gives after it."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from tests.support.documentation.pages import GUIDES, ROOT

FIRST: Final = 2
"""Number of commands after an install line."""
_INSTALL_LINE: Final = re.compile(r"pip install (?:--quiet )?-e '\.\[([a-z,]+)\]'")
_BLOCK: Final = re.compile(r"^```sh\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_COMMAND: Final = re.compile(r"^(?:\w+=\S+ )?(?:\.venv/bin/)?groundwire ")
_INLINE: Final = re.compile(r"`((?:\.venv/bin/)?groundwire [^`\n]+)`")


@dataclass(frozen=True, slots=True)
class InstallLine:
    """One line that installs extras.

    Attributes:
        page: path of the page in the repository.
        extra: names of the extras, as the line has them.
        commands: the first commands after the line, each with the lines of its block that set something before it.
    """

    page: str
    extra: str
    commands: tuple[str, ...]


def install_lines() -> Iterator[InstallLine]:
    """Yield the install lines of all pages in their order.

    The commands are those of the blocks up to the next install line. Without such a block they are those of the text.
    """
    for page in GUIDES:
        yield from _lines_of(page)


def _lines_of(page: Path) -> Iterator[InstallLine]:
    text = page.read_text(encoding="utf-8")
    found = list(_INSTALL_LINE.finditer(text))
    ends = [*(each.start() for each in found[1:]), len(text)]
    for line, end in zip(found, ends, strict=False):
        after = text[line.end() : end]
        commands = [command for block in _BLOCK.findall(after) for command in _with_settings(block)]
        commands = commands or _inline_commands(after)
        yield InstallLine(str(page.relative_to(ROOT)), line[1], tuple(commands[:FIRST]))


def _inline_commands(text: str) -> list[str]:
    """Return the commands of the first section of the text that has one."""
    return next(filter(None, map(_INLINE.findall, re.split(r"^## ", text, flags=re.MULTILINE))), [])


def _with_settings(block: str) -> Iterator[str]:
    settings: list[str] = []
    for line in block.splitlines():
        if _COMMAND.match(line):
            yield "\n".join([*settings, line])
        elif line.startswith(("export ", "umask ")):
            settings.append(line)
