"""Lines of a log group by tenant: what queries find is what reading the whole log finds."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import count
from typing import Any, Final

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from moto import mock_aws
from moto.core.models import DEFAULT_ACCOUNT_ID

from groundwire.adapters.aws import clients
from groundwire.adapters.aws.audit import LogGroupAudit
from groundwire.adapters.aws.audit.insights import LogQueries, QueryBounds
from groundwire.adapters.aws.audit.query_text import counts_query, lines_query
from groundwire.adapters.aws.audit.trail import InsightsAuditTrail
from groundwire.domain.audit.selection import EVERY_LINE, AuditSelection
from groundwire.domain.errors import InvalidInput, Unavailable
from tests.contract.audit.trails import OWN, pages, records, selections
from tests.support.aws import insights
from tests.support.plugins.draws import examples

NOON: Final = 1_795_000_000
"""In November 2026."""
REGION: Final = "eu-central-1"
DAY: Final = 86_400
NAMES: Final = st.sampled_from(
    [
        "a",
        "A",
        "b",
        "a b",
        "GET /v1/{x}",
        "\u212a",
        "k",
        "stra\u00dfe",
        "STRASSE",
        'a" | limit 1',
        "/ or 1 = 1 or /",
        "\\",
    ]
)
TIMES: Final = st.sampled_from([1.0, 2.0, 3.5, 9.0])
BOUNDS: Final = QueryBounds(20, 1_000, 10_000)
_NUMBERS: Final = count()


@dataclass
class Log:
    """A log group with its lines, a clock that waiting moves on, and the service that is queried."""

    group: str
    service: insights.Insights
    now: float = NOON
    _at: float = NOON
    lines: list[tuple[tuple[float, str, int], dict[str, Any]]] = field(default_factory=list[Any])
    _streams: dict[str, LogGroupAudit] = field(default_factory=dict[str, LogGroupAudit])

    def append(self, record: Mapping[str, Any], stream: str = "s", at: float | None = None) -> None:
        at = self.now if at is None else at
        audit = self._streams.setdefault(stream, LogGroupAudit(self._writer, self.group, stream, lambda: self._at))
        self._at = at
        audit.append(record)
        name = f"{stream}/1"
        number = 1 + sum(place[1] == name for place, _ in self.lines)
        self.lines.append(((int(at * 1_000), name, number), dict(record)))

    def trail(self, bounds: QueryBounds = BOUNDS) -> InsightsAuditTrail:
        queries = LogQueries(self._client, self.group, lambda: self.now, self._wait)
        return InsightsAuditTrail(queries, lambda: self.now, bounds)

    def found(self, selection: AuditSelection) -> list[dict[str, Any]]:
        """The lines that match, the latest first, without what the log adds."""
        ordered = sorted(self.lines, key=lambda line: line[0], reverse=True)
        return [record for _, record in ordered if record["tenant"] == OWN and selection.matches(record)]

    def _wait(self, seconds: float) -> None:
        self.now += seconds

    @property
    def _client(self) -> Any:
        return clients.logs()

    @property
    def _writer(self) -> Any:
        return insights.AnyTime(DEFAULT_ACCOUNT_ID, REGION)


@pytest.fixture
def service(monkeypatch: pytest.MonkeyPatch) -> Iterator[insights.Insights]:
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.setenv(name, "local")
    monkeypatch.setenv("AWS_DEFAULT_REGION", REGION)
    service = insights.Insights()
    insights.install(monkeypatch, service)
    with mock_aws():
        yield service


@pytest.fixture
def log(service: insights.Insights) -> Log:
    return opened(service)


def opened(service: insights.Insights) -> Log:
    group = f"audit-{next(_NUMBERS)}"
    clients.logs().create_log_group(logGroupName=group)
    return Log(group, service)


def without_chain(line: Mapping[str, object]) -> dict[str, object]:
    return {name: line[name] for name in line if name not in {"stream", "sequence", "prev", "hash"}}


def walk(log: Log, trail: InsightsAuditTrail, selection: AuditSelection, limit: int = 3) -> list[dict[str, object]]:
    return [without_chain(line) for page in pages(trail, selection, limit) for line in page]


@st.composite
def writes(draw: st.DrawFn) -> tuple[dict[str, Any], str, float]:
    """A line with a stream and a time of writing: often that of other lines."""
    day = draw(st.sampled_from([0, 0, 0, 1, 40])) * DAY
    record = draw(records(NAMES, st.none() | TIMES))
    if record["time"] is not None:
        record["time"] += NOON - day
    return record, draw(st.sampled_from("ab")), NOON - day + draw(st.sampled_from([0, 0.001, 0.999, 5]))


@given(
    written=st.lists(writes(), max_size=14),
    selection=selections(NAMES, TIMES.map(lambda time: time + NOON) | TIMES.map(lambda time: time + NOON - DAY)),
    bounds=st.builds(
        *(QueryBounds, st.sampled_from([2, 20]), st.sampled_from([2, 1_000]), st.just(10_000)),
        st.sampled_from([1, 500, 9_999]),
    ),
)
@settings(max_examples=examples(150), suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_the_pages_have_each_line_that_matches_once_whatever_the_bounds(
    service: insights.Insights,
    written: list[tuple[dict[str, Any], str, float]],
    selection: AuditSelection,
    bounds: QueryBounds,
) -> None:
    log = opened(service)
    log.now = NOON + 10
    for record, stream, at in written:
        log.append(record, stream, at)
    assert walk(log, log.trail(bounds), selection) == log.found(selection)


@given(tenant=st.text(max_size=12), selection=selections(st.text(max_size=20) | NAMES, TIMES))
@settings(max_examples=examples(1_000))
def test_no_value_changes_what_a_query_means(tenant: str, selection: AuditSelection) -> None:
    service = insights.Insights()
    text = lines_query(tenant, selection, 5, 10)
    # The interpreter refuses whatever is no query of the server.
    assert service.result([], text) == []
    first, *filters, until, order, limit = text.split(" | ")
    assert (first, until, order, limit) == (
        "fields @timestamp, @message",
        "filter toMillis(@timestamp) <= 5",
        "sort @timestamp desc",
        "limit 10",
    )
    assert len(filters) <= 6
    assert set(re.sub(r"\\\\u\[0-9a-f\]\{4\}|\\\.|\(\?i\)", "", "".join(filters))) <= set(
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_@:- ()/"
    )
    assert service.result([], counts_query(tenant, 1, 2, ("tenant", "tool"), 10_000)) == []


def test_lines_of_one_millisecond_are_on_one_page_each(log: Log) -> None:
    for number in range(40):
        log.append({"tenant": OWN, "time": NOON, "n": number}, stream="ab"[number % 2])
    found = walk(log, log.trail(QueryBounds(20, 5, 10_000)), EVERY_LINE, limit=7)
    assert found == log.found(EVERY_LINE)
    assert len(found) == 40


def test_a_page_ends_at_its_size_and_the_next_one_continues(log: Log) -> None:
    for number in range(5):
        log.append({"tenant": OWN, "time": NOON, "n": number, "documents": ["d" * 600]})
    log.append({"tenant": OWN, "time": NOON, "documents": ["d" * 9_000]})
    trail = log.trail(QueryBounds(20, 1_000, 10_000, 2_000))
    assert [len(page) for page in pages(trail, EVERY_LINE, 1_000)] == [1, 2, 2, 1]
    assert walk(log, trail, EVERY_LINE, 1_000) == log.found(EVERY_LINE)


def test_a_result_in_several_answers_is_one(log: Log) -> None:
    for number in range(9):
        log.append({"tenant": OWN, "n": number, "status": 200, "time": NOON, "tool": f"t{number}"}, at=NOON - number)
    log.service.rows_a_call = 2
    assert walk(log, log.trail(), EVERY_LINE) == log.found(EVERY_LINE)
    [month] = log.trail().usage(OWN).months
    assert sum(month.calls.values()) == 9


def test_the_last_lines_of_a_tenant_are_as_many_as_are_wanted(log: Log) -> None:
    for number in range(9):
        log.append({"tenant": OWN, "n": number, "time": NOON - number * DAY}, at=NOON - number * DAY)
    trail = log.trail(QueryBounds(20, 2, 3))
    assert [line["n"] for line in trail.recent(OWN, 5, NOON - 30 * DAY)] == [0, 1, 2, 3, 4]
    assert [line["n"] for line in trail.recent(OWN, 50, NOON - 3 * DAY)] == [0, 1, 2, 3]


def test_more_lines_of_one_millisecond_than_a_result_has_are_an_error_and_no_gap(log: Log) -> None:
    for number in range(12):
        log.append({"tenant": OWN, "n": number})
    with pytest.raises(Unavailable, match="one millisecond"):
        walk(log, log.trail(QueryBounds(20, 5, 10)), EVERY_LINE)


def test_the_query_reads_the_group_of_the_audit_log_alone(log: Log) -> None:
    log.append({"tenant": OWN, "tool": "rag_search", "status": 200, "time": NOON})
    log.trail().page(OWN, EVERY_LINE, None, 5)
    log.trail().usage(OWN)
    assert set(log.service.groups) == {(log.group,)}


def test_a_line_of_another_tenant_is_not_listed_even_if_it_names_this_one(log: Log) -> None:
    log.append({"tenant": "t_other", "user": OWN, "status": 200, "time": NOON, "tool": "fetch"})
    log.append({"tenant": OWN, "user": "ben", "status": 200, "time": NOON, "tool": "rag_search"})
    assert [line["user"] for line in log.trail().page(OWN, EVERY_LINE, None, 5).lines] == ["ben"]
    assert [month.calls for month in log.trail().usage(OWN).months] == [{"rag_search": 1}]


def test_a_range_that_takes_too_long_is_stopped_and_the_next_one_is_shorter(log: Log) -> None:
    for day in range(3):
        log.append({"tenant": OWN, "day": day}, at=NOON - day * DAY)
    log.service.polled_range_s = 3_600
    page = log.trail().page(OWN, EVERY_LINE, None, 5)
    assert (page.lines, page.is_complete, page.next_after is None) == ([], True, False)
    assert log.now < NOON + BOUNDS.seconds
    assert [line["day"] for line in walk(log, log.trail(), EVERY_LINE)] == [0, 1, 2]
    assert len(log.service.stopped) == 2


def test_a_call_ends_in_time_however_many_ranges_are_left(log: Log) -> None:
    log.append({"tenant": OWN, "user": "first"}, at=NOON - 300 * DAY)
    for number in range(200):
        log.append({"tenant": OWN, "user": f"u{number}"}, at=NOON - number * DAY)
    log.service.polls = 1
    selection = AuditSelection(None, None, "FIRST", None, None, None, None)
    trail, after, sizes = log.trail(QueryBounds(2, 5, 10_000)), None, list[int]()
    while True:
        start = log.now
        page = trail.page(OWN, selection, after, 5)
        sizes.append(len(page.lines))
        assert log.now - start <= 2
        after = page.next_after
        if after is None:
            break
    assert (sum(sizes), len(sizes) > 1) == (1, True)


def test_the_ranges_end_where_the_log_begins(log: Log) -> None:
    log.append({"tenant": OWN}, at=NOON - 40 * DAY)
    log.append({"tenant": OWN}, at=NOON)
    assert len(walk(log, log.trail(), EVERY_LINE)) == 2
    assert len(log.service.texts) <= 6


def test_a_cursor_of_another_form_is_refused(log: Log) -> None:
    for cursor in ("", "5", "5/", "x/1", "5/1/2", f"5/1 {OWN}", "first:12"):
        with pytest.raises(InvalidInput, match="first page"):
            log.trail().page(OWN, EVERY_LINE, cursor, 5)


def test_a_group_that_cannot_be_read_is_unavailable(service: insights.Insights) -> None:
    log = Log("missing", service)
    with pytest.raises(Unavailable, match="cannot be read"):
        log.trail().page(OWN, EVERY_LINE, None, 5)
    with pytest.raises(Unavailable, match="cannot be read"):
        log.trail().usage(OWN)


CALLS: Final[Sequence[Mapping[str, object]]] = (
    {"status": 200, "tool": "rag_search", "method": "tools/call", "decision": "admitted", "segments": 3},
    {"status": 200, "tool": "rag_search", "method": "tools/call", "decision": "admitted", "segments": 2},
    {"status": 200, "tool": None, "method": "tools/list", "decision": "admitted"},
    {"status": 403, "decision": "denied", "reason": "unknown_key"},
    {"status": 200, "route": "/o", "outcome": "opened"},
    {"status": 200, "route": "/open", "outcome": "shown", "segments": 1},
    {"action": "documents.delete", "decision": "operator"},
)
COUNTED: Final = {"rag_search": 2, "tools/list": 1, "/o": 1, "/open": 1}


@pytest.mark.parametrize("null", [None, "", "null"])
def test_usage_counts_what_the_index_of_a_machine_counts(log: Log, null: str | None) -> None:
    log.service.null = null
    for at in (NOON, NOON - 40 * DAY):
        for record in CALLS:
            log.append({"tenant": OWN, **record, "time": at}, at=at)
    usage = log.trail().usage(OWN)
    assert [(month.month, month.calls) for month in usage.months] == [("2026-11", COUNTED), ("2026-10", COUNTED)]
    assert {(month.refused, month.passages, month.originals) for month in usage.months} == {(1, 6, 1)}
    assert usage.is_complete


def test_a_line_counts_in_the_month_of_its_time_whenever_it_was_written(log: Log) -> None:
    november = 1_793_491_200
    log.append({"tenant": OWN, "tool": "fetch", "status": 200, "time": november - 0.5}, at=november + 20)
    assert [month.month for month in log.trail().usage(OWN).months] == ["2026-10"]


def test_usage_that_takes_too_long_is_incomplete_and_the_next_call_continues(log: Log) -> None:
    for day in (0, 40, 80):
        log.append({"tenant": OWN, "tool": "fetch", "status": 200, "time": NOON - day * DAY}, at=NOON - day * DAY)
    log.service.polls = 30
    trail, counted = log.trail(), list[int]()
    for _ in range(12):
        usage = trail.usage(OWN)
        counted.append(len(usage.months))
        if usage.is_complete:
            break
    assert (counted[0], counted[-1], counted == sorted(counted)) == (0, 3, True)
    # A query that is started again would never end.
    assert len(log.service.texts) <= 5 + len(counted)


def test_more_names_than_a_result_has_are_counted_together(log: Log) -> None:
    for number in range(9):
        record = {"tenant": OWN, "method": f"m{number}", "status": 200, "time": NOON, "segments": 1}
        log.append(record)
    log.append({"tenant": OWN, "tool": "fetch", "status": 200, "time": NOON})
    [month] = log.trail(QueryBounds(20, 5, 6)).usage(OWN).months
    assert (month.calls, month.passages) == ({"other": 9, "fetch": 1}, 9)


def test_a_past_month_is_counted_once(log: Log) -> None:
    for at in (NOON, NOON - 40 * DAY):
        log.append({"tenant": OWN, "tool": "fetch", "status": 200, "time": at}, at=at)
    trail = log.trail()
    assert trail.usage(OWN) == trail.usage(OWN)
    october = [text for text in log.service.texts if "time >= 1790812800 " in text]
    assert len(october) == 1
