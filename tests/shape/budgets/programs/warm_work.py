"""Calls and requests of work in a warm home: `python -m tests.shape.budgets.programs.warm_work`.

Prints an object: by the name of the work, its calls, their files, and the requests to each port.
"""

import gc
import json
import sys
from collections import Counter
from collections.abc import Callable, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from types import FrameType
from typing import Any, Final

import pytest

from groundwire.domain.access.policy import Policy
from tests.support.worlds.exchange import exchange
from tests.support.worlds.world import World, caller, open_world

_ROOT: Final = Path(__file__).parents[4]
_OWN: Final = tuple(f"{_ROOT / folder}/" for folder in ("layers", "tools"))
_TURNS: Final = 5
"""The least of them counts: once in a while a call also renews what is kept for a minute."""
_DOCUMENTS: Final = 4
_PORTS: Final[Mapping[str, str]] = {
    "collections": "registry",
    "definitions": "registry",
    "documents": "registry",
    "ingest_lock": "registry",
    "keys": "registry",
    "sessions": "registry",
    "tenants": "registry",
    "users": "registry",
    "indexes": "index",
    "blobs": "originals",
    "audit": "audit_log",
}
_PUBLIC: Final = Policy(public=True, users=frozenset(), any_tags=frozenset(), all_tags=frozenset())


class PortCounter:
    """An adapter behind its port, whose calls are counted.

    Attributes:
        counts: number of calls by the kind of the port.
    """

    def __init__(self, adapter: Any, kind: str, counts: Counter[str]) -> None:
        self._adapter = adapter
        self._kind = kind
        self._counts = counts

    def __getattr__(self, name: str) -> Any:
        value = getattr(self._adapter, name)
        if name == "lexical":
            return PortCounter(value, self._kind, self._counts)
        if name == "for_tenant":
            # Gives the index of a tenant, and requests nothing of it.
            return self._indexes(value)
        return self._counted(value) if callable(value) else value

    def _indexes(self, for_tenant: Callable[[str], Any]) -> Callable[[str], "PortCounter"]:
        return lambda tenant: PortCounter(for_tenant(tenant), self._kind, self._counts)

    def _counted(self, call: Callable[..., Any]) -> Callable[..., Any]:
        def counted(*positional: Any, **named: Any) -> Any:
            self._counts[self._kind] += 1
            return call(*positional, **named)

        return counted


class Works:
    """Pieces of work over one tenant with four documents of one passage each."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._tenant = world.tenant("acme")
        self._files = 0
        self._headers = caller(world.acting_key(self._tenant), "maria", frozenset())
        for _ in range(_DOCUMENTS):
            self.new_file()

    def search(self) -> None:
        """Find a passage of each document, with two phrases."""
        answer = self._world.search(self._headers, "Which pump has a valve?", "pump seal")
        assert len(answer.segments) >= _DOCUMENTS, answer.payload

    def new_key(self) -> None:
        """Create a key."""
        self._world.acting_key(self._tenant)

    def unchanged_file(self) -> None:
        """Ingest a file a second time."""
        self._ingest(0)

    def new_file(self) -> None:
        """Ingest another file."""
        self._files += 1
        self._ingest(self._files - 1)

    def _ingest(self, number: int) -> None:
        text = f"The blue pump number {number} has a valve and a seal. It moves 40 litres."
        self._world.ingest(self._tenant, text, _PUBLIC, path=f"pump-{number}.md", restores=False)


def calls(work: Callable[[], None]) -> dict[str, int]:
    """Return the calls of own functions in this thread, and the number of their files."""
    files: Counter[str] = Counter()

    def count(frame: FrameType, event: str, _: object) -> None:
        if event == "call" and frame.f_code.co_filename.startswith(_OWN):
            files[frame.f_code.co_filename] += 1

    sys.setprofile(count)
    try:
        work()
    finally:
        sys.setprofile(None)
    return {"calls": files.total(), "files": len(files)}


def least(count: Callable[[Callable[[], None]], dict[str, int]], work: Callable[[], None]) -> dict[str, int]:
    """Return the smallest count of several turns, after two that warm up."""
    work()
    work()
    gc.collect()
    # Finalizers of earlier objects would be counted where the collector happens to run.
    gc.disable()
    try:
        return min((count(work) for _ in range(_TURNS)), key=lambda each: sum(each.values()))
    finally:
        gc.enable()


def in_home(count: Callable[[World], dict[str, dict[str, int]]]) -> dict[str, dict[str, int]]:
    """Return what is counted in a home of its own."""
    with (
        TemporaryDirectory(prefix="groundwire-budgets-") as folder,
        pytest.MonkeyPatch.context() as patch,
        open_world(Path(folder) / "home", patch) as world,
    ):
        return count(world)


def counted_calls(world: World) -> dict[str, dict[str, int]]:
    """Return the calls of each piece of work."""
    works = Works(world)
    named = {"search": works.search, "unchanged_file": works.unchanged_file, "new_key": works.new_key}
    return {f"calls.{name}": least(calls, work) for name, work in named.items()}


def counted_requests(world: World) -> dict[str, dict[str, int]]:
    """Return the requests of each piece of work to the ports."""
    counts: Counter[str] = Counter()
    services = world.services
    exchange(
        services, **{name: PortCounter(getattr(services.stores, name), kind, counts) for name, kind in _PORTS.items()}
    )

    def requests(work: Callable[[], None]) -> dict[str, int]:
        counts.clear()
        work()
        return {kind: counts[kind] for kind in sorted(set(_PORTS.values()))}

    works = Works(world)
    named = {"search": works.search, "new_file": works.new_file, "new_key": works.new_key}
    return {f"requests.{name}": least(requests, work) for name, work in named.items()}


if __name__ == "__main__":
    sys.stdout.write(json.dumps({**in_home(counted_calls), **in_home(counted_requests)}) + "\n")
