"""A call of a tool through a source beside the same call of the source itself: `python -m bench.sources [--calls N]`.

The source is a server by Python `mcp` in a process and an environment of its own. `groundwire serve` runs in another
process. Each call over HTTP is followed by its anchor in this process: the same exchange with the source, in the same
version of the protocol, over a new connection. The difference is what access decision, pins, rate, circuit and framing
take, and the way to the server.
"""

import argparse
import os
import subprocess
from collections.abc import Callable, Generator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Final, cast

import numpy as np

from bench.environments import EXACTLY, interpreter
from bench.machine import this_machine
from bench.report import Figures, Goal, Report
from bench.server import GROUNDWIRE, ROOT, Client, plain_environment, serving
from groundwire.adapters.mcp_client import McpSourceClient
from groundwire.domain.access.policy import Policy, Principal
from groundwire.domain.access.scopes import Scope
from groundwire.domain.keys.caller import Caller
from groundwire.domain.keys.grants import ALL_COLLECTIONS, KeyKind
from groundwire.domain.keys.options import USUAL_OPTIONS
from groundwire.domain.keys.tenant import Tenant
from groundwire.domain.limits import MAX_BURST, MAX_RATE_PER_MINUTE, SOURCE_BURST
from groundwire.domain.sources.source import SourceAuthType, SourceKind
from groundwire.services.call_context import CallContext
from groundwire.services.keys.admin import KeySpec
from groundwire.services.sources.spec import SourceSpec
from groundwire.settings import environment
from groundwire.wiring.local.services import LocalServices, open_home
from groundwire_egress import AllowedHosts, EgressClient
from groundwire_egress.mcp_client.calls import SourceListing, SourceTarget, SourceToolCall
from groundwire_mcp.versions import LATEST_HANDSHAKE_VERSION, STATELESS_VERSIONS, VERSION_HEADER

OVERHEAD_MS: Final = 10.0
_TENANT: Final = "t_00000000000bench"
_RATE: Final = 10_000_000
_ANYBODY: Final = Policy(public=True, users=frozenset(), any_tags=frozenset(), all_tags=frozenset())
_ARGUMENTS: Final = {"query": "Where is the pump?"}
_SECONDS: Final = 20.0
_CALLS_PER_SOURCE: Final = SOURCE_BURST - 5
"""Calls of one registered source, below its rate: the bench registers the server as often as it needs."""
_MODERN: Final = STATELESS_VERSIONS[0]

Source = Callable[[], AbstractContextManager[int]]


@dataclass(frozen=True, slots=True)
class Pair:
    """Milliseconds of a call through the server, and of its anchor."""

    call: float
    source: float

    @property
    def overhead(self) -> float:
        """Milliseconds over the source itself."""
        return self.call - self.source


@contextmanager
def separate_source() -> Generator[int]:
    """The port of the source until the end of the block."""
    python = interpreter("mcp", ROOT / "bench" / "protocol" / "mcp.txt", *EXACTLY)
    command = [python, ROOT / "bench" / "source_server.py"]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, env=plain_environment(), stdin=pipe, stdout=pipe, text=True) as process:
        try:
            if process.stdout is None or not (port := process.stdout.readline()):
                raise RuntimeError("The source did not start; its own words are above.")
            yield int(port)
        finally:
            if process.stdin is not None:
                process.stdin.close()
            process.wait(_SECONDS)


class _Handshake:
    """A client that behaves as if the server served no stateless version, so that later calls use the handshake."""

    def __init__(self, client: McpSourceClient) -> None:
        self._client = client

    def list_tools(self, target: SourceTarget, protocol: str | None, seconds: float) -> SourceListing:
        """Return the tools, listed after a handshake."""
        return self._client.list_tools(target, protocol or LATEST_HANDSHAKE_VERSION, seconds)


def register(services: LocalServices, url: str, count: int, *, is_stateless: bool, name: str = "source") -> list[str]:
    """Register the server `count` times, and return the names of its tools for agents."""
    scopes = frozenset({Scope.ADMIN})
    nobody = Principal(_TENANT, None, frozenset())
    admin = Caller(nobody, "bench", KeyKind.ACT_AS, scopes, ALL_COLLECTIONS, USUAL_OPTIONS)
    spec = SourceSpec(
        name="",
        kind=SourceKind.REMOTE_MCP,
        auth_type=SourceAuthType.UNAUTHENTICATED,
        description=None,
        created_by=None,
        server_url=url,
        server_label=None,
        indexed_collection=None,
        parameters={},
        secrets={},
        policy=_ANYBODY,
        tools={"search": None},
        mapping=None,
    )
    if not is_stateless:
        gateway = services.sources.gateway
        vars(gateway).update(_client=_Handshake(cast("McpSourceClient", vars(gateway)["_client"])))
    made = [
        services.sources.admin.create(CallContext(admin), replace(spec, name=f"{name} {number}"))
        for number in range(count)
    ]
    return [source.tool_name("search") for source in made]


