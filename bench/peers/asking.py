"""Runs in a peer's environment: `python -m bench.peers.asking PEER SET_FOLDER WORK_FOLDER MODEL_FOLDER TIMED`."""

import importlib
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from time import perf_counter
from typing import Final, cast

import numpy as np

from bench.peers.job import FILTERED, Answers, Retriever, Text, Vectors, save, texts
from groundwire.adapters.onnx.inference.embedder import OnnxEmbedder

THREADS: Final = 2
WARM_UP: Final = 5

Build = Callable[[Sequence[Text], Vectors, Path], Retriever]


def ask(retriever: Retriever, embedder: OnnxEmbedder, questions: Sequence[Text], timed: int) -> Answers:
    """Every question once unfiltered; the first `timed` of them again under the filter."""

    def search(question: Text, tag: int | None) -> tuple[list[str], float]:
        started = perf_counter()
        vector = np.frombuffer(embedder.embed([question.text], "query")[0], "<f4").tolist()
        found = retriever.search(question.text, vector, tag)
        return found, (perf_counter() - started) * 1e3

    for question in questions[:WARM_UP]:
        search(question, FILTERED)
        search(question, None)
    filtered = [search(question, FILTERED)[1] for question in questions[:timed]]
    answered = [(question.id, *search(question, None)) for question in questions]
    return Answers({id_: found for id_, found, _ in answered}, [ms for *_, ms in answered[:timed]], filtered)


def main() -> None:
    peer, folder, work, model, timed = sys.argv[1], *map(Path, sys.argv[2:5]), int(sys.argv[5])
    build = cast("Build", importlib.import_module(f"bench.peers.with_{peer}").build)
    documents, questions = texts(folder / "corpus.jsonl"), texts(work / "questions.jsonl")
    retriever = build(documents, np.load(work / "documents.npy"), work)
    save(work / f"{peer}.json", ask(retriever, OnnxEmbedder.load(model, THREADS), questions, timed))


if __name__ == "__main__":
    main()
