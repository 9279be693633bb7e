"""Inputs of a suite: what in the checkout decides its result, each with a digest of its content.

An input is the name of a file, of a folder with a slash at its end (the names in it), or of a part of the checkout:
`*code` or `*checkout`, for suites that start programs.
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

from tests.support.plugins.proofs.recorder import Record, Recorder

CODE: Final = "*code"
CHECKOUT: Final = "*checkout"
_ENGINES: Final = frozenset({"java", "chromium", "chrome", "tesseract"})
"""Programs that read nothing of the checkout."""
_READERS_OF_CODE: Final = ("python", "groundwire", "fork", "sam", "pip", "node", "npm", "npx", "uv")
"""Beginnings of programs that run or build the code of the checkout, and read none of its pages by themselves."""
_NO_CODE: Final = ("docs/", "tests/", ".github/")
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
        record = recorder.whole(record, _modules_above(suite))
        modules = (getattr(sys.modules.get(name), "__file__", None) for name in record.modules)
        paths = (os.path.relpath(each, self.root) for each in (*modules, *record.files) if each)
        inputs = {each for each in paths if each in self._files}
        folders = (os.path.relpath(each, self.root) for each in record.folders)
        inputs |= {f"{each}/" for each in folders if self._names_in(each)}
        programs = record.programs - _ENGINES
        if any(not each.startswith(_READERS_OF_CODE) for each in programs):
            inputs.add(CHECKOUT)
        elif programs:
            # The programs' own modules and files are not seen.
            inputs |= {CODE, *(each for each in self._files if each.startswith(f"{Path(suite).parent}/"))}
        return inputs

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

    def _digest(self, name: str) -> str:
        if name == CHECKOUT:
            return _hash([f"{each} {self.digest(each)}" for each in sorted(self._files)])
        if name == CODE:
            code = (each for each in self._files if each.startswith("tests/support/") or not each.startswith(_NO_CODE))
            return _hash([f"{each} {self.digest(each)}" for each in sorted(code)])
        if name.endswith("/"):
            return _hash(self._names_in(name[:-1]))
        try:
            return hashlib.sha256((self.root / name).read_bytes()).hexdigest()
        except (FileNotFoundError, IsADirectoryError):
            return "absent"

    def _names_in(self, folder: str) -> list[str]:
        start = "" if folder == "." else f"{folder}/"
        return sorted({each[len(start) :].partition("/")[0] for each in self._files if each.startswith(start)})


def _modules_above(suite: str) -> Iterator[str]:
    """Yield the suite's own module and the `conftest` modules of the folders that it is in."""
    parts = Path(suite).with_suffix("").parts
    yield ".".join(parts)
    yield from (".".join((*parts[:depth], "conftest")) for depth in range(1, len(parts)))


def _hash(lines: list[str]) -> str:
    return hashlib.sha256("\0".join(lines).encode()).hexdigest()