def _key(services: LocalServices) -> str:
    services.stores.tenants.add(Tenant(_TENANT, "bench", _RATE, _RATE, 0.0))
    spec = KeySpec(
        tenant=_TENANT,
        name="bench",
        kind=KeyKind.PERSONAL,
        user="reader@bench.example",
        tags=frozenset(),
        max_tags=(),
        scopes=frozenset({Scope.SEARCH}),
        collections=ALL_COLLECTIONS,
        options=replace(USUAL_OPTIONS, sources=True),
        rate_per_minute=MAX_RATE_PER_MINUTE,
        burst=MAX_BURST,
    )
    return services.administration.key_admin.create(spec).secret.reveal()


def measure(home: Path, calls: int, source: Source, *, is_stateless: bool) -> list[Pair]:
    """Return the pairs of `calls` calls, in one version of the protocol with the source."""
    with source() as port:
        allowed = f"127.0.0.1:{port}"
        settings = {"GROUNDWIRE_HOME": str(home), "GROUNDWIRE_SOURCE_HOSTS": allowed}
        services = open_home(environment.read_settings({**os.environ, **settings}))
        url, key = f"http://{allowed}/mcp", _key(services)
        count = -(-calls // _CALLS_PER_SOURCE)
        names = register(services, url, count, is_stateless=is_stateless)
        services.close()
        client = McpSourceClient(EgressClient(AllowedHosts(frozenset({("127.0.0.1", port)})), None), None)
        target = SourceTarget(_TENANT, "bench", url, None)
        tool = SourceToolCall("search", _ARGUMENTS, "", {})
        protocol = _MODERN if is_stateless else LATEST_HANDSHAKE_VERSION
        pairs: list[Pair] = []
        with serving(home, GROUNDWIRE, settings) as served:
            agent = Client(served, {"Authorization": f"Bearer {key}", VERSION_HEADER: LATEST_HANDSHAKE_VERSION})
            for number in range(calls):
                name = names[number // _CALLS_PER_SOURCE]
                request = agent.call(name, _ARGUMENTS)
                started = perf_counter()
                body = agent.exchange(request)
                between = perf_counter()
                answer = client.call_tool(target, tool, protocol, _SECONDS)
                ended = perf_counter()
                if b"hall 4" not in body or answer.is_error or answer.protocol != protocol:
                    raise RuntimeError(f"That is no answer: {body.decode()}")
                # The first call of each source is not counted: it stores the first state.
                if number % _CALLS_PER_SOURCE:
                    pairs.append(Pair((between - started) * 1e3, (ended - between) * 1e3))
            agent.close()
    return pairs


def run(folder: Path, calls: int, source: Source = separate_source) -> Report:
    """The whole bench in an empty folder.

    Args:
        folder: for homes.
        calls: in each version of the protocol.
        source: runs a server whose tool `search` answers with "hall 4", and gives its port.
    """
    machine = this_machine()
    goals: list[Goal] = []
    rows: list[tuple[str, *tuple[float, ...]]] = []
    for name, is_stateless in (("stateless", True), ("handshake", False)):
        pairs = measure(folder / name, calls, source, is_stateless=is_stateless)
        overhead = float(np.median([pair.overhead for pair in pairs]))
        goals.append(Goal(f"{name}: over the source itself, p50", overhead, "ms", "the same exchange", OVERHEAD_MS))
        columns = {
            "through the server": [pair.call for pair in pairs],
            "the source itself": [pair.source for pair in pairs],
            "difference": [pair.overhead for pair in pairs],
        }
        rows += [
            (f"{name}, {what}", *(float(np.percentile(each, at)) for at in (50, 95)), min(each))
            for what, each in columns.items()
        ]
    table = Figures("One call of a tool, ms", ("", "p50", "p95", "min"), rows)
    return Report("A call through a source", machine, {"calls": calls}, goals, [table], [])


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--calls", type=int, default=200)
    arguments.add_argument("--json", action="store_true")
    chosen = arguments.parse_args()
    with TemporaryDirectory(prefix="groundwire-bench-") as folder:
        run(Path(folder), chosen.calls).show(as_json=chosen.json)


if __name__ == "__main__":
    main()
