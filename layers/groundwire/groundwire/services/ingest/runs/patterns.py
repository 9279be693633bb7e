"""Patterns that select files of a folder, by the path below the folder that was named."""

from collections.abc import Iterator
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Final


@dataclass(frozen=True, slots=True)
class PathPatterns:
    """Patterns of a run, compared exactly; `*` matches any text, `?` for one character, `[ab]` for one of them.

    A pattern without a slash is compared with the name of the file and of each folder above it. Another one is compared
    with the path, and with the path of each folder above the file.

    Attributes:
        include: a file is selected only if one of these matches; empty: every file.
        exclude: a file is not selected if one of these matches.
    """

    include: tuple[str, ...]
    exclude: tuple[str, ...]

    def select(self, path: str) -> bool:
        """Return whether the file of this path below its named folder is selected."""
        is_included = not self.include or any(_matches(pattern, path) for pattern in self.include)
        return is_included and not any(_matches(pattern, path) for pattern in self.exclude)


ALL_FILES: Final = PathPatterns((), ())
"""Patterns that select every file."""


def _matches(pattern: str, path: str) -> bool:
    wanted = pattern.strip("/")
    compared = _path_prefixes(path) if "/" in wanted else iter(path.split("/"))
    return any(fnmatchcase(each, wanted) for each in compared)


def _path_prefixes(path: str) -> Iterator[str]:
    """Yield the paths of the folders above the file, then its own."""
    names = path.split("/")
    for count in range(1, len(names) + 1):
        yield "/".join(names[:count])
