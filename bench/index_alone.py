"""The embedded index of a filled home by itself: opening, catching up, recall, memory and disk."""

import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from bench.corpus import SEGMENTS_PER_DOCUMENT, Corpus, index_query, select_nothing
from bench.home import TENANT
from bench.stopwatch import Stopwatch
from groundwire.adapters.local.index import EmbeddedIndexes, candidates
from groundwire.adapters.local.index import index as embedded_index
from groundwire.adapters.local.index.arrays import prefetch
from groundwire.adapters.local.index.lexical.bm25 import Bm25
from groundwire.adapters.local.index.lexical.phrase_scorer import PhraseScorer
from groundwire.adapters.local.index.selection import access_mask
from groundwire.domain.access.policy import Policy, Principal, single_policy
from groundwire.domain.limits import CANDIDATES_PER_SIGNAL
from groundwire.ports import DocumentVersion, ModelId, Phrase

_BLOCK_ROWS: Final = 128
_QUESTIONS: Final = 20
_NEAREST: Final = 10
_NEWCOMERS: Final = "newcomer"
_REPEATS: Final = 3
_STAGES: Final = (
    (embedded_index.EmbeddedIndex, "search", "the rest"),
    (access_mask, "narrow", "selection"),
    (Bm25, "scorer", "words: weights"),
    (PhraseScorer, "best", "words: best rows"),
    (PhraseScorer, "scores", "words: scores of candidates"),
    (candidates, "nearest_rows", "vectors: nearest rows"),
    (candidates, "gathered_cosines", "vectors: candidates"),
    (embedded_index, "gather_windows", "windows: read"),
    (candidates, "semantic_scores", "windows: compared"),
)
_PUBLIC: Final = Policy(public=True, users=frozenset(), any_tags=frozenset(), all_tags=frozenset())


def milliseconds(call: Callable[[], object]) -> float:
    """How long the call takes."""
    started = time.perf_counter()
    call()
    return (time.perf_counter() - started) * 1e3


def dot_products(vectors: NDArray[np.float32], queries: NDArray[np.float32]) -> None:
    """Each vector with each query, in one thread, in the blocks with which that is fastest."""
    for start in range(0, len(vectors), _BLOCK_ROWS):
        np.matmul(queries, vectors[start : start + _BLOCK_ROWS].T)


class IndexAlone:
    """The index of the filled home, opened twice as by two processes: one writes, one searches."""

    def __init__(self, tenants: Path, model: ModelId, corpus: Corpus, caller: Principal) -> None:
        self._writer, self._reader = (EmbeddedIndexes(tenants, model) for _ in range(2))
        self._corpus = corpus
        self._caller = caller

    def search(self, text: str = "", depth: int = _NEAREST) -> Sequence[int | str]:
        """The keys that one phrase finds."""
        phrase = Phrase(text, self._corpus.question())
        query = index_query(self._caller, [phrase], depth)
        return self._reader.for_tenant(TENANT).search(query, select_nothing).scores[0].keys

    def opening(self) -> float:
        """Milliseconds of opening and the first search."""
        return milliseconds(self.search)

    def refreshes(self) -> Iterator[tuple[str, float, float]]:
        """The first search after so many segments have come: median and longest, in milliseconds."""
        for documents in (1, 5, 50):
            taken = [self._refresh(documents) for _ in range(_REPEATS)]
            yield f"search after {documents * SEGMENTS_PER_DOCUMENT} new segments", float(np.median(taken)), max(taken)

    def recall(self) -> float:
        """Return recall@10: the ten nearest segments that a search finds, for questions near the vectors' centres."""
        index = self._reader.for_tenant(TENANT)
        usual = candidates.EXACT_SEARCH_MAX_ROWS
        shares: list[float] = []
        for _ in range(_QUESTIONS):
            query = index_query(self._caller, [Phrase("", self._corpus.question())], _NEAREST)
            (found,) = index.search(query, select_nothing).scores
            candidates.EXACT_SEARCH_MAX_ROWS = 1 << 60  # pyright: ignore[reportConstantRedefinition, reportAttributeAccessIssue]
            (exact,) = index.search(query, select_nothing).scores
            candidates.EXACT_SEARCH_MAX_ROWS = usual  # pyright: ignore[reportConstantRedefinition, reportAttributeAccessIssue]
            shares.append(len({*found.keys} & {*exact.keys}) / len(exact.keys))
        return float(np.mean(shares))

    def stages(self, caller: Principal, questions: Sequence[Sequence[Phrase]]) -> dict[str, float]:
        """Return the median milliseconds of each part of a hybrid search, in this process."""
        stopwatch = Stopwatch()
        with stopwatch.watching(_STAGES):
            for phrases in questions:
                self._hybrid(caller, phrases)
        parts = {stage for call in stopwatch.calls for stage in call}
        return {stage: 1e3 * float(np.median([call.get(stage, 0.0) for call in stopwatch.calls])) for stage in parts}

    def bytes_read(self, caller: Principal, questions: Sequence[Sequence[Phrase]]) -> dict[str, float]:
        """Return the mean megabytes that a hybrid search reads of each part of the index."""
        with prefetch.counting() as counts:
            for phrases in questions:
                self._hybrid(caller, phrases)
        return {part: size / len(questions) / 1e6 for part, size in counts.items()}

    def _hybrid(self, caller: Principal, phrases: Sequence[Phrase]) -> None:
        query = index_query(caller, phrases, CANDIDATES_PER_SIGNAL)
        self._reader.for_tenant(TENANT).search(query, select_nothing)

    def close(self) -> None:
        """Both are closed."""
        self._reader.close()
        self._writer.close()

    def _refresh(self, documents: int) -> float:
        names = [f"{_NEWCOMERS}-{number}" for number in range(documents)]
        for name in names:
            rows = list(self._corpus.document(name, SEGMENTS_PER_DOCUMENT))
            self._writer.for_tenant(TENANT).put(DocumentVersion(name, 1), single_policy(_PUBLIC), rows)
        taken = milliseconds(self.search)
        for name in names:
            self._writer.for_tenant(TENANT).prune(name, None)
        self.search()
        return taken


def resident_megabytes() -> tuple[float, float]:
    """Return the memory of this process: its own, and mapped from files, which the system may reclaim; 0 if unknown."""
    try:
        lines = Path("/proc/self/status").read_text(encoding="ascii").splitlines()
    except OSError:
        return 0.0, 0.0
    reported = dict(line.split(":", 1) for line in lines)
    return tuple(int(reported[name].split()[0]) / 1024 for name in ("RssAnon", "RssFile"))  # pyright: ignore[reportReturnType]


def disk_megabytes(folder: Path) -> float:
    """Return the disk space of the files in a folder, in megabytes."""
    return sum(file.stat().st_blocks * 512 for file in folder.rglob("*") if file.is_file()) / 2**20
