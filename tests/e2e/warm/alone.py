"""A process that has never met another caller: the requests of one, answered over a home that is there already."""

import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import pytest

from groundwire.entry.gateway.events import GatewayRequest
from tests.e2e.warm.answers import comparable
from tests.support.worlds.two_tenants import Functions
from tests.support.worlds.world import open_world

_ROOT: Final = Path(__file__).parents[3]


def answers_alone(home: Path, requests: Sequence[GatewayRequest]) -> list[dict[str, object]]:
    """Return the answers of a fresh process to these calls alone."""
    reported = json.dumps([[each.headers, each.body.decode()] for each in requests])
    command = [sys.executable, "-m", __name__, str(home)]
    done = subprocess.run(command, input=reported, cwd=_ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def post(headers: Sequence[Sequence[str]], body: str) -> GatewayRequest:
    """A POST of a client."""
    named = tuple((name, value) for name, value in headers)
    return GatewayRequest("POST", "/mcp", "", named, body.encode(), "127.0.0.1")


def _main(home: Path) -> None:
    with pytest.MonkeyPatch.context() as patch, open_world(home, patch):
        functions = Functions()
        answers = [functions.answer(post(headers, body))[1] for headers, body in json.load(sys.stdin)]
    json.dump([comparable(answer) for answer in answers], sys.stdout)


if __name__ == "__main__":
    _main(Path(sys.argv[1]))
