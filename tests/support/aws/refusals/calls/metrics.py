"""Rules of metrics in log lines (embedded metric format)."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from tests.support.aws.refusals.rule import LOOKED_UP, Rule, Source

_FORMAT: Final = Source(
    "https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/"
    "CloudWatch_Embedded_Metric_Format_Specification.html",
    LOOKED_UP,
)
METRICS: Final = 100
DIMENSIONS: Final = 30
VALUES: Final = 100


@dataclass(frozen=True, slots=True)
class MetricLine:
    """A log line in the embedded metric format, as an object."""

    fields: Mapping[str, Any]

    def directives(self) -> list[dict[str, Any]]:
        """Return the metric directives, each with namespace, dimensions and metrics."""
        return list(self.fields["_aws"]["CloudWatchMetrics"])


def _metrics(line: MetricLine) -> Iterator[str]:
    for directive in line.directives():
        if len(directive["Metrics"]) > METRICS:
            yield f"{len(directive['Metrics'])} metrics of {directive['Namespace']}, at most {METRICS}"


def _dimensions(line: MetricLine) -> Iterator[str]:
    for directive in line.directives():
        for names in directive.get("Dimensions", []):
            if len(names) > DIMENSIONS:
                yield f"{len(names)} dimensions, at most {DIMENSIONS}"
            yield from (f"dimension {name} has no text" for name in names if not _is_text(line.fields.get(name)))


def _is_text(value: object) -> bool:
    return isinstance(value, str) and 0 < len(value) <= 1_024


def _values(line: MetricLine) -> Iterator[str]:
    for directive in line.directives():
        for metric in directive["Metrics"]:
            value = line.fields.get(metric["Name"])
            numbers = value if isinstance(value, list) else [value]
            if not 0 < len(numbers) <= VALUES or not all(isinstance(each, int | float) for each in numbers):
                yield f"metric {metric['Name']}: {len(numbers)} values, 1 to {VALUES} numbers"


METRIC_RULES: Final = (
    Rule("metrics-per-line", "A log line has too many metrics.", "100 metrics per directive", _FORMAT, _metrics),
    Rule(
        "metric-dimensions",
        "A metric has too many dimensions, or one without a text.",
        "30 dimensions; a text of 1 to 1,024 characters",
        _FORMAT,
        _dimensions,
    ),
    Rule("metric-values", "A metric has too many values, or one that is no number.", "100 values", _FORMAT, _values),
)
