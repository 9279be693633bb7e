"""GB-seconds of a PDF of ten pages before and after the parser became a function, from measured processor seconds.

Model: a function with M megabytes has M / 1769 of a processor (AWS Lambda Developer Guide, "Configure Lambda function
memory"), and work on one thread uses at most one. Billed seconds are processor seconds over that share, plus waiting.
The embedding function is left out; so are network waits, which are longer now. The share of cold starts is unknown, so
both ends are given.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from bench.bill import memory_mb

MEASURED_ON: Final = "2026-11-28"
BEFORE_COMMIT: Final = "3ebf3387"
NOW_COMMIT: Final = "8a15d4bc"
PROCESSOR_MB: Final = 1769
BEFORE_MB: Final = 3008


@dataclass(frozen=True, slots=True)
class Processor:
    """Processor seconds of one document, medians; user and system time of the whole process tree.

    Attributes:
        before: of the one function.
        parser: of the parser function now.
        ingestion: of the ingestion function now, without its wait for the parser.
    """

    before: float
    parser: float
    ingestion: float

    def gb_seconds_before(self) -> float:
        """Return what the one function was billed."""
        return gb_seconds(BEFORE_MB, self.before, 0)

    def gb_seconds_now(self, parser_mb: int, ingestion_mb: int) -> float:
        """Return what both functions are billed with these memories; ingestion waits while the parser works."""
        wait = billed_seconds(parser_mb, self.parser)
        return gb_seconds(parser_mb, self.parser, 0) + gb_seconds(ingestion_mb, self.ingestion, wait)


# Before: parsing 0.34 (a worker that lives on; least 0.32) + the rest 0.15 (with a simulated AWS in the process).
# Now: parsing 0.865 (least 0.83; a new worker for each document) and 0.15 + 0.02 for the parser's client.
WARM: Final = Processor(0.34 + 0.15, 0.865, 0.15 + 0.02)
# Imports 0.40, now 0.38 and 0.12; first document 0.79 + 0.42 before, 0.86 and 0.31 + 0.04 now; one measurement of each.
COLD: Final = Processor(0.40 + 0.79 + 0.42, 0.12 + 0.86, 0.38 + 0.31 + 0.04)


def billed_seconds(megabytes: int, processor_seconds: float) -> float:
    """Return the seconds that work on one thread takes with this memory."""
    return processor_seconds / min(1, megabytes / PROCESSOR_MB)


def gb_seconds(megabytes: int, processor_seconds: float, wait: float) -> float:
    """Return memory times duration; `wait` is in seconds."""
    return megabytes / 1024 * (billed_seconds(megabytes, processor_seconds) + wait)


def measured_rows() -> Iterator[tuple[str, ...]]:
    """Yield GB-seconds and their ratio by start and by memory; the first memories are the template's."""
    deployed = (memory_mb("ParserFunction"), memory_mb("IngestionFunction"))
    for start, processor in (("warm", WARM), ("cold", COLD)):
        before = processor.gb_seconds_before()
        for parser, ingestion in (deployed, (deployed[0], 512), (PROCESSOR_MB, deployed[1]), (PROCESSOR_MB, 512)):
            now = processor.gb_seconds_now(parser, ingestion)
            memories = f"{parser:,} and {ingestion:,} MB"
            yield start, memories, f"{before:.2f}", f"{now:.2f}", f"{now / before:.2f}"
