"""Beside peers' defaults, with the same model: `python -m bench.peers SET_FOLDER… [--timed N] [--keep TO] [--json]`.

Each set is a folder in BEIR layout, judged by its `qrels.tsv`. Every peer runs in an environment of its own, made
in `.venv-bench-PEER` from `bench/peers/PEER.txt` on the first run. `--keep` holds on to what was embedded.
"""

import argparse
import json
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from shutil import rmtree
from statistics import fmean, median
from tempfile import TemporaryDirectory
from typing import Final

import numpy as np

from bench.machine import this_machine
from bench.peers import ours
from bench.peers.environment import HYBRID_PEERS, PEERS, ask
from bench.peers.job import Answers, Text, Vectors, texts
from bench.report import Figures, Goal, Report
from groundwire.adapters.local.evaluate.beir_test_sets import TestSetFolder
from groundwire.adapters.onnx.inference.embedder import OnnxEmbedder
from groundwire.domain.search.metrics import ndcg_at
from groundwire.settings import environment

OURS: Final = "groundwire"
BEHIND: Final = 0.005
_TOP: Final = 10
_AT_ONCE: Final = 256
NOTES: Final = (
    "haystack: in-memory store, BM25 and embedding retrievers joined by reciprocal rank. lancedb: hybrid query.",
    "langchain: ensemble of BM25 and Chroma, the hybrid search over Chroma that runs outside its cloud.",
    "chroma: by vector only, without any BM25; its time is shown and not a goal, as it does half of the work.",
    "Peers index each document whole with the vectors of the same model; latencies hold the embedding of the question.",
    "The filter admits a tenth of the documents: a peer's metadata filter, our access rule.",
)


@dataclass(frozen=True, slots=True)
class Measured:
    """Scores of one retriever on one test set.

    Attributes:
        ndcg: nDCG@10, mean over the judged questions.
        filtered_ms, all_ms: medians.
    """

    ndcg: float
    filtered_ms: float
    all_ms: float


def measure_set(folder: Path, work: Path, configured: environment.Settings, timed: int) -> dict[str, Measured]:
    """Every retriever on one set, one after the other."""
    work.mkdir(parents=True, exist_ok=True)
    tests = TestSetFolder(folder, None).read()
    documents = texts(folder / "corpus.jsonl")
    questions = [Text(question.id, "", question.text) for question in tests.questions]
    (work / "questions.jsonl").write_text("".join(f"{line}\n" for line in map(_as_json, questions)), encoding="utf-8")
    if not (work / "documents.npy").exists():
        np.save(work / "documents.npy", _embedded(configured, documents))
    found = {OURS: ours.answers(replace(configured, home=work / OURS), documents, questions, timed)}
    for peer in PEERS:
        rmtree(work / peer, ignore_errors=True)
        found[peer] = ask(peer, folder, work, configured.model, timed)
    return {name: _judged(answers, tests.judgements) for name, answers in found.items()}


def _as_json(question: Text) -> str:
    return json.dumps({"_id": question.id, "text": question.text})


def _embedded(configured: environment.Settings, documents: Sequence[Text]) -> Vectors:
    """The documents whole, as the peers hold them."""
    embedder = OnnxEmbedder.load(configured.model, configured.threads)
    rows: list[bytes] = []
    for start in range(0, len(documents), _AT_ONCE):
        rows += embedder.embed([one.whole for one in documents[start : start + _AT_ONCE]], "passage")
        print(f"embedding documents: {len(rows)} of {len(documents)}", file=sys.stderr)
    return np.frombuffer(b"".join(rows), "<f4").reshape(len(rows), -1)


def _judged(answers: Answers, judgements: Mapping[str, Mapping[str, int]]) -> Measured:
    scores = [ndcg_at(_TOP, answers.ranked[name], judged) for name, judged in judgements.items()]
    return Measured(fmean(scores), median(answers.filtered_ms), median(answers.all_ms))


def goals_of(by_set: Mapping[str, Mapping[str, Measured]]) -> list[Goal]:
    """Ahead on the mean, behind nobody by more than `BEHIND` on any set, faster than each under a filter."""
    goals: list[Goal] = []
    for peer in PEERS:
        pairs = [(found[OURS], found[peer]) for found in by_set.values()]
        own, other = (fmean(pair[side].ndcg for pair in pairs) for side in (0, 1))
        goals.append(Goal(f"{peer}'s mean nDCG@10 − ours", other - own, "", f"{peer} {other:.3f}", 0.0))
        worst = max(theirs.ndcg - mine.ndcg for mine, theirs in pairs)
        goals.append(Goal(f"{peer}'s nDCG@10 − ours, worst set", worst, "", f"of {len(pairs)} sets", BEHIND))
        if peer not in HYBRID_PEERS:
            continue
        slowest = max(mine.filtered_ms / theirs.filtered_ms for mine, theirs in pairs)
        times = ", ".join(f"{theirs.filtered_ms:.1f}" for _, theirs in pairs)
        goals.append(Goal(f"p50 under a filter, ours / {peer}'s, worst set", slowest, "×", f"{times} ms", 1.0))
    return goals


def figures_of(by_set: Mapping[str, Mapping[str, Measured]]) -> list[Figures]:
    """Quality, and milliseconds with and without the filter."""
    columns = ("", *by_set, "mean")

    def rows(pick: str) -> list[tuple[str, *tuple[float, ...]]]:
        series = {name: [getattr(found[name], pick) for found in by_set.values()] for name in (OURS, *PEERS)}
        return [(name, *values, fmean(values)) for name, values in series.items()]

    return [
        Figures("nDCG@10", columns, rows("ndcg"), digits=3),
        Figures("p50 of a question under the filter, ms", columns, rows("filtered_ms")),
        Figures("p50 of a question without a filter, ms", columns, rows("all_ms")),
    ]


def run(folders: Sequence[Path], work: Path, timed: int) -> Report:
    """The whole bench."""
    machine, configured = this_machine(), environment.read_settings(os.environ)
    by_set = {folder.name: measure_set(folder, work / folder.name, configured, timed) for folder in folders}
    setting = {"sets": len(by_set), "timed questions": timed, "model": configured.model.name}
    return Report("Beside peers' defaults", machine, setting, goals_of(by_set), figures_of(by_set), NOTES)


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("folders", type=Path, nargs="+", metavar="SET_FOLDER")
    arguments.add_argument("--timed", type=int, default=200)
    arguments.add_argument("--keep", type=Path)
    arguments.add_argument("--json", action="store_true")
    chosen = arguments.parse_args()
    try:
        with TemporaryDirectory(prefix="groundwire-bench-") as passing:
            run(chosen.folders, chosen.keep or Path(passing), chosen.timed).show(as_json=chosen.json)
    except subprocess.CalledProcessError as failure:
        sys.exit(f"{' '.join(map(str, failure.cmd))} failed: {failure.stderr or failure}")


if __name__ == "__main__":
    main()
