"""Recording of what a suite depends on: modules, files, folders that it lists, and programs that it starts.

A suite is a file of tests. One process runs many suites, and a module is loaded once, by the first that needs it. So
the recorder keeps the imports between modules for the whole process, and for each suite what its own run asked for.
Programs that a suite starts write what they do themselves: `sitecustomize.py`.
"""

import ast
import builtins
import functools
import importlib.util
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from tests.support.plugins.proofs import sitecustomize
from tests.support.plugins.proofs.programs import Started

_LISTINGS: Final = frozenset({"os.listdir", "os.scandir"})
_FINDER: Final = "importlib._bootstrap_external"
"""Module that looks modules up in folders: their names decide nothing but which module is found."""
_STARTERS: Final = ("asyncio", "functools", "subprocess")
"""Modules between a statement that starts a program and the start."""
_OWN: Final = ("tests", "bench")
"""Packages whose code gives the recorder to the programs that it starts, whatever environment it composes."""


@dataclass(eq=False)
class Record:
    """Modules, files, folders and programs that a run of tests or a fixture used.

    Attributes:
        modules: names of modules that its own statements imported.
        files: absolute paths that it opened.
        folders: absolute paths of folders that it listed.
        programs: the programs that it started.
        shared: records of what it used and others use, too, as a fixture of the session.
        log: folder of what its programs write.
        is_lost: a program could not write what it did.
    """

    modules: set[str] = field(default_factory=set)
    files: set[str] = field(default_factory=set)
    folders: set[str] = field(default_factory=set)
    programs: set[Started] = field(default_factory=set)
    shared: set["Record"] = field(default_factory=set)
    log: Path | None = None
    is_lost: bool = False

    def add(self, other: "Record") -> None:
        """Take over what the other record and its programs have by now."""
        self.modules |= other.modules
        self.files |= other.files
        self.folders |= other.folders
        self.programs |= other.programs
        self.shared |= other.shared
        for path in () if other.log is None else other.log.iterdir():
            self.is_lost |= path.name == sitecustomize.LOST
            for line in path.read_text(encoding="utf-8").splitlines():
                self._add_line(*ast.literal_eval(line))

    def _add_line(self, kind: str, *value: Any) -> None:
        if kind == "program":
            self.programs.add(Started(*value))
        else:
            {"file": self.files, "folder": self.folders, "module": self.modules}[kind].add(value[0])


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
        self._logs = Path(tempfile.mkdtemp(prefix="tests-record-"))
        self._logs.chmod(0o711)
        self._log: sitecustomize.Log | None = None
        """Log of a process that this one forked; this one keeps records."""

    def start(self) -> None:
        """Watch imports and events from now on, until the process ends."""
        sys.addaudithook(self._note_event)
        python: Any = builtins
        library: Any = importlib
        self._import, python.__import__ = python.__import__, self._watch_statement
        self._import_by_name = library._bootstrap._gcd_import
        library._bootstrap._gcd_import = self._watch_call
        functions: Any = functools
        functions.lru_cache = self._counting_cached(functions.lru_cache)
        process: Any = subprocess.Popen
        process.__init__ = _passing_recorder_on(process.__init__)
        os.environ.update(_with_recorder(os.environ))
        os.register_at_fork(after_in_child=self._become_child)

    def stop(self) -> None:
        """Remove what programs wrote."""
        shutil.rmtree(self._logs, ignore_errors=True)

    @contextmanager
    def recording(self, record: Record) -> Generator[None]:
        """Record in the given record what happens in the block, in place of the one outside of it."""
        self._open.append(record)
        self._name_log()
        try:
            yield
        finally:
            self._open.remove(record)
            self._name_log()

    def whole(self, record: Record, modules: Iterable[str]) -> Record:
        """Return the record with these modules, and with all that its modules import and open when they are loaded."""
        whole, visited = Record(), set[str]()
        for each in _with_shared(record):
            whole.add(each)
        waiting = [*whole.modules, *modules]
        # Read by no suite in particular, as by a plugin. Modules among them are inputs of those who import them.
        whole.files |= {each for each in self._open[0].files if not each.endswith(".py")}
        while waiting:
            name = waiting.pop()
            if name in visited or not name:
                continue
            visited.add(name)
            body = self._bodies.get(name, _NOTHING)
            for each in _with_shared(body):
                whole.add(each)
                waiting += each.modules
            # A module is loaded after the packages that contain it.
            waiting += [name.rpartition(".")[0], *self._imports.get(name, ())]
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

    def _counting_cached(self, make: Callable[..., Any]) -> Callable[..., Any]:
        """Return the decorator of cached functions: what one of the tests reads counts for all who call it."""

        def decorated(function: Callable[..., Any], **options: Any) -> Callable[..., Any]:
            if not function.__module__.startswith(_OWN):
                return make(**options)(function)
            record = Record()

            @functools.wraps(function)
            def compute(*arguments: Any, **named: Any) -> Any:
                depth, self._import_depth = self._import_depth, 0
                try:
                    with self.recording(record):
                        return function(*arguments, **named)
                finally:
                    self._import_depth = depth

            cached = make(**options)(compute)

            @functools.wraps(function)
            def use(*arguments: Any, **named: Any) -> Any:
                self._record().shared.add(record)
                return cached(*arguments, **named)

            for name in ("cache_clear", "cache_info", "cache_parameters"):
                setattr(use, name, getattr(cached, name))
            return use

        def lru_cache(maxsize: Any = 128, **options: Any) -> Any:
            if callable(maxsize):
                return decorated(maxsize, **options)
            return functools.partial(decorated, maxsize=maxsize, **options)

        return lru_cache

    def _become_child(self) -> None:
        if log := self._open[-1].log:
            self._log = sitecustomize.Log(str(log), self._root)

    def _name_log(self) -> None:
        """Name the folder of the record for the programs that start from now on."""
        record = self._open[-1]
        if record.log is None:
            record.log = Path(tempfile.mkdtemp(dir=self._logs))
            # Programs of other users write there, too.
            record.log.chmod(0o777)
        os.environ[sitecustomize.VARIABLE] = str(record.log)

    def _note_imports(self, importer: str, targets: set[str], *, is_of_body: bool) -> None:
        if self._log:
            for target in targets:
                self._log.note("module", target)
        elif importer and (is_of_body or self._import_depth):
            self._imports.setdefault(importer, set()).update(targets)
        else:
            self._open[-1].modules |= targets

    def _note_event(self, event: str, arguments: tuple[Any, ...]) -> None:
        if self._log:
            self._log.note_event(event, arguments)
        elif event == "open":
            self._note_path(arguments[0], self._record().files)
        elif event in _LISTINGS and sys._getframe(1).f_globals.get("__name__") != _FINDER:
            self._note_path(arguments[0] or ".", self._record().folders)
        elif program := sitecustomize.started(event, arguments):
            self._record().programs.add(Started(*program))

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


