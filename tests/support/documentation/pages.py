"""The project's pages as data: fenced blocks, commands, tables, links."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[3]
README: Final = ROOT / "README.md"
GUIDES: Final = (README, *sorted((ROOT / "docs").rglob("*.md")), ROOT / "CONTRIBUTING.md")
_LISTS: Final = (
    "CHANGELOG.md",
    "ROADMAP.md",
    "SECURITY.md",
    "VERSIONING.md",
    "examples/README.md",
    "samples/README.md",
)
EVERY_PAGE: Final = (*GUIDES, *(ROOT / name for name in _LISTS))

_FENCE: Final = re.compile(r"^```([a-z]*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_LINK: Final = re.compile(r"\]\(([^)\s]+)\)")
_CONTINUED: Final = re.compile(r"\\\n\s*")
_QUOTED: Final = re.compile(r"`([^`\n]+)`")


@dataclass(frozen=True, slots=True)
class Block:
    """Fenced block; `language` is empty when the page states none."""

    language: str
    text: str


def text_of(name: str) -> str:
    """A guide by its path in docs/ without suffix, or by the name of its file where only one has it."""
    path = ROOT / "docs" / f"{name}.md"
    [page] = [path] if path in GUIDES else [page for page in GUIDES if page.stem == name]
    return page.read_text(encoding="utf-8")


def blocks(page: Path) -> list[Block]:
    return [Block(*found.groups()) for found in _FENCE.finditer(page.read_text(encoding="utf-8"))]


def commands(page: Path) -> list[str]:
    """What the page's shell blocks have people type, one command each, lines that go on put together."""
    typed = "".join(block.text for block in blocks(page) if block.language == "sh")
    lines = (line.strip() for line in _CONTINUED.sub("", typed).splitlines())
    return [line for line in lines if line and not line.startswith("#")]


def prose(text: str) -> str:
    """The text without its fenced blocks."""
    return _FENCE.sub("", text)


def section(text: str, heading: str) -> str:
    """Return the text of a section of the second level, from its heading to the next one."""
    [found] = [part for part in re.split(r"^## ", text, flags=re.MULTILINE) if part.startswith(f"{heading}\n")]
    return found


def rows(text: str) -> Iterator[list[str]]:
    """The rows of all tables, cell by cell."""
    for line in prose(text).splitlines():
        if line.startswith("|") and not line.startswith("|---"):
            yield [cell.strip() for cell in line.strip().strip("|").split("|")]


def row_of(text: str, name: str) -> list[str]:
    """The one row that begins with `name`, in backquotes or plain."""
    [row] = [row for row in rows(text) if row[0] in (f"`{name}`", name)]
    return row


def anchors(page: Path) -> set[str]:
    """Return the names by which links reach the page's headings, as GitHub derives them from the text."""
    headings = re.findall(r"^#+ (.+)$", prose(page.read_text(encoding="utf-8")), flags=re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", "-") for heading in headings}


def fragment_links(page: Path) -> list[tuple[Path, str]]:
    """Return page and name of each heading to which the page links."""
    found = (target.partition("#") for target in _LINK.findall(prose(page.read_text(encoding="utf-8"))))
    return [
        ((page.parent / file).resolve() if file else page, name)
        for file, _, name in found
        if name and "://" not in file
    ]


def links(page: Path) -> list[str]:
    """Where the page's relative links lead, without fragment."""
    found = _LINK.findall(prose(page.read_text(encoding="utf-8")))
    return [target.partition("#")[0] for target in found if "://" not in target]


def quoted(text: str) -> list[str]:
    """Everything in backquotes outside of blocks."""
    return _QUOTED.findall(prose(text))
