"""`groundwire ingest`, killed anywhere, ends after the next run in the very state of one that was left alone."""

import json
import random
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Generator, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, Final

import pytest

from groundwire.adapters.local.registry.documents import COLUMNS
from groundwire.domain.documents.record import Document, DocumentState
from groundwire.ports import DocumentVersion
from tests.support.documents.mail_parser import mail
from tests.support.documents.plain_text_parser import UNREADABLE
from tests.support.worlds.homes import fresh_home
from tests.support.worlds.world import World, caller, open_world

CALLS: Final = 40
TIMES: Final = 10
_NEVER: Final = 1_000_000
_TIMES_AND_IDS: Final = {"doc_id", "parent", "blob", "created_at", "updated_at", "timings"}

Run = Callable[..., dict[str, int]]


def first_files() -> dict[str, bytes]:
    return {
        ".policy.yaml": b"public: true\n",
        "same.txt": b"The ledger stays.\n\nThe ledger is kept.",
        "changed.txt": b"The ledger was open.\n\nThe ledger is read.",
        "gone.txt": b"The ledger leaves.",
        "renamed.txt": b"The ledger moves.",
        "letter.eml": mail("The ledger letter.", {"kept.txt": b"The ledger kept.", "lost.txt": b"The ledger lost."}),
        "closed/.policy.yaml": b"users: [ben]\n",
        "closed/paper.txt": b"The ledger of ben.",
        "closed/mail.eml": mail("The ledger mail of ben.", {"paper.txt": b"The ledger paper of ben."}),
        "left/mail.eml": mail("The ledger gone mail.", {"paper.txt": b"The ledger gone paper."}),
    }


def later_files() -> dict[str, bytes]:
    files = first_files()
    del files["gone.txt"], files["left/mail.eml"]
    files["moved.txt"] = files.pop("renamed.txt")
    files["changed.txt"] = b"The ledger is closed.\n\nThe ledger is read."
    files["letter.eml"] = mail(
        "The ledger reply.", {"kept.txt": b"The ledger kept.", "new.txt": b"The ledger new.", "bad.txt": UNREADABLE}
    )
    files["closed/.policy.yaml"] = b"users: [ana]\n"
    files["new.txt"] = b"The ledger begins."
    files["twin.txt"] = b"The ledger begins."
    files["bad.txt"] = UNREADABLE
    files["new.eml"] = mail("The ledger note.", {"inner.eml": mail("The ledger within.", {"a.txt": b"The ledger a."})})
    return files


def write(folder: Path, files: dict[str, bytes]) -> None:
    shutil.rmtree(folder, ignore_errors=True)
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)


@contextmanager
def runner() -> Generator[Run]:
    command = [sys.executable, "-m", "tests.server.services.killed_ingestion"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        orders, answers = process.stdin, process.stdout

        def run(home: Path, folder: Path, calls: int = _NEVER, seconds: float | None = None) -> dict[str, int]:
            order = {"home": str(home), "folder": str(folder), "calls": calls, "seconds": seconds}
            orders.write(json.dumps(order) + "\n")
            orders.flush()
            return json.loads(answers.readline())

        yield run
        orders.close()


def records(home: Path) -> list[dict[str, Any]]:
    with closing(sqlite3.connect(home / "registry.db")) as connection:
        connection.row_factory = sqlite3.Row
        rows = connection.execute(f"SELECT {', '.join(COLUMNS)} FROM documents").fetchall()
    names = {row["doc_id"]: row["source_file_name"] for row in rows}
    kept = [{name: row[name] for name in COLUMNS if name not in _TIMES_AND_IDS} for row in rows]
    carried = [names.get(row["parent"]) for row in rows]
    return sorted((row | {"carried by": by} for row, by in zip(kept, carried, strict=True)), key=repr)


def passages(world: World, tenant: str, document: Document) -> list[object]:
    if document.state is not DocumentState.INDEXED:
        return []
    version = DocumentVersion(document.doc_id, document.version)
    segments = world.services.stores.indexes.for_tenant(tenant).segments(version)
    return [(each.ordinal, each.text, each.heading_path, each.headline) for each in segments]


def state(home: Path) -> dict[str, object]:
    """Everything that is stored but for times and ids, and what two people find."""
    with pytest.MonkeyPatch.context() as patch, open_world(home, patch) as world:
        [tenant] = [each.tenant for each in world.services.stores.tenants.all()]
        documents = world.services.stores.documents.all(tenant, None)
        key = world.acting_key(tenant)
        blobs = home / "tenants" / tenant / "blobs"
        return {
            "records": records(home),
            "stale": world.services.stores.documents.stale_documents(tenant),
            "passages": sorted(((each.source_path, passages(world, tenant, each)) for each in documents), key=repr),
            "rows": world.services.stores.indexes.for_tenant(tenant).count_rows(),
            "originals": sorted(path.read_bytes() for path in blobs.iterdir() if not path.name.startswith(".part-")),
            "half-written originals": [path.name for path in blobs.glob(".part-original-*")],
            "ana": world.search(caller(key, "ana"), "ledger").texts,
            "ben": world.search(caller(key, "ben"), "ledger").texts,
        }


@pytest.fixture
def place() -> Iterator[Path]:
    with fresh_home() as home:
        yield home.parent


def test_fifty_kills_leave_no_trace_after_the_next_run(place: Path) -> None:
    home, folder = place / "home", place / "folder"
    write(folder, first_files())
    with pytest.MonkeyPatch.context() as patch, open_world(home, patch) as world:
        world.tenant("acme")
    with runner() as run:
        assert run(home, folder)["code"] == 0
        write(folder, later_files())
        whole = place / "whole"
        shutil.copytree(home, whole)
        undisturbed = run(whole, folder)
        assert undisturbed["code"] == 1, "a file and an attachment are refused"
        expected = state(whole)
        draw = random.Random(4)
        points = draw.sample(range(undisturbed["calls"]), CALLS)
        kills: list[dict[str, Any]] = [{"calls": point} for point in points]
        kills += [{"seconds": draw.uniform(0.005, 0.25)} for _ in range(TIMES)]
        killed = 0
        for kill in kills:
            copy = place / "copy"
            shutil.copytree(home, copy)
            killed += run(copy, folder, **kill)["code"] == -9
            assert run(copy, folder)["code"] == 1
            assert state(copy) == expected, kill
            shutil.rmtree(copy)
        assert killed >= CALLS
