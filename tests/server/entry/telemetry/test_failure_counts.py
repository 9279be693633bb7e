"""Failures that no caller reports are counted where the alarms of the stack look for them."""

import json
from collections.abc import Callable, Mapping
from typing import Final, Self

import pytest

from groundwire.domain.errors import DocumentRefused, DomainError, Unavailable
from groundwire.wiring.cloud.failure_counts import CountedAudit, CountedParsers
from groundwire_readers.contents.parsed import ParsedDocument
from tests.support.aws.template.variants import variant

NAMESPACE: Final = "Groundwire/groundwire-dev"


class FailingParser:
    version = "parser/1"
    ocr_version = "eng"

    def __init__(self, error: DomainError) -> None:
        self._error = error

    def for_tenant(self, _tenant: str) -> Self:
        return self

    def parse(
        self, content: bytes, file_type: str, *, with_images: bool = False, with_thumbnails: bool = False
    ) -> ParsedDocument:
        raise self._error


class FailingAudit:
    def append(self, record: Mapping[str, object]) -> None:
        raise Unavailable("The log group does not accept lines.")


def parse() -> None:
    parsers = CountedParsers(FailingParser(Unavailable("The document parser does not start.")))
    parsers.for_tenant("t_a").parse(b"", "pdf")


def append() -> None:
    CountedAudit(FailingAudit()).append({"tool": "rag_search"})


@pytest.fixture(autouse=True)
def stack_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("POWERTOOLS_METRICS_DISABLED", raising=False)
    monkeypatch.setenv("POWERTOOLS_METRICS_NAMESPACE", NAMESPACE)


@pytest.mark.parametrize(("fail", "alarm"), [(parse, "ParseFailedAlarm"), (append, "AuditFailedAlarm")])
def test_a_failure_is_raised_and_counted_by_the_metric_that_its_alarm_watches(
    capsys: pytest.CaptureFixture[str], fail: Callable[[], None], alarm: str
) -> None:
    with pytest.raises(Unavailable):
        fail()

    watched = variant().resources[alarm]["Properties"]
    record = json.loads(capsys.readouterr().out)
    [published] = record["_aws"]["CloudWatchMetrics"]
    [dimension] = watched["Dimensions"]
    assert published["Namespace"] == watched["Namespace"]["Fn::Sub"].replace("${AWS::StackName}", "groundwire-dev")
    assert published["Dimensions"] == [[dimension["Name"]]]
    assert record[dimension["Name"]] == dimension["Value"]
    assert record[watched["MetricName"]] == [1.0]


def test_a_document_that_cannot_be_read_is_not_counted(capsys: pytest.CaptureFixture[str]) -> None:
    parsers = CountedParsers(FailingParser(DocumentRefused("it is encrypted")))

    with pytest.raises(DocumentRefused):
        parsers.for_tenant("t_a").parse(b"", "pdf")

    assert (parsers.version, parsers.ocr_version, capsys.readouterr().out) == ("parser/1", "eng", "")


@pytest.mark.parametrize(
    ("name", "value"), [("POWERTOOLS_METRICS_DISABLED", "true"), ("POWERTOOLS_METRICS_NAMESPACE", "")]
)
@pytest.mark.parametrize("fail", [parse, append])
def test_nothing_is_printed_where_metrics_are_off_or_unnamed(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    name: str,
    value: str,
    fail: Callable[[], None],
) -> None:
    monkeypatch.setenv(name, value)

    with pytest.raises(Unavailable):
        fail()

    assert capsys.readouterr().out == ""
