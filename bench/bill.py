"""The bill of a stack at three sizes, and GB-seconds by kind of event: `python -m bench.bill`.

Prices are data with a date (`prices.toml`). Memory of the functions, alarms and schedules are read from the template.
"""

import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, cast

from bench.parser_cost import COLD, WARM, Memories, Processor
from groundwire.entry.gateway.cloudformation import load_template

_ROOT: Final = Path(__file__).parents[1]
_TABLE: Final[dict[str, Any]] = tomllib.loads(Path(__file__).with_name("prices.toml").read_text(encoding="utf-8"))
PRICE_DATE: Final[str] = _TABLE["date"]
REGION: Final[str] = _TABLE["region"]
PRICES: Final[dict[str, float]] = _TABLE["per_unit"]
_TEMPLATE: Final[dict[str, Any]] = cast("dict[str, Any]", load_template(_ROOT / "template.yaml"))

HOURS: Final = 730
_X86: Final = frozenset({"EmbeddingFunction"})


def memory_mb(function: str) -> int:
    """Return the memory of a function in the template, by default of its parameter."""
    value = _TEMPLATE["Resources"][function]["Properties"]["MemorySize"]
    return int(_TEMPLATE["Parameters"][value["Ref"]]["Default"] if isinstance(value, dict) else value)


@dataclass(frozen=True, slots=True)
class Run:
    """A function's part in an event.

    Attributes:
        function: its logical id.
        seconds: billed duration.
    """

    function: str
    seconds: float

    @property
    def gb_seconds(self) -> float:
        """Lambda's measure: memory times duration."""
        return memory_mb(self.function) / 1024 * self.seconds

    @property
    def dollars(self) -> float:
        """One call with its duration."""
        processor = "x86_64" if self.function in _X86 else "arm64"
        return PRICES["lambda_call"] + self.gb_seconds * PRICES[f"lambda_gb_second_{processor}"]


@dataclass(frozen=True, slots=True)
class Event:
    """Resources that one event uses."""

    name: str
    runs: tuple[Run, ...]
    gateway_calls: int = 0
    writes: int = 0
    reads: int = 0
    log_kb: float = 0
    names: int = 0

    @property
    def gb_seconds(self) -> float:
        """Sum over the functions."""
        return sum(run.gb_seconds for run in self.runs)

    def costs(self) -> dict[str, float]:
        """Dollars by service that the event uses."""
        priced = {
            "HTTP API": self.gateway_calls * PRICES["http_api_call"],
            "Lambda": sum(run.dollars for run in self.runs),
            "DynamoDB": self.writes * PRICES["dynamodb_write"] + self.reads * PRICES["dynamodb_consistent_read"],
            "logs": self.log_kb / 1e6 * PRICES["log_gb"],
            "DNS Firewall": self.names * PRICES["dns_firewall_query"],
        }
        return {service: dollars for service, dollars in priced.items() if dollars}


SEARCH: Final = Event(
    "search",
    (Run("AuthorizerFunction", 0.015), Run("McpFunction", 0.3), Run("EmbeddingFunction", 0.04)),
    gateway_calls=1,
    writes=2,
    reads=24,
    log_kb=4,
)
DEPLOYED: Final = Memories(*map(memory_mb, ("ParserFunction", "IngestionFunction", "EmbeddingFunction")))


def _document(name: str, processor: Processor) -> Event:
    parser, ingestion, embedding = processor.billed(DEPLOYED)
    return Event(
        name,
        (Run("ParserFunction", parser), Run("IngestionFunction", ingestion), Run("EmbeddingFunction", embedding)),
        writes=14,
        log_kb=4,
        # The parser looks up the bucket for two transfers, each for both kinds of IP addresses.
        names=4,
    )


DOCUMENT: Final = _document("document of ten pages", WARM)
FIRST_DOCUMENT: Final = _document("the first one of new environments", COLD)
SWEEP: Final = Event("sweep, every five minutes", (Run("IngestionFunction", 0.3),))
EVENTS: Final = (SEARCH, DOCUMENT, FIRST_DOCUMENT, SWEEP)


@dataclass(frozen=True, slots=True)
class Size:
    """Work of a stack in a month.

    Attributes:
        search_ocu: capacity for searching while the collection is awake.
        awake_hours: hours in which it is.
        indexing_ocu_hours: capacity for indexing, over the month.
    """

    name: str
    searches: int
    documents: int
    search_ocu: int
    awake_hours: int
    indexing_ocu_hours: int
    index_gb: int


SIZES: Final = (
    Size("10,000 searches in office hours", 10_000, 1_000, 2, 176, 20, 1),
    Size("3 million searches, 500 tenants", 3_000_000, 20_000, 6, HOURS, 400, 50),
    Size("500 million searches, 10,000 tenants", 500_000_000, 500_000, 24, HOURS, 4 * HOURS, 500),
)


