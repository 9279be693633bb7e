"""Callers at rest beside one that sends as much as it can: `python -m bench.fair [--calls N] [--only KIND]`.

For each kind of work, a hog in a process of its own sends at full burst of its key. Beside it, three users search one
after the other: another key of the same tenant, a known user of the hog's key, and a user of another tenant. Their
times are compared with those at rest, in the same run. Hogs and sources yield to the server: they stand for other
machines.
"""

import argparse
import json
import os
import sys
import time
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, NamedTuple

import numpy as np

from bench.corpus import COLLECTION, Corpus
from bench.fair import hogs
from bench.fair.hogs import Target, beside
from bench.fair.sources import Sources, running_sources
from bench.home import EVERYTHING, TENANT, fill
from bench.machine import this_machine
from bench.report import Figures, Goal, Report
from bench.server import GROUNDWIRE, serving
from bench.sources import register
from groundwire.dialects.declaration.dialect import SHARED_MCP_PATH, Dialect
from groundwire.dialects.declaration.replay import Replay, ReplayedQuestion
from groundwire.domain.access.call_headers import TAGS_HEADER, USER_HEADER
from groundwire.domain.access.scopes import Scope
from groundwire.domain.keys.grants import ALL_COLLECTIONS, KeyKind
from groundwire.domain.keys.options import USUAL_OPTIONS
from groundwire.domain.keys.tenant import Tenant
from groundwire.domain.limits import MAX_BURST, MAX_PHRASE_CHARACTERS, MAX_PHRASES, MAX_RATE_PER_MINUTE, MAX_TOP_N
from groundwire.services.keys.admin import KeySpec
from groundwire.settings import environment
from groundwire.wiring.local.services import LocalServices, open_home

