"""docs/reference/costs.md: prices, GB-seconds by kind of event, and the bill of a stack at three sizes."""

from typing import Final

from bench.bill import (
    DOCUMENT,
    DOCUMENT_BEFORE_GB_SECONDS,
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
from bench.parser_cost import BEFORE_COMMIT, MEASURED_ON, NOW_COMMIT, measured_rows

_INTRO: Final = """# What a stack costs

Prices are those of {region} in US dollars, as of {date}, without free tiers. The price of the collection is that
reported for the generation of May 2026. Look up the prices of your region. `bench/prices.toml` has the numbers: change
them, and run `.venv/bin/python -m bench.bill`.
"""
_EVENTS: Final = """## GB-seconds by kind of event

Lambda bills the memory of a function times its duration. The durations are estimates from one machine. The
`REPORT` lines in the logs of an account have its own.

{table}

By these estimates, a document of ten pages took {before:.2f} GB-seconds in one function of 3,008 MB. It takes
{ratio:.2f} times as much now. AWS also charges each new environment of a tenant by its memory; this price is not in
the table.

A second estimate uses processor seconds of a made-up PDF of ten pages, measured on {day} at the commits
`{old}` and `{new}`. The aim of at most 1.3 times is missed for warm functions, with every memory in
the table. The parser function starts a worker for each document; the one function kept its worker. Both are given
because the share of cold starts is unknown.

| start | parser and ingestion | before | now | ratio |
|---|---|---|---|---|
{measured}

Lambda gives one processor at 1,769 MB, and a share of it below. Work on one thread takes its processor seconds divided
by that share. Ingestion also waits for the parser. Embedding and waits for the network are left out.
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

The hours awake cost money, not the searches. A thousand searches in one hour cost less than ten over a day. AWS does
not document how many OCU a sleeping collection wakes with. It names two search workers, and the first column counts
one OCU for each. Check your first bill. `MaxCapacityInOcu` limits it: at most {most:,.0f} a month with its default,
under load day and night. A collection has at most 1,000 indexes, so the largest size needs several stacks.
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
            before=DOCUMENT_BEFORE_GB_SECONDS,
            ratio=DOCUMENT.gb_seconds / DOCUMENT_BEFORE_GB_SECONDS,
            day=MEASURED_ON,
            old=BEFORE_COMMIT,
            new=NOW_COMMIT,
            measured="\n".join(f"| {' | '.join(row)} |" for row in measured_rows()),
        ),
        _IDLE.format(table=table(("a month", "dollars"), idle_rows())),
        _SIZES.format(
            assumed=assumed,
            table=table(("a month", *(size.name for size in SIZES)), month_rows()),
            most=HOURS * 2 * 4 * PRICES["opensearch_ocu_hour"],
        ),
    )
    return "\n\n".join(part.strip() for part in parts) + "\n"