def alarm_metrics() -> int:
    """Return the number of metrics that the alarms of a stack with the default parameters watch.

    CloudWatch bills an alarm that computes by each of its metrics.
    """
    alarms = (one for one in _TEMPLATE["Resources"].values() if one["Type"] == "AWS::CloudWatch::Alarm")
    return sum(_watched(one["Properties"]) for one in alarms)


def listed_names() -> int:
    """Return the number of names in the lists of the template's DNS firewall."""
    lists = (
        one for one in _TEMPLATE["Resources"].values() if one["Type"] == "AWS::Route53Resolver::FirewallDomainList"
    )
    return sum(len(one["Properties"]["Domains"]) for one in lists)


def _watched(alarm: Mapping[str, Any]) -> int:
    if "Metrics" not in alarm:
        return 1
    # A metric below a condition counts: the default of the one condition here, EmbedsHere, holds; Warms does not.
    return sum("MetricStat" in str(query) and "Warms" not in str(query) for query in alarm["Metrics"])


def idle_costs() -> dict[str, float]:
    """Return the dollars of a month without calls, by item."""
    sweeps = HOURS * 12
    return {
        "secret": PRICES["secret_month"],
        f"{listed_names()} names in lists of the DNS firewall": listed_names() * PRICES["dns_firewall_name_month"],
        f"alarms on {alarm_metrics()} metrics": alarm_metrics() * PRICES["alarm_metric_month"],
        f"{sweeps:,} sweeps, {sweeps * SWEEP.gb_seconds:,.0f} GB-s": sweeps * sum(SWEEP.costs().values()),
        # Lambda polls each queue with five connections that wait 20 s.
        "1.3 million polls of two queues": 1_300_000 * PRICES["sqs_request"],
    }


def month(size: Size) -> Iterator[tuple[str, float]]:
    """Yield the items of a month's bill in dollars."""
    for service, dollars in SEARCH.costs().items():
        yield f"searches: {service}", size.searches * dollars
    # As if each document met new environments: the share of those that do is unknown.
    yield "documents", size.documents * sum(FIRST_DOCUMENT.costs().values())
    yield "collection, searching", size.search_ocu * size.awake_hours * PRICES["opensearch_ocu_hour"]
    yield "collection, indexing", size.indexing_ocu_hours * PRICES["opensearch_ocu_hour"]
    yield "collection, storage", size.index_gb * PRICES["opensearch_gb_month"]
    # Calls and their duration, of the functions mcp and api.
    yield "four metrics of calls", 4 * PRICES["custom_metric_month"]
    yield "idle, as above", sum(idle_costs().values())


def price_rows() -> Iterator[tuple[str, str]]:
    """Yield each price with its unit; prices of small units are for a million of them."""
    for name, price in PRICES.items():
        unit = name.replace("x86_64", "x86-64").replace("_", " ")
        yield unit, f"{price * 1e6:g} a million" if price < 1e-4 else f"{price:.2f}" if price >= 0.01 else f"{price:g}"


def event_rows() -> Iterator[tuple[str, str, str]]:
    """Yield each kind of event with the work of its functions and its GB-seconds."""
    for event in EVENTS:
        work = ", ".join(
            f"{run.function.removesuffix('Function').lower()} {run.seconds:.2g} s × {memory_mb(run.function):,} MB"
            for run in event.runs
        )
        yield event.name, work, f"{event.gb_seconds:.2f}"


def idle_rows() -> Iterator[tuple[str, str]]:
    """Yield each item of an idle month, then the sum."""
    yield from ((item, f"{dollars:.2f}") for item, dollars in idle_costs().items())
    yield "**together**", f"**{sum(idle_costs().values()):.2f}**"


def month_rows() -> Iterator[tuple[str, ...]]:
    """Yield each item of a month with its dollars at every size, then the sums."""
    months = [dict(month(size)) for size in SIZES]
    for item in months[0]:
        yield item, *(f"{each[item]:,.2f}" for each in months)
    yield "**together**", *(f"**{sum(each.values()):,.0f}**" for each in months)


def table(columns: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """Return a table in Markdown."""
    heads = [*columns]
    lines = (f"| {' | '.join(row)} |" for row in (heads, *rows))
    head, *rest = lines
    return "\n".join([head, "|---" * len(heads) + "|", *rest])


def report() -> str:
    """Return the tables: GB-seconds by kind of event, an idle month, and a month at three sizes."""
    parts = (
        f"Prices of {REGION}, {PRICE_DATE}",
        table(("event", "functions", "GB-seconds"), event_rows()),
        table(("idle, a month", "dollars"), idle_rows()),
        table(("a month", *(size.name for size in SIZES)), month_rows()),
    )
    return "\n\n".join(parts)


if __name__ == "__main__":
    print(report())
