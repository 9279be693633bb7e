"""Recording in programs that a suite starts: each Python process with this folder in PYTHONPATH loads the module first.

The process writes what it opens, lists and starts in the checkout to a file of its own in the folder `TESTS_RECORD`:
one tuple in each line. It needs modules only that every start of Python loads, so that it changes no cold start.
"""

import os
import sys
from typing import Any

VARIABLE = "TESTS_RECORD"
PATHS = "PYTHONPATH"
FOLDER = os.path.dirname(os.path.abspath(__file__))  # noqa: PTH100, PTH120 - pathlib would be a new module here
_ROOT = FOLDER.removesuffix(os.path.join("", "tests", "support", "plugins", "proofs"))  # noqa: PTH118
_LISTINGS = frozenset({"os.listdir", "os.scandir"})
_FINDER = "importlib._bootstrap_external"
"""Module that looks modules up in folders: their names decide nothing but which module is found."""
LOST = "lost"
"""Name of the file by which a process reports that it could not write its log."""


class Log:
    """Lines that this process writes: what it does for the first time.

    Args:
        folder: folder of the record.
        root: the checkout; what is outside of it is no input.
    """

    def __init__(self, folder: str, root: str) -> None:
        self._folder = folder
        self._root = os.path.join(root, "")  # noqa: PTH118
        self._written: set[tuple[Any, ...]] = set()

    def note_event(self, event: str, arguments: tuple[Any, ...]) -> None:
        """Write an audit event of Python, if it opens, lists or starts something."""
        if event == "open":
            self._note_path("file", arguments[0])
        elif event in _LISTINGS:
            if sys._getframe(1).f_globals.get("__name__") != _FINDER:
                self._note_path("folder", arguments[0] or ".")
        elif program := started(event, arguments):
            self.note("program", *program)

    def note(self, *entry: Any) -> None:
        """Write one entry."""
        if entry in self._written:
            return
        self._written.add(entry)
        try:
            self._append(str(os.getpid()), f"{entry!r}\n".encode())
        except OSError:
            self._append(LOST, b"")

    def _append(self, name: str, line: bytes) -> None:
        # Opened for each line: programs close all descriptors, or get others by their numbers.
        path = os.path.join(self._folder, name)  # noqa: PTH118
        descriptor = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o666)
        try:
            if line:
                os.write(descriptor, line)
        finally:
            os.close(descriptor)

    def _note_path(self, kind: str, path: object) -> None:
        if isinstance(path, str | bytes | os.PathLike):
            absolute = os.path.abspath(os.fsdecode(path))  # noqa: PTH100 - links stay as they are named
            if absolute.startswith(self._root):
                self.note(kind, absolute)


def started(event: str, arguments: tuple[Any, ...]) -> tuple[tuple[str, ...], str, bool] | None:
    """Return the program that an audit event starts: its arguments, its folder, and whether it loads this module."""
    folder, variables = None, None
    if event == "subprocess.Popen":
        program, words, folder, variables = arguments
        words = [program, *words[1:]] if isinstance(words, list | tuple) else [words]
    elif event in {"os.exec", "os.posix_spawn"}:
        program, words, variables = arguments
        words = [program, *list(words)[1:]]
    elif event == "os.system":
        words = ["sh", "-c", arguments[0]]
    else:
        return None
    argv = tuple(os.fsdecode(word) if isinstance(word, str | bytes | os.PathLike) else str(word) for word in words)
    return argv, os.path.abspath(os.fsdecode(folder or ".")), _is_in(os.environ if variables is None else variables)  # noqa: PTH100


def _is_in(variables: Any) -> bool:
    values = {os.fsdecode(name): os.fsdecode(value) for name, value in dict(variables).items()}
    return VARIABLE in values and FOLDER in values.get(PATHS, "").split(os.pathsep)


def _record() -> None:
    # Programs that pass their path on to others do not pass this folder on.
    sys.path[:] = [path for path in sys.path if path != FOLDER]
    folder = os.environ.get(VARIABLE)
    if folder:
        sys.addaudithook(Log(folder, _ROOT).note_event)


if __name__ == "sitecustomize":
    _record()
