"""64 agents beside revocations, uploads and restarts of the server: `python -m bench.soak [--minutes N] [--json]`.

Every agent has a key of its own and searches without a pause. Beside them one thread revokes keys and calls with each
a moment later, one uploads files, and the server is restarted several times. The exit code is 1 if a goal is missed.
"""

import argparse
import os
import re
import sys
import threading
import time
import uuid
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, NamedTuple

import numpy as np

from bench.corpus import Corpus
from bench.fair.hogs import Response, exchange, search, upload
from bench.home import EVERYTHING, TENANT, fill
from bench.machine import this_machine
from bench.report import Figures, Goal, Report
from bench.server import GROUNDWIRE, running
from groundwire.domain.access.scopes import Scope
from groundwire.domain.keys.grants import ALL_COLLECTIONS, KeyKind
from groundwire.domain.keys.options import USUAL_OPTIONS
from groundwire.domain.limits import MAX_BURST, MAX_RATE_PER_MINUTE
from groundwire.services.keys.admin import KeySpec
from groundwire.settings import environment
from groundwire.wiring.local.services import LocalServices, open_home

AGENTS: Final = 64
LIVES: Final = 4
"""Starts of the server: each but the first is a restart."""
SLOPE_MB_PER_MINUTE: Final = 2.0
"""Growth that is flat: uploads add documents meanwhile."""
_SEGMENTS: Final = 1_000
_SEED: Final = 7
_REVOCATIONS_PER_MINUTE: Final = 20
_RSS: Final = re.compile(r"^VmRSS:\s+([0-9]+) kB", re.MULTILINE)
_SAMPLE_S: Final = 0.5
_WARM: Final = 0.5
"""Share of a server's life after which its memory is judged: caches fill before."""
_MAX_WAIT_S: Final = 1.0
_LONGEST_EXTENSION_S: Final = 120.0
"""Time by which a short run on a busy machine may be longer."""
_FILE: Final = b"tide rope gull " * 40


class RevocableKey(NamedTuple):
    """Key with its id, by which it is revoked."""

    kid: str
    secret: str


class Keys(NamedTuple):
    """Keys of the run."""

    agents: Sequence[str]
    admin: str
    revocable: Sequence[RevocableKey]


@dataclass(slots=True)
class Counts:
    """What happened; threads add to it under its lock.

    Attributes:
        port: of the server; None: it is being restarted.
        generation: number of stops and starts; a call without an answer across a change of it met a restart.
        errors: calls with another answer than 200, 429 and 503 with `Retry-After`, or without one, by status.
        memory: samples of each server's life, in seconds and MB.
    """

    port: int | None = None
    generation: int = 0
    statuses: Counter[int] = field(default_factory=Counter[int])
    errors: Counter[int] = field(default_factory=Counter[int])
    met_restart: int = 0
    revoked: int = 0
    admitted_after: int = 0
    uploaded: int = 0
    memory: list[list[tuple[float, float]]] = field(default_factory=list[list[tuple[float, float]]])
    lock: threading.Lock = field(default_factory=threading.Lock)

    def call(self, make: Callable[[int], Response]) -> Response | None:
        """Return the answer of a call to the server, counted; None: there is no server now, or it stopped."""
        port, generation = self.port, self.generation
        if port is None:
            return None
        answer = make(port)
        with self.lock:
            if answer.status == 0 and generation != self.generation:
                self.met_restart += 1
                return None
            self.statuses[answer.status] += 1
            is_refusal = answer.status in {429, 503} and "retry-after" in answer.headers
            if (answer.status >= 300 and not is_refusal) or answer.status == 0:
                self.errors[answer.status] += 1
        return answer


def slope(samples: Sequence[tuple[float, float]]) -> float:
    """Return MB a minute in the later part of a server's life."""
    later = [each for each in samples if each[0] >= samples[0][0] + (samples[-1][0] - samples[0][0]) * _WARM]
    if len({at for at, _ in later}) < 2:
        return 0.0
    at, size = zip(*later, strict=True)
    return float(np.polyfit(at, size, 1)[0]) * 60


def _key(services: LocalServices, name: str, scope: frozenset[Scope]) -> RevocableKey:
    spec = KeySpec(
        tenant=TENANT,
        name=name,
        kind=KeyKind.PERSONAL,
        user=name,
        tags=frozenset(EVERYTHING),
        max_tags=(),
        scopes=scope,
        collections=ALL_COLLECTIONS,
        options=replace(USUAL_OPTIONS),
        rate_per_minute=MAX_RATE_PER_MINUTE,
        burst=MAX_BURST,
    )
    made = services.administration.key_admin.create(spec)
    return RevocableKey(made.key.kid, made.secret.reveal())


def _bearer(key: str) -> dict[str, str]:
    return {"authorization": f"Bearer {key}"}


def _agent(counts: Counts, key: str, stop: threading.Event) -> None:
    while not stop.is_set():
        answer = counts.call(lambda port: search(port, _bearer(key)))
        if answer is None:
            stop.wait(_SAMPLE_S)
        elif "retry-after" in answer.headers:
            stop.wait(min(_MAX_WAIT_S, float(answer.headers["retry-after"])))


def _until_done(counts: Counts, make: Callable[[int], Response], stop: threading.Event) -> Response | None:
    """Return the first answer that is no refusal of a busy server; None: the run ended before."""
    while not stop.is_set():
        answer = counts.call(make)
        if answer is not None and answer.status not in {0, 429, 503}:
            return answer
        stop.wait(_SAMPLE_S)
    return None


