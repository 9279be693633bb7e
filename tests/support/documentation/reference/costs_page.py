"""docs/reference/costs.md: prices, GB-seconds by kind of event, and the bill of a stack at three sizes."""

from typing import Final

from bench.bill import (
    DEPLOYED,
    HOURS,
    PRICE_DATE,
    PRICES,
    REGION,
    SIZES,
    event_rows,
    idle_rows,
    month_rows,
    price_rows,
    table,
)
from bench.parser_cost import MEASURED_ON, measured_rows

_INTRO: Final = """# What a stack costs

Prices are those of {region} in US dollars, as of {date}, without free tiers. The price of the collection is that
reported for the generation of May 2026. Look up the prices of your region. `bench/prices.toml` has the numbers: change
them, and run `.venv/bin/python -m bench.bill`.
"""
_EVENTS: Final = """## GB-seconds by kind of event

Lambda bills the memory of a function times its duration. The durations are estimates from one machine. The
`REPORT` lines in the logs of an account have its own.

{table}

The figures of a document are processor seconds of a made-up PDF of ten pages. `python -m bench.parser_seconds` measured
them on {day}. Before, one function of 3,008 MB parsed and ingested. The first document of new environments is the cold
one. AWS also charges each new environment of a tenant by its memory; this price is not in the table.

| start | one function | parser | ingestion | embedding | GB-s before | GB-s now | ratio | ratio without embedding |
|---|---|---|---|---|---|---|---|---|
{measured}

Lambda gives one processor at 1,769 MB, and a share of it below. Work on one thread takes its processor seconds divided
by that share. Ingestion waits for the parser and for the embedding. TLS, waits for the network and a cold start of the
embedding function are left out.
"""
_IDLE: Final = """## Idle

{table}

Ten alarms and a million polls of queues are free in an account. A sleeping collection costs its storage only.
"""
_SIZES: Final = """## Three sizes

| a month | searches | documents of ten pages | collection awake | indexing |
|---|---|---|---|---|
{assumed}

{table}

Each document is counted as the first one of new environments. The hours awake cost money, not the searches. A thousand
searches in one hour cost less than ten over a day. AWS does not document how many OCU a sleeping collection wakes with.
It names two search workers, and the first column counts one OCU for each. Check your first bill. `MaxCapacityInOcu`
limits it: at most {most:,.0f} a month with its default, under load day and night. A collection has at most 1,000
indexes, so the largest size needs several stacks.
"""


def costs_page() -> str:
    """Return the page."""
    assumed = "\n".join(
        f"| {size.name} | {size.searches:,} | {size.documents:,} | {size.awake_hours} h × {size.search_ocu} OCU "
        f"| {size.indexing_ocu_hours:,} OCU-hours |"
        for size in SIZES
    )
    parts = (
        _INTRO.format(region=REGION, date=PRICE_DATE),
        table(("price of one", "dollars"), price_rows()),
        _EVENTS.format(
            table=table(("event", "functions", "GB-seconds"), event_rows()),
            day=MEASURED_ON,
            measured="\n".join(f"| {' | '.join(row)} |" for row in measured_rows(DEPLOYED)),
        ),
        _IDLE.format(table=table(("a month", "dollars"), idle_rows())),
        _SIZES.format(
            assumed=assumed,
            table=table(("a month", *(size.name for size in SIZES)), month_rows()),
            most=HOURS * 2 * 4 * PRICES["opensearch_ocu_hour"],
        ),
    )
    return "\n\n".join(part.strip() for part in parts) + "\n"
