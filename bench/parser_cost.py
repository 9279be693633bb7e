"""GB-seconds of a PDF of ten pages before and after the parser became a function, from measured processor seconds.

Model: a function with M megabytes has M / 1769 of a processor (AWS Lambda Developer Guide, "Configure Lambda function
memory"), and work on one thread uses at most one. Billed seconds are processor seconds over that share, plus waiting
for the functions that it calls. TLS and network are left out, and so is a cold start of the embedding function. The
share of cold starts is unknown, so both ends are given.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

MEASURED_ON: Final = "2026-11-29"
PROCESSOR_MB: Final = 1769
BEFORE_MB: Final = 3008


@dataclass(frozen=True, slots=True)
class Memories:
    """Megabytes of the functions that ingest a document."""

    parser: int
    ingestion: int
    embedding: int


@dataclass(frozen=True, slots=True)
class Processor:
    """Processor seconds of one document, medians; user and system time with all processes.

    Attributes:
        before: of one function that parses and ingests, with a worker that lives on.
        parser: of the parser function.
        ingestion: of the ingestion function, without its waits.
        embedding: of the embedding function.
    """

    before: float
    parser: float
    ingestion: float
    embedding: float

    def gb_seconds_before(self, memories: Memories) -> float:
        """Return what the one function and the embedding function are billed."""
        embedding = billed_seconds(memories.embedding, self.embedding)
        return gb_seconds(BEFORE_MB, self.before, embedding) + gb_seconds(memories.embedding, self.embedding, 0)

    def billed(self, memories: Memories) -> tuple[float, float, float]:
        """Return the billed seconds of parser, ingestion and embedding function; ingestion waits for both others."""
        parser = billed_seconds(memories.parser, self.parser)
        embedding = billed_seconds(memories.embedding, self.embedding)
        return parser, billed_seconds(memories.ingestion, self.ingestion) + parser + embedding, embedding

    def gb_seconds_now(self, memories: Memories) -> float:
        """Return what the three functions are billed."""
        megabytes = (memories.parser, memories.ingestion, memories.embedding)
        return sum(size / 1024 * seconds for size, seconds in zip(megabytes, self.billed(memories), strict=True))

    def ratio(self, memories: Memories) -> float:
        """Return what is billed now over what was billed before."""
        return self.gb_seconds_now(memories) / self.gb_seconds_before(memories)

    def without_embedding(self) -> "Processor":
        """Return the seconds of a document without passages, for which nobody waits."""
        return replace(self, embedding=0)


WARM: Final = Processor(0.34, 0.29, 0.11, 0.99)
COLD: Final = Processor(1.33, 0.94, 0.57, 1.05)
"""Measured by `python -m bench.parser_seconds`; cold: with the start of both functions."""


def billed_seconds(megabytes: int, processor_seconds: float) -> float:
    """Return the seconds that work on one thread takes with this memory."""
    return processor_seconds / min(1, megabytes / PROCESSOR_MB)


def gb_seconds(megabytes: int, processor_seconds: float, wait: float) -> float:
    """Return memory times duration; `wait` is in seconds."""
    return megabytes / 1024 * (billed_seconds(megabytes, processor_seconds) + wait)


def measured_rows(memories: Memories) -> Iterator[tuple[str, ...]]:
    """Yield processor seconds, GB-seconds and their ratio by start."""
    for start, processor in (("warm", WARM), ("cold", COLD)):
        before, now = processor.gb_seconds_before(memories), processor.gb_seconds_now(memories)
        seconds = (processor.before, processor.parser, processor.ingestion, processor.embedding)
        ratios = processor.ratio(memories), processor.without_embedding().ratio(memories)
        yield start, *(f"{each:.2f}" for each in (*seconds, before, now, *ratios))
