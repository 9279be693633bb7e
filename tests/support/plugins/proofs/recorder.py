"""Recording of what a suite depends on: modules, files, folders that it lists, and programs that it starts.

A suite is a file of tests. One process runs many suites, and a module is loaded once, by the first that needs it. So
the recorder keeps the imports between modules for the whole process, and for each suite what its own run asked for.
"""

import builtins
import importlib.util
import multiprocessing.process
import os
import sys
from collections.abc import Callable, Generator, Iterable
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

_LISTINGS: Final = frozenset({"os.listdir", "os.scandir"})
_PROGRAMS: Final = frozenset({"subprocess.Popen", "os.exec", "os.posix_spawn", "os.fork", "os.forkpty", "os.system"})
_FINDER: Final = "importlib._bootstrap_external"
"""Module that looks modules up in folders: their names decide nothing but which module is found."""


@dataclass(eq=False)
class Record:
    """Modules, files, folders and programs that a run of tests or a fixture used.

    Attributes:
        modules: names of modules that its own statements imported.
        files: absolute paths that it opened.
        folders: absolute paths of folders that it listed.
        programs: names of the programs that it started.
    """

    modules: set[str] = field(default_factory=set)
    files: set[str] = field(default_factory=set)
    folders: set[str] = field(default_factory=set)
    programs: set[str] = field(default_factory=set)

    def add(self, other: "Record") -> None:
        """Take over what the other record has."""
        self.modules |= other.modules
        self.files |= other.files
        self.folders |= other.folders
        self.programs |= other.programs


_NOTHING: Final = Record()


class Recorder:
    """Records of the running suite and fixtures, in all threads of this process.

    Args:
        root: the checkout; what is outside of it is no input.
        packages: names of the packages whose modules count.
    """

    def __init__(self, root: Path, packages: Iterable[str]) -> None:
        self._root = f"{root}{os.sep}"
        self._packages = tuple(packages)
        self._imports: dict[str, set[str]] = {}
        self._bodies: dict[str, Record] = {}
        self._open: list[Record] = [Record()]
        self._import_depth = 0

    def start(self) -> None:
        """Watch imports and events from now on, until the process ends."""
        sys.addaudithook(self._note_event)
        python: Any = builtins
        library: Any = importlib
        self._import, python.__import__ = python.__import__, self._watch_statement
        self._import_by_name = library._bootstrap._gcd_import
        library._bootstrap._gcd_import = self._watch_call
        process: Any = multiprocessing.process.BaseProcess
        process.start = self._watch_start(process.start)

    @contextmanager
    def recording(self, record: Record) -> Generator[None]:
        """Record in the given record what happens in the block, in place of the one outside of it."""
        self._open.append(record)
        try:
            yield
        finally:
            self._open.remove(record)

    def whole(self, record: Record, modules: Iterable[str]) -> Record:
        """Return the record with these modules, and with all that its modules import and open when they are loaded."""
        whole, visited, waiting = Record(), set[str](), [*record.modules, *modules]
        whole.add(record)
        # Read by no suite in particular, as by a plugin. Modules among them are inputs of those who import them.
        whole.files |= {each for each in self._open[0].files if not each.endswith(".py")}
        while waiting:
            name = waiting.pop()
            if name in visited or not name:
                continue
            visited.add(name)
            body = self._bodies.get(name, _NOTHING)
            whole.add(body)
            # A module is loaded after the packages that contain it.
            waiting += [name.rpartition(".")[0], *body.modules, *self._imports.get(name, ())]
        whole.modules |= visited
        return whole

    def _watch_statement(
        self,
        name: str,
        globals: dict[str, Any] | None = None,  # noqa: A002 - the names of the function that it replaces
        locals: dict[str, Any] | None = None,  # noqa: A002
        fromlist: tuple[str, ...] | None = (),
        level: int = 0,
    ) -> Any:
        if not level and not name.startswith(self._packages):
            return self._import(name, globals, locals, fromlist, level)
        importer = (globals or {}).get("__name__", "")
        base = importlib.util.resolve_name("." * level + name, (globals or {}).get("__package__") or "")
        self._import_depth += 1
        try:
            module = self._import(name, globals, locals, fromlist, level)
        finally:
            self._import_depth -= 1
        targets = {base, *(each for each in (f"{base}.{part}" for part in fromlist or ()) if each in sys.modules)}
        # A statement of a module's body runs once, for all who import the module; one of a function, for its caller.
        self._note_imports(importer, targets, is_of_body=locals is globals)
        return module

    def _watch_call(self, name: str, package: str | None = None, level: int = 0) -> Any:
        module = self._import_by_name(name, package, level)
        base = importlib.util.resolve_name("." * level + name, package) if level else name
        if base.startswith(self._packages):
            self._note_imports("", {base}, is_of_body=False)
        return module

    def _watch_start(self, start: Callable[[Any], None]) -> Callable[[Any], None]:
        def noted(process: Any) -> None:
            # Started without an event where the method is `spawn`.
            self._open[-1].programs.add("python")
            start(process)

        return noted

    def _note_imports(self, importer: str, targets: set[str], *, is_of_body: bool) -> None:
        if importer and (is_of_body or self._import_depth):
            self._imports.setdefault(importer, set()).update(targets)
        else:
            self._open[-1].modules |= targets

    def _note_event(self, event: str, arguments: tuple[Any, ...]) -> None:
        if event == "open":
            self._note_path(arguments[0], self._record().files)
        elif event in _LISTINGS and sys._getframe(1).f_globals.get("__name__") != _FINDER:
            self._note_path(arguments[0] or ".", self._record().folders)
        elif event in _PROGRAMS:
            program = arguments[0] if arguments else "fork"
            self._record().programs.add(Path(os.fsdecode(program)).name)

    def _record(self) -> Record:
        """Return the record of what runs: a module's body, which runs once for all who import it, or a suite."""
        frame = sys._getframe(2) if self._import_depth else None
        while frame is not None:
            name = frame.f_globals.get("__name__", "")
            if frame.f_code.co_name == "<module>" and name.startswith(self._packages):
                return self._bodies.setdefault(name, Record())
            frame = frame.f_back
        return self._open[-1]

    def _note_path(self, path: object, paths: set[str]) -> None:
        if not isinstance(path, str | bytes | os.PathLike):
            return
        absolute = os.path.abspath(os.fsdecode(path))  # noqa: PTH100 - links stay as they are named
        if f"{absolute}{os.sep}".startswith(self._root):
            paths.add(absolute)
