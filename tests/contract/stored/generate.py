"""Writes what a release stores, into a new folder, with the code of the package on the path.

    PYTHONPATH=. python -m tests.contract.stored.generate tests/contract/stored/NAME

The clock stands still between steps, and random bytes come from one seed: a second run differs in little. The documents
come from the folder `--scratch`, whose name the home keeps as part of their paths.
"""

import argparse
import json
import os
import random
import tarfile
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Final
from unittest.mock import patch

from groundwire import wiring
from groundwire.adapters.local.index.snapshots import follower
from groundwire.adapters.onnx.models.manifest import GRAPH_FILE, VOCABULARY_FILE, ModelManifest, ModelSource
from groundwire.domain.documents.record import Document
from groundwire.domain.documents.uploads import Upload, UploadState
from groundwire.settings import folders
from tests.contract.stored.reading.sidecars import MOMENT, at, environment, home_settings
from tests.contract.stored.writing.calls import write_calls, write_contexts
from tests.contract.stored.writing.home import Home, leave_states, write_home
from tests.contract.stored.writing.items import ROOT, write_items
from tests.contract.stored.writing.messages import write_messages
from tests.contract.stored.writing.outputs import write_outputs
from tests.contract.stored.writing.rows import write_rows

_SCRATCH: Final = Path("/tmp/groundwire-release")
_SEED: Final = 20_270_115


def generate(folder: Path, scratch: Path) -> None:
    """All that a release stores is in the folder; neither folder may exist before."""
    for new in (scratch, folder, folder / "outputs"):
        new.mkdir(parents=True)
    # The smallest index has a cache.
    with at(MOMENT) as clock, _seeded(), patch.object(follower, "CACHE_MIN_ROWS", 1):
        home = write_home(scratch, clock)
        with environment(**home_settings(home.folder, home.models)):
            write_outputs(home, folder / "index-export.ndjson.gz", scratch / "backup")
            leave_states(home)
            # Last, as some of it is good for minutes.
            _json(folder / "travelling.json", write_calls(home))
            _json(folder / "contexts.json", write_contexts(home))
            records, tickets = _registered(home)
            _write_rows(folder, home, records)
        _json(folder / "items.json", write_items(clock, records, tickets))
        _json(folder / "messages.json", write_messages())
    _json(folder / "made.json", {"moment": clock.now, "root": ROOT, **home.made})
    for name, output in home.outputs.items():
        _json(folder / "outputs" / f"{name}.json", output)
    doctor = folder / "outputs" / "doctor.json"
    # Where this checkout is concerns nobody else.
    doctor.write_text(doctor.read_text(encoding="utf-8").replace(str(folders.checkout_folder()), "."), encoding="utf-8")
    (folder / "built-model.json").write_bytes(_built().to_json())
    _pack(folder / "home.tar.xz", {"home": home.folder, "models": home.models})
    _pack(folder / "backup.tar.xz", {"home": scratch / "backup"})


def _registered(home: Home) -> tuple[list[Document], dict[str, Upload]]:
    """Documents in every state, and tickets by the names of their states, as they were made."""
    services, tenant = wiring.local_services(), home.made["tenants"]["acme"]
    records = services.stores.documents.read(tenant, [*home.made["documents"].values(), *home.made["states"]])
    found = {name: services.stores.uploads.get(tenant, each["ticket"]) for name, each in home.made["tickets"].items()}
    waiting = {
        name: replace(each, state=UploadState.AWAITED, object_version=None, reason=None)
        for name, each in found.items()
        if each is not None
    }
    return [*records.values()], waiting


def _write_rows(folder: Path, home: Home, records: Sequence[Document]) -> None:
    services, tenant = wiring.local_services(), home.made["tenants"]["acme"]
    by_id = {each.doc_id: each for each in records}
    exported = services.administration.index_transfer.export(tenant, (), lambda _done, _total: None)
    copied = [(by_id[each.version.doc_id], each.rows) for each in exported]
    for service, requests in write_rows(copied, services.models.model).items():
        lines = "".join(f"{json.dumps(each, ensure_ascii=False)}\n" for each in requests)
        (folder / f"rows-{service}.ndjson").write_text(lines, encoding="utf-8")


def _built() -> ModelManifest:
    """The manifest of a model that is built rather than installed."""
    source = ModelSource("tiny-encoder==0.1", "ab" * 32, "cd" * 32)
    files = {GRAPH_FILE: "ef" * 32, VOCABULARY_FILE: "01" * 32}
    return ModelManifest("tiny-int8", 32, 16, "mean", "query: ", "", "CC0-1.0", source, files)


def _json(path: Path, value: object) -> None:
    path.write_text(json.dumps(value, indent=1, ensure_ascii=False, sort_keys=False) + "\n", encoding="utf-8")


def _pack(path: Path, folders: Mapping[str, Path]) -> None:
    """Equal folders make equal archives."""
    with tarfile.open(path, "w:xz", preset=9) as archive:
        for name, folder in folders.items():
            archive.add(folder, name, filter=_anybodys)


def _anybodys(member: tarfile.TarInfo) -> tarfile.TarInfo:
    member.uid = member.gid = 0
    member.uname = member.gname = ""
    member.mtime = int(MOMENT)
    return member


@contextmanager
def _seeded() -> Generator[None]:
    """Draw all random bytes from one seed."""
    drawn = random.Random(_SEED)
    with patch.object(os, "urandom", drawn.randbytes), patch.object(random, "_urandom", drawn.randbytes):
        yield


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(prog="python -m tests.contract.stored.generate", description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--scratch", type=Path, default=_SCRATCH)
    given = parser.parse_args()
    generate(given.folder, given.scratch)


if __name__ == "__main__":
    main()
