"""Inputs of a program that a suite starts, as far as nobody sees what the program opens.

A Python program writes what it opens, but for one in isolated mode or with an environment without the recorder, as the
confined workers of the readers. Of other programs, the files and folders that their arguments name are inputs. One that
is in the checkout may read more, by its name.
"""

import os
import re
import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

CODE: Final = "*code"
CHECKOUT: Final = "*checkout"
READERS: Final = "layers/readers/groundwire_readers/**"
INSTALLED: Final = "="
_SILENT: Final = frozenset(
    {
        *("chrome", "chromium", "curl", "java", "openssl", "tesseract"),
        *("cat", "cp", "dpkg-deb", "id", "mkdir", "rm", "sleep", "tar", "true"),
        *("ar", "cargo", "gcc", "ld", "ldconfig", "ldd", "lsb_release", "objdump", "rustc", "uname"),
    }
)
"""Programs that read what their arguments name and nothing else of the checkout; pip and ctypes ask the last ones."""
_EMULATOR: Final = "aws-lambda-rie"
"""Beginning of the name of one more, which ends with the machine's."""
_SHELLS: Final = frozenset({"bash", "env", "nice", "setpriv", "sh", "timeout", "unshare"})
"""Programs that start others, which get their environment."""
_BUILDERS: Final = frozenset({"make", "node", "npm", "npx", "uv"})
"""Programs that run or build the code of the checkout, and read none of its pages by themselves."""
_OF_COMMITS: Final = frozenset({"--version", "archive", "cat-file", "init"})
"""Commands of git that read no working tree: what a commit holds never changes."""
_WORD: Final = re.compile(r"[\w./~@+-]+")
_TAKES_PROGRAM: Final = ("-c", "-m")


@dataclass(frozen=True, slots=True)
class Started:
    """Program that a suite started.

    Attributes:
        words: path or name of the program, and its arguments.
        folder: its working folder.
        is_recorded: its environment has the recorder.
    """

    words: tuple[str, ...]
    folder: str
    is_recorded: bool


def unseen_inputs(program: Started, root: Path, named: Callable[[str], str | None]) -> Iterator[str]:
    """Yield the inputs of the program that it does not write by itself.

    Args:
        program: the program.
        root: the checkout.
        named: function from a path relative to the checkout to the input of that name, if there is one.
    """
    place = shutil.which(program.words[0]) or program.words[0]
    if _is_python(place):
        if not program.is_recorded or _is_isolated(program.words):
            yield from _inputs_of_python(program.words)
        return
    if not Path(place).is_relative_to(root):
        yield f"{INSTALLED}{place}"
    words = set(_WORD.findall(" ".join(program.words[1:])))
    paths = {os.path.relpath(os.path.join(program.folder, word), root) for word in words}  # noqa: PTH118
    inputs = set(filter(None, map(named, paths - {"."})))
    yield from inputs
    folder = os.path.relpath(program.folder, root)
    is_inside = folder == "." or bool(inputs or named(folder)) or str(root) in words
    yield from _inputs_by_name(Path(place).name, words, program, is_inside=is_inside)


def _inputs_by_name(name: str, words: set[str], program: Started, *, is_inside: bool) -> Iterator[str]:
    if name in _SHELLS:
        # Python programs among those that it starts write what they do.
        if not program.is_recorded or (words & _BUILDERS and is_inside):
            yield CODE
        if "git" in words and is_inside:
            yield CHECKOUT
    elif not is_inside or name in _SILENT or name.startswith(_EMULATOR) or (name == "git" and words & _OF_COMMITS):
        return
    else:
        yield CODE if name in _BUILDERS else CHECKOUT


def is_python_module(words: tuple[str, ...], package: str) -> bool:
    """Return whether these arguments of Python run a module of the package."""
    return "-m" in words[:-1] and words[words.index("-m") + 1].partition(".")[0] == package


def _inputs_of_python(words: tuple[str, ...]) -> Iterator[str]:
    if is_python_module(words, "groundwire_readers"):
        yield READERS
    elif not is_python_module(words, "venv"):
        yield CODE


def _is_isolated(words: tuple[str, ...]) -> bool:
    for word in words[1:]:
        if not word.startswith("-") or word in _TAKES_PROGRAM:
            return False
        if not word.startswith("--") and set(word) & set("ISE"):
            return True
    return False


def _is_python(place: str) -> bool:
    """Return whether the program is Python, or a script of Python."""
    if Path(place).name.startswith("python"):
        return True
    try:
        with Path(place).open("rb") as script:
            start = script.read(512)
    except OSError:
        return False
    return start.startswith(b"#!") and b"python" in b"".join(start.splitlines()[:2])