def _revoke(counts: Counts, keys: Keys, stop: threading.Event) -> None:
    bearer = _bearer(keys.admin)
    for key in keys.revocable:
        path = f"/v1/keys/{key.kid}"
        _until_done(counts, lambda port, key=key: search(port, _bearer(key.secret)), stop)
        ended = _until_done(counts, lambda port, path=path: exchange(port, "DELETE", path, bearer), stop)
        if ended is None or ended.status >= 300:
            return
        refused = _first_after(counts, key, stop)
        with counts.lock:
            counts.revoked += refused != 0
            counts.admitted_after += refused == 200
        if stop.wait(60 / _REVOCATIONS_PER_MINUTE):
            return


def _first_after(counts: Counts, key: RevocableKey, stop: threading.Event) -> int:
    """Return the status of the first decided call with a revoked key, which is not counted; 0: there was none."""
    while not stop.is_set():
        port = counts.port
        status = 0 if port is None else search(port, _bearer(key.secret)).status
        if status not in {0, 429, 503}:
            return status
        stop.wait(_SAMPLE_S)
    return 0


def _upload(counts: Counts, keys: Keys, stop: threading.Event) -> None:
    while not stop.wait(1.0):
        if (port := counts.port) is not None:
            status = upload(port, _bearer(keys.admin), _FILE + uuid.uuid4().hex.encode()).status
            with counts.lock:
                counts.uploaded += 200 <= status < 300


def _live(home: Path, settings: dict[str, str], counts: Counts, seconds: float, *, is_last: bool) -> None:
    """One life of the server, with samples of its memory; the last one of a short run is long enough for events."""
    with running(home, GROUNDWIRE, settings) as server:
        counts.port, samples = server.port, list[tuple[float, float]]()
        end = time.monotonic() + seconds
        while time.monotonic() < end or len(samples) < 2 or (is_last and _lacks_events(counts, end)):
            found = _RSS.search(Path(f"/proc/{server.pid}/status").read_text(encoding="utf-8"))
            samples.append((time.monotonic(), int(found[1]) / 1024 if found else float("nan")))
            time.sleep(_SAMPLE_S)
        # Counted as a restart before the signal, so that calls in progress are attributed to it.
        counts.generation, counts.port = counts.generation + 1, None
    counts.memory.append(samples)


def _lacks_events(counts: Counts, end: float) -> bool:
    return not (counts.revoked and counts.uploaded) and time.monotonic() < end + _LONGEST_EXTENSION_S


def run(home: Path, minutes: float, agents: int = AGENTS, lives: int = LIVES) -> Report:
    """The whole bench in an empty home."""
    machine, settings = this_machine(), {"GROUNDWIRE_HOME": str(home)}
    services = open_home(environment.read_settings({**os.environ, **settings}))
    corpus = Corpus(services.settings.model / "vocab.txt", services.models.model.dimension, _SEED)
    fill(services, corpus, _SEGMENTS)
    searching = frozenset({Scope.SEARCH})
    count = max(2, round(minutes * _REVOCATIONS_PER_MINUTE))
    keys = Keys(
        [_key(services, f"agent {number}", searching).secret for number in range(agents)],
        _key(services, "admin", frozenset({Scope.ADMIN})).secret,
        [_key(services, f"revoked {number}", searching) for number in range(count)],
    )
    services.close()
    counts, stop = Counts(), threading.Event()
    work: list[Callable[[], None]] = [lambda key=key: _agent(counts, key, stop) for key in keys.agents]
    work += [lambda: _revoke(counts, keys, stop), lambda: _upload(counts, keys, stop)]
    threads = [threading.Thread(target=each, daemon=True) for each in work]
    for thread in threads:
        thread.start()
    try:
        for number in range(1, lives + 1):
            _live(home, settings, counts, minutes * 60 / lives, is_last=number == lives)
    finally:
        stop.set()
        for thread in threads:
            thread.join()
    setting = {"minutes": minutes, "agents": agents, "starts": lives}
    return Report(
        "Agents beside revocations, uploads and restarts", machine, setting, goals_of(counts), _tables(counts), []
    )


def goals_of(counts: Counts) -> list[Goal]:
    """Return the goals with what was counted."""
    steepest = max(slope(samples) for samples in counts.memory)
    return [
        Goal("errors", counts.errors.total(), "calls", f"of {counts.statuses.total()} calls", 0),
        Goal("calls admitted after a revocation", counts.admitted_after, "", f"{counts.revoked} revocations", 0),
        Goal("memory, steepest start", steepest, "MB/min", f"{len(counts.memory)} starts", SLOPE_MB_PER_MINUTE),
        Goal("revocations or uploads missing", float(not (counts.revoked and counts.uploaded)), "", "this run", 0),
    ]


def _tables(counts: Counts) -> list[Figures]:
    by_status = [(f"status {status or 'none'}", float(number)) for status, number in sorted(counts.statuses.items())]
    others = [("calls that met a restart", float(counts.met_restart)), ("files uploaded", float(counts.uploaded))]
    lives = [
        (f"start {number}", samples[0][1], samples[-1][1], max(size for _, size in samples), slope(samples))
        for number, samples in enumerate(counts.memory, start=1)
    ]
    columns = ("", "first MB", "last MB", "most MB", "MB/min")
    return [Figures("Calls", ("", "number"), [*by_status, *others], 0), Figures("Memory", columns, lives)]


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--minutes", type=float, default=30.0)
    arguments.add_argument("--json", action="store_true")
    chosen = arguments.parse_args()
    with TemporaryDirectory(prefix="groundwire-bench-") as folder:
        report = run(Path(folder), chosen.minutes)
    report.show(as_json=chosen.json)
    sys.exit(any(not goal.met for goal in report.goals))


if __name__ == "__main__":
    main()
