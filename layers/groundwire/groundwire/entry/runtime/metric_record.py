"""Metrics of a call as one line in CloudWatch's embedded metric format.

Format: "Embedded metric format specification" of the CloudWatch user guide. `service` is the one dimension.
"""

import json
import os
import time
from collections.abc import Mapping
from typing import Final, NamedTuple

from groundwire.entry.runtime.log_lines import print_line

_TRUE_TEXTS: Final = frozenset({"1", "y", "yes", "t", "true", "on"})


class Metric(NamedTuple):
    """One measured value, with a unit of CloudWatch."""

    name: str
    unit: str
    value: float


def are_metrics_disabled() -> bool:
    """Return whether the environment turns metrics off."""
    return os.environ.get("POWERTOOLS_METRICS_DISABLED", "").lower() in _TRUE_TEXTS


def print_metrics(namespace: str, service: str, metrics: tuple[Metric, ...], properties: Mapping[str, object]) -> None:
    """Print the metrics of one call; its properties are found in the log and are no dimensions."""
    definitions = [{"Name": each.name, "Unit": each.unit} for each in metrics]
    record = {
        "_aws": {
            "Timestamp": int(time.time() * 1_000),
            "CloudWatchMetrics": [{"Namespace": namespace, "Dimensions": [["service"]], "Metrics": definitions}],
        },
        "service": service,
        **properties,
        **{each.name: [each.value] for each in metrics},
    }
    print_line(json.dumps(record, separators=(",", ":")))
