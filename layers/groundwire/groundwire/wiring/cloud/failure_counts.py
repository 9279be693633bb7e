"""Counts of failures that a caller sees as a retry, or not at all, as metrics for the alarms of a stack."""

import os
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING

from groundwire.domain.errors import ParsingFailed, Unavailable

if TYPE_CHECKING:
    from groundwire.ports import AuditLog, Parser, Parsers
    from groundwire_readers.contents.parsed import ParsedDocument


class CountedParsers:
    """Implements `ports.Parsers` over other parsers, and counts the documents for which they were not available."""

    def __init__(self, parsers: "Parsers") -> None:
        self._parsers = parsers

    @property
    def version(self) -> str:
        """The version of the other parsers."""
        return self._parsers.version

    @property
    def ocr_version(self) -> str:
        """The text recognition of the other parsers."""
        return self._parsers.ocr_version

    def for_tenant(self, tenant: str, /) -> "CountedParser":
        """Return the tenant's parser."""
        return CountedParser(self._parsers.for_tenant(tenant))


class CountedParser:
    """Implements `ports.Parser` over another parser, and counts the documents at which it ended or was not available.

    A document that cannot be read is its owner's matter and is not counted.
    """

    def __init__(self, parser: "Parser") -> None:
        self._parser = parser

    def parse(
        self, content: bytes, file_type: str, *, with_images: bool = False, with_thumbnails: bool = False
    ) -> "ParsedDocument":
        """Return what the other parser returns.

        Raises:
            DocumentRefused: the document cannot be read.
            ParsingFailed: the parser ended while it read the document; counted as `ParseFailed`.
            Unavailable: the parser did not start or did not answer; counted as `ParseFailed`.
        """
        with _counted("parser", "ParseFailed"):
            return self._parser.parse(content, file_type, with_images=with_images, with_thumbnails=with_thumbnails)


class CountedAudit:
    """Implements `ports.AuditLog` over another log, and counts the lines that it did not confirm."""

    def __init__(self, audit: "AuditLog") -> None:
        self._audit = audit

    def append(self, record: Mapping[str, object]) -> None:
        """Write the line to the other log.

        Raises:
            Unavailable: the line is not confirmed as written; counted as `AuditFailed`.
        """
        with _counted("audit", "AuditFailed"):
            self._audit.append(record)


@contextmanager
def _counted(service: str, metric: str) -> Generator[None]:
    try:
        yield
    except (Unavailable, ParsingFailed):
        _count(service, metric)
        raise


def _count(service: str, metric: str) -> None:
    """Print one count in CloudWatch's embedded metric format; nothing where metrics are off or no stack names them.

    `service` is the one dimension, so that an alarm covers all functions of the stack.
    """
    if not os.environ.get("POWERTOOLS_METRICS_NAMESPACE"):
        return
    # The import costs a cold start some milliseconds, and most environments never count.
    from aws_lambda_powertools.metrics import EphemeralMetrics, MetricUnit
    from aws_lambda_powertools.metrics.functions import is_metrics_disabled

    if not is_metrics_disabled():
        # Ephemeral, because the usual class shares its metrics with those of the handler.
        metrics = EphemeralMetrics(service=service)
        metrics.add_metric(metric, MetricUnit.Count, 1)
        metrics.flush_metrics()