def _with_shared(record: Record) -> Iterator[Record]:
    """Yield the record and all that it shares with others."""
    visited, waiting = set[Record](), [record]
    while waiting:
        each = waiting.pop()
        if each not in visited:
            visited.add(each)
            waiting += each.shared
            yield each


def _with_recorder(variables: Any) -> dict[str, str]:
    """Return the variables that a program needs beside the given ones to be recorded."""
    paths = [path for path in variables.get(sitecustomize.PATHS, "").split(os.pathsep) if path]
    if sitecustomize.FOLDER not in paths:
        # Last: what the suite puts there is found first.
        paths.append(sitecustomize.FOLDER)
    return {
        sitecustomize.PATHS: os.pathsep.join(paths),
        sitecustomize.VARIABLE: os.environ.get(sitecustomize.VARIABLE, ""),
    }


def _passing_recorder_on(start: Callable[..., None]) -> Callable[..., None]:
    """Return the start of programs, which adds the recorder to an environment that tests compose."""

    @functools.wraps(start)
    def started(process: Any, *arguments: Any, **options: Any) -> None:
        frame = sys._getframe(1)
        while frame.f_back and frame.f_globals.get("__name__", "").partition(".")[0] in _STARTERS:
            frame = frame.f_back
        if options.get("env") is not None and frame.f_globals.get("__name__", "").startswith(_OWN):
            options["env"] = {**options["env"], **_with_recorder(options["env"])}
        start(process, *arguments, **options)

    return started
