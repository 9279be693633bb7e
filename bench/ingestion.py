"""Bringing documents in, beside the bare embedder over the very same texts: `python -m bench.ingestion [PATH …]`.

Without a path, made-up documents are used. Ingestion and embedder take turns in one process, with the server's
settings; resident memory is that of a `groundwire ingest` of its own.
"""

import argparse
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Final, Literal

from bench.corpus import Corpus
from bench.machine import Machine, this_machine
from bench.report import Figures, Goal, Report
from groundwire.domain.access.policy import Policy
from groundwire.domain.access.policy_source import DeclaredPolicy
from groundwire.domain.documents.record import Document
from groundwire.domain.search.model_languages import ModelLanguages
from groundwire.ports import Embedder, Embedders, ModelId, Vector
from groundwire.services.ingest.request import IngestRequest
from groundwire.services.ingest.rows.segments import EMBED_BATCH_SIZE
from groundwire.settings import environment as settings
from groundwire.settings.environment import Settings
from groundwire.wiring.local.services import LocalServices, open_home
from tests.support.worlds.exchange import exchange

SHARE: Final = 0.8
RESIDENT_MB: Final = 600
SECTIONS: Final = 20
COLLECTION: Final = "bench"
_PUBLIC: Final = Policy(public=True, users=frozenset(), any_tags=frozenset(), all_tags=frozenset())


class Listening:
    """Implementation of `ports.Embedder` that keeps the texts of its calls."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self.texts: list[str] = []

    @property
    def model(self) -> ModelId:
        """The embedder's."""
        return self._embedder.model

    @property
    def languages(self) -> ModelLanguages:
        """The embedder's."""
        return self._embedder.languages

    def embed(self, texts: Sequence[str], kind: Literal["query", "passage"]) -> list[Vector]:
        """The embedder's vectors."""
        self.texts.extend(texts)
        return self._embedder.embed(texts, kind)


class OnlyListening:
    """Implements `ports.Embedders`."""

    def __init__(self, embedders: Embedders) -> None:
        self.default = Listening(embedders.default)

    def for_model(self, model: ModelId) -> Listening:
        """The default; Raises NotFound for any other."""
        if model != self.default.model:
            raise ValueError(model)
        return self.default


@dataclass(frozen=True, slots=True)
class Turn:
    """Seconds of one ingestion, of the bare embedder over its texts, and what came of the files."""

    ingestion: float
    bare: float
    texts: int
    documents: Sequence[Document]


def made_up(folder: Path, chosen: Settings, dimension: int, documents: int, seed: int) -> None:
    """Markdown files of `SECTIONS` sections, about 1,100 characters each."""
    corpus = Corpus(chosen.model / "vocab.txt", dimension, seed)
    for number in range(documents):
        sections = corpus.document(f"d{number}", SECTIONS)
        parts = [f"## {each.segment.heading_path[-1]}\n\n{each.segment.text}\n" for each in sections]
        (folder / f"{number:05}.md").write_text(f"# Document {number}\n\n" + "\n".join(parts), encoding="utf-8")


def take_turn(services: LocalServices, listening: Listening, paths: Sequence[Path]) -> Turn:
    """One ingestion into a new tenant, then its texts once more, bare."""
    tenant = services.administration.tenant_admin.create(f"turn {len(services.stores.tenants.all())}").tenant
    listening.texts.clear()
    requests = list(_requests(tenant, paths))
    started = perf_counter()
    outcomes = list(services.ingestion.batch(tenant, COLLECTION, requests, lambda _done, _total: None))
    ingestion = perf_counter() - started
    texts = list(listening.texts)
    started = perf_counter()
    for start in range(0, len(texts), EMBED_BATCH_SIZE):
        services.models.embedder.embed(texts[start : start + EMBED_BATCH_SIZE], "passage")
    return Turn(
        ingestion,
        perf_counter() - started,
        len(texts),
        [each.document for each in outcomes if each.document is not None],
    )


def _files(paths: Sequence[Path]) -> Iterator[Path]:
    for path in paths:
        yield from sorted(each for each in path.rglob("*") if each.is_file()) if path.is_dir() else [path]


