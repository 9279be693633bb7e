"""The bill follows from the dated prices and the template."""

from math import isclose

import pytest

from bench import bill, parser_cost
from tests.support.aws.template.variants import variant


@pytest.mark.parametrize("processor", [parser_cost.WARM, parser_cost.COLD], ids=["warm", "cold"])
def test_with_the_memories_of_the_template_a_document_costs_at_most_1_3_times_as_much_as_in_one_function(
    processor: parser_cost.Processor,
) -> None:
    assert processor.ratio(bill.DEPLOYED) <= 1.3
    assert processor.without_embedding().ratio(bill.DEPLOYED) <= 1.3


def test_less_memory_takes_longer_and_a_second_processor_does_not_shorten_the_work() -> None:
    assert isclose(parser_cost.billed_seconds(3538, 3), 3)
    assert isclose(parser_cost.gb_seconds(1024, 1, 0.5), 1769 / 1024 + 0.5)


def test_ingestion_is_billed_while_it_waits_for_the_parser_and_for_the_embedding() -> None:
    memories = parser_cost.Memories(3072, 1024, 2048)
    processor = parser_cost.Processor(before=1, parser=1, ingestion=0, embedding=0.5)
    assert processor.billed(memories) == (1, 1.5, 0.5)
    assert isclose(processor.gb_seconds_now(memories), 3 + 1.5 + 1)


def test_alarms_are_billed_by_the_metrics_that_a_default_stack_watches() -> None:
    alarms = variant().of_type("AWS::CloudWatch::Alarm").values()
    watched = [[query for query in alarm.get("Metrics", []) if "MetricStat" in query] or [alarm] for alarm in alarms]
    assert bill.alarm_metrics() == sum(len(each) for each in watched)


def test_a_search_costs_what_its_parts_cost() -> None:
    # 0.535 GB-s on arm64 and 0.07 on x86-64, three calls, one of the gateway, 2 writes, 24 reads and 4 kB of logs.
    lambda_dollars = 3 * 0.2e-6 + 0.5333 * 0.0000133334 + 0.0691 * 0.0000166667
    assert isclose(bill.SEARCH.costs()["Lambda"], lambda_dollars, rel_tol=0.001)
    others = 1e-6 + 2 * 0.625e-6 + 24 * 0.125e-6 + 4e-6 * 0.5
    assert isclose(sum(bill.SEARCH.costs().values()) - bill.SEARCH.costs()["Lambda"], others)


def test_the_hours_awake_are_most_of_a_small_bill_and_the_searches_most_of_a_large_one() -> None:
    small, _, large = (dict(bill.month(size)) for size in bill.SIZES)
    assert small["collection, searching"] > sum(small.values()) / 2
    searches = [dollars for item, dollars in large.items() if item.startswith("searches: ")]
    assert sum(searches) > sum(large.values()) / 2


@pytest.mark.parametrize("price", sorted(bill.PRICES))
def test_every_price_is_used(monkeypatch: pytest.MonkeyPatch, price: str) -> None:
    before = sum(dollars for size in bill.SIZES for _, dollars in bill.month(size))
    monkeypatch.setitem(bill.PRICES, price, bill.PRICES[price] * 2)
    after = sum(dollars for size in bill.SIZES for _, dollars in bill.month(size))
    assert after > before
