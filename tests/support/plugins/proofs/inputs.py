"""Inputs of a suite: what in the checkout decides its result, each with a digest of its content.

An input is the name of a file, of a folder with a slash at its end (the names in it), of all files below a folder
(`folder/**`), of a program outside of the checkout (`=path`), or of a part of the checkout: `*code` or `*checkout`.
"""

import hashlib
import os
import platform
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

import pytest

from tests.support.plugins.proofs.programs import CHECKOUT, CODE, INSTALLED, unseen_inputs
from tests.support.plugins.proofs.recorder import Record, Recorder

_BELOW: Final = "/**"
_NO_CODE: Final = ("docs/", "tests/", ".github/")
_MADE: Final = (".", "build/")
"""Beginnings of names that tools write: environments and caches, made from what the locks name, and results."""
_ENVIRONMENT_FILES: Final = ("pyproject.toml", "requirements.lock", "requirements-dev.lock")


class Checkout:
    """Files of the checkout that count: those that git tracks, and new ones that it does not ignore."""

    def __init__(self, root: Path) -> None:
        self.root = root
        command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
        try:
            listed = subprocess.run(command, cwd=root, check=True, capture_output=True).stdout.decode()
        except (OSError, subprocess.CalledProcessError) as error:
            raise pytest.UsageError("Proofs need a git checkout: run `make test` in place of `make check`.") from error
        self._files = frozenset(listed.split("\0")) - {""}
        self._digests: dict[str, str] = {}

    def environment(self) -> str:
        """Return a digest of what every suite depends on: interpreter, platform, packages, and how tests are run."""
        own = sorted(each for each in self._files if each.startswith("tests/support/plugins/"))
        return _hash([sys.version, platform.platform(), *map(self.digest, (*_ENVIRONMENT_FILES, *own))])

    def inputs_of(self, suite: str, record: Record, recorder: Recorder) -> set[str]:
        """Return the names of all inputs of a suite that ran in this process."""
        record = recorder.whole(record, modules_above(suite))
        modules = (getattr(sys.modules.get(name), "__file__", None) for name in record.modules)
        paths = (os.path.relpath(each, self.root) for each in (*modules, *record.files) if each)
        inputs = {each for each in map(_source_of, paths) if each in self._files}
        folders = (os.path.relpath(each, self.root) for each in record.folders)
        inputs |= {f"{each}/" for each in folders if self._names_in(each)}
        for program in record.programs:
            inputs |= set(unseen_inputs(program, self.root, self._named))
        if record.is_lost:
            inputs.add(CODE)
        if CODE in inputs:
            inputs |= {each for each in self._files if each.startswith(f"{Path(suite).parent}/")}
        return inputs

    def undeclared(self, record: Record) -> list[str]:
        """Return the names of opened files of the checkout that are no inputs, as git does not know them."""
        names = {os.path.relpath(each, self.root) for each in record.files} - self._files
        own = (each for each in names if not each.startswith(_MADE) and "__pycache__" not in each)
        return sorted(each for each in own if (self.root / each).is_file())

    def digests(self, inputs: set[str]) -> dict[str, str]:
        """Return the digest of each input."""
        return {name: self.digest(name) for name in sorted(inputs)}

    def has(self, inputs: Mapping[str, str]) -> bool:
        """Return whether every input has this digest."""
        return all(self.digest(name) == digest for name, digest in inputs.items())

    def digest(self, name: str) -> str:
        """Return the digest of one input at the time of the first call."""
        if name not in self._digests:
            self._digests[name] = self._digest(name)
        return self._digests[name]

    def files_of(self, name: str) -> Iterator[str]:
        """Yield the names of the files whose content an input is."""
        if name == CHECKOUT:
            yield from self._files
        elif name == CODE:
            yield from (
                each for each in self._files if each.startswith("tests/support/") or not each.startswith(_NO_CODE)
            )
        elif name.endswith(_BELOW):
            yield from (each for each in self._files if each.startswith(name[: -len(_BELOW) + 1]))
        elif not name.endswith("/") and not name.startswith(INSTALLED):
            yield name

    def _digest(self, name: str) -> str:
        if name in {CHECKOUT, CODE} or name.endswith(_BELOW):
            return _hash([f"{each} {self.digest(each)}" for each in sorted(self.files_of(name))])
        if name.endswith("/"):
            return _hash(self._names_in(name[:-1]))
        try:
            if name.startswith(INSTALLED):
                program = Path(name.removeprefix(INSTALLED)).resolve()
                return _hash([str(program), str(program.stat().st_size), str(program.stat().st_mtime_ns)])
            return hashlib.sha256((self.root / name).read_bytes()).hexdigest()
        except (FileNotFoundError, IsADirectoryError):
            return "absent"

    def _named(self, path: str) -> str | None:
        """Return the input with this path: a file, or all files below a folder."""
        if path in self._files:
            return path
        return f"{path}{_BELOW}" if self._names_in(path) else None

    def _names_in(self, folder: str) -> list[str]:
        start = "" if folder == "." else f"{folder}/"
        return sorted({each[len(start) :].partition("/")[0] for each in self._files if each.startswith(start)})


def modules_above(suite: str) -> Iterator[str]:
    """Yield the suite's own module and the `conftest` modules of the folders that it is in."""
    parts = Path(suite).with_suffix("").parts
    yield ".".join(parts)
    yield from (".".join((*parts[:depth], "conftest")) for depth in range(1, len(parts)))


def _source_of(path: str) -> str:
    """Return the source of a compiled module; other paths stay as they are."""
    folder, name = os.path.split(path)
    if not name.endswith(".pyc"):
        return path
    return os.path.join(folder.removesuffix("__pycache__"), f"{name.partition('.')[0]}.py")  # noqa: PTH118


def _hash(lines: list[str]) -> str:
    return hashlib.sha256("\0".join(lines).encode()).hexdigest()