MEDIAN_FACTOR: Final = 2.0
TAIL_FACTOR: Final = 4.0
TAIL_S: Final = 0.1
_HOG: Final = "hog@bench.example"
_KNOWN: Final = "cleo@bench.example"
_OTHER: Final = "t_00000000000other"
_SEGMENTS: Final = 1_000
_SEED: Final = 7
_PAUSE_S: Final = 0.02
_WARM_UP: Final = 5
_LONG: Final = "tide rope gull " * (MAX_PHRASE_CHARACTERS // 20)
_DOCUMENT: Final = f"doc_{0:016x}"
"""Id of the first document of a filled home."""
_DEFAULT_TOOLSET: Final = "default"


class Caller(NamedTuple):
    """A user at rest, with the headers of the calls."""

    name: str
    headers: Mapping[str, str]


def _create_key(services: LocalServices, tenant: str, name: str, toolset: str = _DEFAULT_TOOLSET) -> str:
    spec = KeySpec(
        tenant=tenant,
        name=name,
        kind=KeyKind.ACT_AS,
        user=None,
        tags=frozenset(),
        max_tags=("*",),
        scopes=frozenset({Scope.SEARCH, Scope.INGEST, Scope.SHARE, Scope.ADMIN}),
        collections=ALL_COLLECTIONS,
        # The vectors are made up, so that no passage is relevant to a phrase.
        options=replace(USUAL_OPTIONS, floor=0.0, sources=True, toolset=toolset),
        rate_per_minute=MAX_RATE_PER_MINUTE,
        burst=MAX_BURST,
    )
    return services.administration.key_admin.create(spec).secret.reveal()


def _headers(key: str, user: str) -> dict[str, str]:
    return {"authorization": f"Bearer {key}", USER_HEADER: user, TAGS_HEADER: json.dumps(EVERYTHING)}


def _dearest(dialect: Dialect) -> tuple[str, Mapping[str, object]]:
    """Return path and body of the dearest call of a dialect."""
    if dialect.replay is None:
        raise LookupError(dialect.name)
    form, question = dialect.replay(), ReplayedQuestion(_LONG, COLLECTION, MAX_TOP_N)
    if not isinstance(form, Replay):
        return form.path(question), form.body(question)
    arguments = dict(form.arguments(question))
    if "search_phrases" in arguments:
        arguments["search_phrases"] = [_LONG] * MAX_PHRASES
    path = dialect.mcp_paths[0] if dialect.mcp_paths else SHARED_MCP_PATH
    params = {"name": form.tool, "arguments": arguments}
    body = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
    return path if form.path is None else form.path(question), body


def run(folder: Path, calls: int, only: str | None = None) -> Report:
    """Return the report of the whole bench in an empty folder; `only` names one kind of work."""
    goals: list[Goal] = []
    rows: list[tuple[str, *tuple[float, ...]]] = []
    notes: list[str] = []
    kinds = hogs.KINDS if only is None else (only,)
    with running_sources() as sources:
        for number, kind in enumerate(kinds):
            print(f"{number + 1} of {len(kinds)}: {kind} …", file=sys.stderr)
            # What a hog leaves behind, such as files to read, must not be work beside the next one.
            rest, loaded, statuses = _measure(folder / str(number), sources, kind, calls)
            sent = ", ".join(f"{count} × {status or 'none'}" for status, count in sorted(statuses.items()))
            notes.append(f"{kind}: the hog got {sent or 'no answer'}")
            rows += [_row(f"{kind}, {name}", rest[name], loaded[name]) for name in rest]
            goals += _goals(kind, rest, loaded)
    columns = ("", "rest p50", "rest p99", "beside p50", "beside p99", "p50 x")
    table = Figures("A search beside a hog, ms", columns, rows)
    return Report("Callers at rest beside a hog", this_machine(), {"calls": calls}, goals, [table], notes)


def _measure(
    home: Path, sources: Sources, kind: str, calls: int
) -> tuple[dict[str, list[float]], dict[str, list[float]], Counter[int]]:
    """Return seconds of the callers at rest and beside the hog, and the hog's calls by status; in a home of its own."""
    settings = {
        "GROUNDWIRE_HOME": str(home),
        "GROUNDWIRE_SOURCE_HOSTS": " ".join(f"127.0.0.1:{port}" for port in sources),
    }
    services = open_home(environment.read_settings({**os.environ, **settings}))
    corpus = Corpus(services.settings.model / "vocab.txt", services.models.model.dimension, _SEED)
    fill(services, corpus, _SEGMENTS)
    services.stores.tenants.add(Tenant(_OTHER, "other", MAX_RATE_PER_MINUTE, MAX_RATE_PER_MINUTE, time.time()))
    target, callers = _prepare(services, sources)
    services.close()
    with serving(home, GROUNDWIRE, settings) as port:
        target = replace(target, port=port)
        # A user of the directory has a share of their own beside all others of the key.
        for user in (_HOG, _KNOWN):
            tags = json.dumps({"tags": ["auditor"]}).encode()
            set_tags = hogs.exchange(port, "PUT", f"/v1/users/{user}", target.headers, tags)
            if set_tags.status != 200:
                raise RuntimeError(f"The directory refused a user: {set_tags.body.decode()}")
        _seconds(port, callers, _WARM_UP)
        rest = _seconds(port, callers, calls)
        with beside(kind, target) as statuses:
            loaded = _seconds(port, callers, calls)
    return rest, loaded, statuses


def _prepare(services: LocalServices, sources: Sources) -> tuple[Target, list[Caller]]:
    """Return the hogs' target, whose port is not known yet, and the callers at rest."""
    slow, huge = (
        register(services, f"http://127.0.0.1:{port}/mcp", 1, is_stateless=True, name=name)[0]
        for name, port in sources._asdict().items()
    )
    hog = _create_key(services, TENANT, "hog")
    dearest: dict[str, tuple[str, Mapping[str, str], Mapping[str, object]]] = {}
    for dialect in services.agents.dialects:
        if dialect.replay is not None:
            own = dialect.toolset not in {None, _DEFAULT_TOOLSET}
            key = _create_key(services, TENANT, f"hog, {dialect.name}", dialect.toolset or "") if own else hog
            path, body = _dearest(dialect)
            dearest[dialect.name] = (path, _headers(key, _HOG), body)
    target = Target(0, _headers(hog, _HOG), dearest, slow, huge, _DOCUMENT)
    callers = [
        Caller("same tenant", _headers(_create_key(services, TENANT, "ana"), "ana@bench.example")),
        Caller("same key", _headers(hog, _KNOWN)),
        Caller("other tenant", _headers(_create_key(services, _OTHER, "bea"), "bea@bench.example")),
    ]
    return target, callers


def _seconds(port: int, callers: list[Caller], calls: int) -> dict[str, list[float]]:
    """Return the seconds of each caller's calls, in turn; infinite for a call that was refused."""
    taken: dict[str, list[float]] = {caller.name: [] for caller in callers}
    for _ in range(calls):
        for caller in callers:
            started = time.perf_counter()
            is_answered = hogs.search(port, caller.headers).status == 200
            taken[caller.name].append(time.perf_counter() - started if is_answered else float("inf"))
            time.sleep(_PAUSE_S)
    return taken


def _row(label: str, rest: list[float], loaded: list[float]) -> tuple[str, *tuple[float, ...]]:
    columns = [_percentile(each, at) * 1e3 for each in (rest, loaded) for at in (50, 99)]
    return label, *columns, columns[2] / columns[0]


def _percentile(seconds: list[float], at: int) -> float:
    # Between a number and an infinite one, interpolation gives no number.
    return float(np.percentile(seconds, at, method="higher"))


def _goals(kind: str, rest: Mapping[str, list[float]], loaded: Mapping[str, list[float]]) -> list[Goal]:
    """Return the goals of a kind of work, each for the user who is worst off."""
    median = max(_percentile(loaded[name], 50) / _percentile(rest[name], 50) for name in rest)
    tails = [(_percentile(loaded[name], 99), _percentile(rest[name], 99)) for name in rest]
    tail = max(each / max(TAIL_FACTOR * at_rest, at_rest + TAIL_S) for each, at_rest in tails)
    refused = sum(each == float("inf") for seconds in loaded.values() for each in seconds)
    return [
        Goal(f"{kind}: median", median, "x", "the same user at rest", MEDIAN_FACTOR),
        Goal(f"{kind}: p99", tail, "x", "4 x the same user at rest, or 100 ms more", 1.0),
        Goal(f"{kind}: refused", refused, "calls", "", 0.0),
    ]


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--calls", type=int, default=60)
    arguments.add_argument("--only", help="One kind of work.")
    arguments.add_argument("--json", action="store_true")
    chosen = arguments.parse_args()
    with TemporaryDirectory(prefix="groundwire-bench-") as folder:
        run(Path(folder), chosen.calls, chosen.only).show(as_json=chosen.json)


if __name__ == "__main__":
    main()
