"""The `groundwire` command, run through its real entry point with a home and an environment of its own."""

import atexit
import io
import json
import os
import sys
from collections.abc import Generator, Mapping
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import typer.main

from groundwire import wiring
from groundwire.adapters import parse
from groundwire.adapters.parse import ConfinedParser, ParserLimits
from groundwire.entry.cli.main import main
from groundwire_readers.ocr import OcrSettings


@dataclass(frozen=True, slots=True)
class Finished:
    """What a command left behind."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """Standard output, which must be one JSON document and nothing else."""
        return json.loads(self.out)

    @property
    def line(self) -> str:
        """The one line of standard error, without a word of Python's in it."""
        assert self.err.count("\n") == 1, self.err
        assert "Traceback" not in self.err, self.err
        return self.err.strip()

    def done(self) -> "Finished":
        """Return itself, after a check that the command succeeded."""
        assert self.code == 0, (self.code, self.out, self.err)
        return self


@dataclass(frozen=True, slots=True)
class Command:
    """The command with the environment that its calls see."""

    home: Path
    environment: Mapping[str, str]

    def __call__(self, *arguments: str, typed: str = "", **environment: str) -> Finished:
        """Runs the command to its end; `typed` is what a person types, more `environment` goes on top."""
        out, err = io.StringIO(), io.StringIO()
        with (
            _process(self._full(environment), arguments, typed),
            redirect_stdout(out),
            redirect_stderr(err),
            pytest.raises(SystemExit) as left,
        ):
            main()
        assert isinstance(left.value.code, int)
        return Finished(left.value.code, out.getvalue(), err.getvalue())

    def json(self, *arguments: str) -> Any:
        """What the command prints as JSON when all is well."""
        return self(*arguments, "--json").done().json

    def tenant(self, name: str) -> str:
        """A new tenant's id."""
        return str(self.json("tenant", "create", name)["tenant"])

    def acting_key(self, tenant: str, *options: str) -> str:
        """The text of a new key that acts for others."""
        scopes = [] if "--scope" in options else ["--scope", "search", "--scope", "verify"]
        bound = [] if "--max-tag" in options else ["--max-tag", "*"]
        return str(self.json("key", "create", "-t", tenant, "--act-as", *scopes, *bound, *options)["key"])

    def personal_key(self, tenant: str, user: str, *options: str) -> str:
        """The text of a new personal key."""
        return str(self.json("key", "create", "-t", tenant, "--scope", "search", "--user", user, *options)["key"])

    def ingest(self, tenant: str, *arguments: str | Path) -> list[dict[str, Any]]:
        """One row for each file, none of which may be refused."""
        return list(self.json("ingest", *map(str, arguments), "-t", tenant))

    def _full(self, more: Mapping[str, str]) -> dict[str, str]:
        own = {"GROUNDWIRE_HOME": str(self.home), "COLUMNS": "100", "TERM": "dumb"}
        return clean_environment() | own | dict(self.environment) | dict(more)


def clean_environment() -> dict[str, str]:
    """This process's environment without any setting of the product."""
    return {name: value for name, value in os.environ.items() if not name.startswith("GROUNDWIRE_")}


def _left_alone(_which: int, _who: int, _priority: int) -> None:
    """The priority of a process."""


_parsed_once = cache(typer.main.get_command)
"""Options and arguments of the application, which no command changes: to read them takes as long as a command."""


class _KeptParser(ConfinedParser):
    """The parser of all commands in this process: to start one anew takes longer than most commands."""

    def close(self) -> None:
        """It reads for the next command; a command in a process of its own shows that it ends with it."""


@cache
def _kept_parser(limits: ParserLimits, *, ocr: OcrSettings | None = None) -> _KeptParser:
    """The one with these settings, until this process ends."""
    parser = _KeptParser(limits, ocr=ocr)
    atexit.register(ConfinedParser.close, parser)
    return parser


@contextmanager
def _process(environment: Mapping[str, str], arguments: tuple[str, ...], typed: str) -> Generator[None]:
    """As in a process that starts: arguments, environment and standard input are these, nothing is wired yet."""
    before = dict(os.environ)
    os.environ.clear()
    os.environ.update(environment)
    wiring.reset()
    try:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(sys, "argv", ["groundwire", *arguments])
            patch.setattr(sys, "stdin", io.StringIO(typed))
            # It cannot be undone, and this process is the tests' own; a command of its own shows that it is done.
            patch.setattr(os, "setpriority", _left_alone)
            patch.setattr(parse, "ConfinedParser", _kept_parser)
            patch.setattr(typer.main, "get_command", _parsed_once)
            yield
    finally:
        wiring.reset()
        os.environ.clear()
        os.environ.update(before)