def _requests(tenant: str, paths: Sequence[Path]) -> Iterator[IngestRequest]:
    for file in _files(paths):
        yield IngestRequest(
            tenant,
            COLLECTION,
            str(file.absolute()),
            file.name,
            file.read_bytes,
            DeclaredPolicy(_PUBLIC, None),
            None,
            None,
        )


def resident_mb(home: Path, paths: Sequence[Path]) -> float:
    """The peak of the command itself, and of its parser if that is larger."""
    environment = {**os.environ, "GROUNDWIRE_HOME": str(home)}
    groundwire = [sys.executable, "-c", "from groundwire.entry.cli.main import main; main()"]
    subprocess.run([*groundwire, "tenant", "create", "acme"], env=environment, check=True, capture_output=True)
    ingest = [*groundwire, "ingest", *map(str, paths), "-t", "acme", "--public"]
    with subprocess.Popen(ingest, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    return used.ru_maxrss / 1024


def run(folder: Path, paths: Sequence[Path], documents: int, turns: int, seed: int) -> Report:
    """The whole bench in an empty folder."""
    machine = this_machine()
    services = open_home(settings.read_settings({**os.environ, "GROUNDWIRE_HOME": str(folder / "home")}))
    if not paths:
        paths = [folder / "made-up"]
        paths[0].mkdir(parents=True)
        made_up(paths[0], services.settings, services.models.model.dimension, documents, seed)
    only = OnlyListening(services.models.embedders)
    services.models.embedder.embed(["warm"], "passage")
    exchange(services, embedders=only)
    services.ingestion.parser.for_tenant("warm").parse(b"# Warm\n\nThe worker starts.\n", "md")
    took = [take_turn(services, only.default, paths) for _ in range(turns)]
    services.close()
    return _report(machine, paths, took, resident_mb(folder / "command", paths))


def _report(machine: Machine, paths: Sequence[Path], took: Sequence[Turn], resident: float) -> Report:
    share = median(turn.bare / turn.ingestion for turn in took)
    records = took[-1].documents
    seconds = {
        step: median(sum(each.timings.get(step, 0.0) for each in turn.documents) for turn in took)
        for step in ("parse", "embed", "index")
    }
    return Report(
        title="Ingestion beside the bare embedder",
        machine=machine,
        setting={
            "files": len(records),
            "segments": sum(each.segments for each in records),
            "windows": sum(each.windows for each in records),
            "texts embedded": took[-1].texts,
        },
        goals=[
            Goal(
                "bare embedder's seconds per second of ingestion, short of one",
                1 - share,
                "",
                f"embedder alone {median(turn.bare for turn in took):.1f} s",
                round(1 - SHARE, 2),
            ),
            Goal("resident memory, highest", resident, "MB", "the command of its own", RESIDENT_MB),
        ],
        figures=[
            Figures(
                "seconds, median of the turns",
                ("", "s"),
                [
                    ("ingestion, all of it", median(turn.ingestion for turn in took)),
                    ("bare embedder, same texts", median(turn.bare for turn in took)),
                    *((f"of the records: {step}", taken) for step, taken in seconds.items()),
                ],
            ),
            Figures(
                "a second",
                ("", "number"),
                [
                    ("segments ingested", median(_segments(turn) / turn.ingestion for turn in took)),
                    ("texts ingested", median(turn.texts / turn.ingestion for turn in took)),
                    ("texts embedded, bare", median(turn.texts / turn.bare for turn in took)),
                    ("share of the bare embedder", share),
                ],
            ),
        ],
        notes=[f"Files: {', '.join(map(str, paths))}. Parsing of the next file runs beside the embedding of this one."],
    )


def _segments(turn: Turn) -> int:
    return sum(each.segments for each in turn.documents)


def main() -> None:
    """The command line."""
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("paths", nargs="*", type=Path, help="files and folders; none: made-up documents")
    arguments.add_argument("--documents", type=int, default=30, help="made-up ones")
    arguments.add_argument("--turns", type=int, default=3)
    arguments.add_argument("--seed", type=int, default=7)
    arguments.add_argument("--json", action="store_true")
    chosen = arguments.parse_args()
    with TemporaryDirectory(prefix="groundwire-bench-") as folder:
        run(Path(folder), chosen.paths, chosen.documents, chosen.turns, chosen.seed).show(as_json=chosen.json)


if __name__ == "__main__":
    main()
