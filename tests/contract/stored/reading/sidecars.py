"""Clock, environment and command line of a process that reads or writes what a release stores."""

import asyncio
import io
import json
import os
import sys
import time
from collections.abc import Generator, Mapping
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final
from unittest.mock import patch

from groundwire import wiring
from groundwire.entry.cli.main import main

MOMENT: Final = 1_800_000_000.0
"""When the stored things are made, epoch seconds."""
PUBLIC_URL: Final = "https://rag.example"
OAUTH: Final = {
    "OAUTH_ISSUER": "https://id.example",
    "OAUTH_AUDIENCE": "https://rag.example/mcp",
    "OAUTH_TENANT_CLAIM": "company",
    "OAUTH_USER_CLAIM": "sub",
}


@dataclass
class Clock:
    """Clock that changes only when a test moves it."""

    now: float = MOMENT

    def __call__(self) -> float:
        return self.now

    def move(self, seconds: float = 60.0) -> None:
        """So many seconds have passed."""
        self.now += seconds


def checkout() -> Path:
    """Return the checkout of the package on the path, in every release."""
    return next(folder for folder in Path(wiring.__file__).parents if (folder / "template.yaml").is_file())


@contextmanager
def at(moment: float) -> Generator[Clock]:
    """The process takes this moment for the present, as long as the block."""
    clock = Clock(moment)
    with patch.object(time, "time", clock):
        yield clock


@contextmanager
def environment(**settings: str) -> Generator[None]:
    """No other settings of the product are there, and nothing is wired yet."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("GROUNDWIRE_", "AWS_"))}
    reported = {f"GROUNDWIRE_{name}": value for name, value in settings.items() if not name.startswith("AWS_")}
    others = {name: value for name, value in settings.items() if name.startswith("AWS_")}
    quiet = {"COLUMNS": "100", "TERM": "dumb", "POWERTOOLS_METRICS_DISABLED": "true"}
    quiet["POWERTOOLS_LOG_LEVEL"] = "CRITICAL"
    wiring.reset()
    with _event_loop(), patch.dict(os.environ, {**kept, **reported, **others, **quiet}, clear=True):
        try:
            yield
        finally:
            wiring.reset()


@contextmanager
def _event_loop() -> Generator[None]:
    """The adapter of the REST function runs it on the loop of the calling thread."""
    loop = asyncio.new_event_loop()
    asyncio.set_event_loop(loop)
    try:
        yield
    finally:
        asyncio.set_event_loop(None)
        loop.close()


def home_settings(home: Path, models: Path) -> Mapping[str, str]:
    """The settings of a server over this home, with the one installed model that new tenants begin with."""
    [model] = [path for path in models.iterdir() if path.name.startswith("maker--first")]
    return {"HOME": str(home), "MODELS": str(models), "MODEL": str(model), "PUBLIC_URL": PUBLIC_URL, **OAUTH}


def command(*arguments: str, typed: str = "") -> tuple[int, str]:
    """Exit code and standard output of the command in this process's environment."""
    out, err = io.StringIO(), io.StringIO()
    wiring.reset()
    with (
        patch.object(sys, "argv", ["groundwire", *arguments]),
        patch.object(sys, "stdin", io.StringIO(typed)),
        # It cannot be undone, and this process does more than the command.
        patch.object(os, "setpriority"),
        redirect_stdout(out),
        redirect_stderr(err),
    ):
        try:
            main()
        except SystemExit as left:
            code = int(left.code or 0)
        else:
            code = 0
    if code:
        sys.stderr.write(f"groundwire {' '.join(arguments)}: {code} {err.getvalue()}\n")
    return code, out.getvalue()


def printed(*arguments: str) -> Any:
    """Return what the command prints as JSON, whatever its exit code."""
    return json.loads(command(*arguments, "--json")[1])
