"""The handler of the parser function: when its process ends, and what it reports."""

from collections.abc import Mapping
from io import BytesIO
from types import SimpleNamespace
from typing import TYPE_CHECKING, NoReturn, cast

import pytest

from groundwire import wiring
from groundwire.adapters.parse import ConfinedParser, ParserLimits
from groundwire.adapters.parse.function import parser_function
from groundwire.adapters.parse.function.document_parsing import DocumentParsing
from groundwire.adapters.parse.function.messages import (
    ANSWER,
    PROBE,
    WIRE_VERSION,
    ParseInvocation,
    ParserIsolation,
    read_isolation,
)
from groundwire.adapters.parse.function.own_process import Descendants, OwnProcess
from groundwire.adapters.parse.function.parser_function import ParserFunction
from groundwire.adapters.parse.function.presigned import PresignedObjects
from groundwire.adapters.parse.function.results import decode_result
from groundwire.domain.errors import DocumentRefused, InvalidInput, ParserBroken, Unavailable
from groundwire.entry.functions import parser
from groundwire_readers.contents.parsed import ParsedDocument

if TYPE_CHECKING:
    from aws_lambda_powertools.utilities.typing import LambdaContext

TENANT, ENVIRONMENT = ParserIsolation.TENANT, ParserIsolation.ENVIRONMENT
NONCE = "0123456789abcdef"
NOTHING_LEFT = Descendants(0, "")
CONTEXT = cast("LambdaContext", SimpleNamespace(aws_request_id="request-1"))


class KeptObjects(PresignedObjects):
    """One object that is read, and the one that is written."""

    def __init__(self, content: bytes) -> None:
        super().__init__(None)
        self._content = content
        self.stored = b""

    def read(self, url: str, limit: int) -> bytes:
        return self._content[:limit]

    def write(self, url: str, headers: Mapping[str, str], content: bytes) -> None:
        self.stored = content


class Ended(BaseException):
    """The end of the process."""


class ObservedProcess(OwnProcess):
    """A process whose end can be seen.

    Attributes:
        descendants: what outlives a worker.
        errors: what was delivered instead of an answer.
    """

    def __init__(self, descendants: Descendants = NOTHING_LEFT) -> None:
        self.descendants = descendants
        self.errors: list[Exception] = []

    def end_descendants(self, fork_server: int | None) -> Descendants:
        return self.descendants

    def answer_and_end(self, runtime_api: str, request_id: str, answer: Mapping[str, object]) -> NoReturn:
        assert (runtime_api, request_id, answer) == ("127.0.0.1:9001", "request-1", ANSWER)
        raise Ended

    def fail_and_end(self, runtime_api: str, request_id: str, error: Exception) -> NoReturn:
        assert (runtime_api, request_id) == ("127.0.0.1:9001", "request-1")
        self.errors.append(error)
        raise Ended


class LostObjects(KeptObjects):
    """A bucket that does not take the result."""

    def write(self, url: str, headers: Mapping[str, str], content: bytes) -> None:
        raise Unavailable("The bucket does not answer.")


def invoke(
    order: str,
    isolation: ParserIsolation = TENANT,
    *,
    process: OwnProcess | None = None,
    worker: str = "tests.readers.hostile_worker",
    runtime_api: str | None = "127.0.0.1:9001",
) -> tuple[ParsedDocument, bool]:
    """Return the document, and whether the process ended."""
    objects, own = KeptObjects(order.encode()), process or ObservedProcess()
    limits = ParserLimits(memory_mb=512, cpu_seconds=1, document_seconds=30)
    parsing = DocumentParsing(objects, lambda: ConfinedParser(limits, worker), own.end_descendants)
    ended = False
    try:
        assert ParserFunction(parsing, isolation, own, runtime_api)(_invocation().to_event(), "request-1") == ANSWER
    except Ended:
        ended = True
    with ConfinedParser(limits) as parser:
        return decode_result(BytesIO(objects.stored), NONCE, parser.version, with_thumbnails=False), ended


def test_a_document_leaves_the_process_as_it_was() -> None:
    document, ended = invoke("hello")
    assert (document.blocks[0].text, ended) == ("hello", False)


def test_without_environments_of_each_tenant_the_process_ends_after_its_answer() -> None:
    assert invoke("hello", ENVIRONMENT)[1] is True


@pytest.mark.parametrize("order", ["abort", "burn", "allocate", "babble"])
def test_a_worker_that_crashed_or_met_a_limit_leaves_a_refusal_and_a_process_that_is_to_end(order: str) -> None:
    objects, limits = KeptObjects(order.encode()), ParserLimits(memory_mb=512, cpu_seconds=1)
    parsing = DocumentParsing(
        objects, lambda: ConfinedParser(limits, "tests.readers.hostile_worker"), lambda _fork_server: NOTHING_LEFT
    )
    with pytest.raises(Ended):
        ParserFunction(parsing, TENANT, ObservedProcess(), "127.0.0.1:9001")(_invocation().to_event(), "request-1")
    with pytest.raises(DocumentRefused), ConfinedParser(limits) as parser:
        decode_result(BytesIO(objects.stored), NONCE, parser.version, with_thumbnails=False)


def _invocation() -> ParseInvocation:
    return ParseInvocation(NONCE, "content", "result", {}, "txt", with_images=False, with_thumbnails=False)


@pytest.mark.parametrize("descendants", [Descendants(1, ""), Descendants(0, "no right"), Descendants(2, "too many")])
def test_an_environment_in_which_a_process_outlived_its_worker_ends_itself(descendants: Descendants) -> None:
    assert invoke("hello", process=ObservedProcess(descendants))[1] is True


@pytest.mark.parametrize("isolation", ParserIsolation)
@pytest.mark.parametrize(
    ("objects", "event", "worker", "error"),
    [
        (KeptObjects(b"hello"), {}, "tests.readers.hostile_worker", InvalidInput),
        (KeptObjects(b"hello"), None, "tests.readers.no_such_worker", ParserBroken),
        (LostObjects(b"hello"), None, "tests.readers.hostile_worker", Unavailable),
    ],
    ids=["before the document", "at the start of the worker", "after the document"],
)
def test_an_error_of_the_handler_is_delivered_and_the_process_ends(
    objects: KeptObjects,
    event: Mapping[str, object] | None,
    worker: str,
    error: type[Exception],
    isolation: ParserIsolation,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    process = ObservedProcess()
    parsing = DocumentParsing(objects, lambda: ConfinedParser(ParserLimits(), worker), process.end_descendants)
    use(ParserFunction(parsing, isolation, process, "127.0.0.1:9001"), monkeypatch)
    with pytest.raises(Ended):
        parser.handler(_invocation().to_event() if event is None else event, CONTEXT)
    assert [type(each) for each in process.errors] == [error]


def use(function: ParserFunction, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the handler of the function have this use case."""

    def built(*, allow_unconfined: bool) -> ParserFunction:
        assert allow_unconfined
        return function

    monkeypatch.setattr(wiring, "parser_function", built)


def test_an_error_of_the_report_also_ends_the_process(monkeypatch: pytest.MonkeyPatch) -> None:
    def failing() -> NoReturn:
        raise MemoryError

    monkeypatch.setattr(parser_function, "confinement_report", failing)
    process = ObservedProcess()
    parsing = DocumentParsing(KeptObjects(b""), lambda: ConfinedParser(ParserLimits()), process.end_descendants)
    use(ParserFunction(parsing, TENANT, process, "127.0.0.1:9001"), monkeypatch)
    with pytest.raises(Ended):
        parser.handler(dict(PROBE), CONTEXT)
    assert [type(each) for each in process.errors] == [MemoryError]


def test_outside_of_lambda_an_error_ends_no_process(monkeypatch: pytest.MonkeyPatch) -> None:
    process = ObservedProcess()
    parsing = DocumentParsing(KeptObjects(b""), lambda: ConfinedParser(ParserLimits()), process.end_descendants)
    use(ParserFunction(parsing, TENANT, process, None), monkeypatch)
    with pytest.raises(InvalidInput):
        parser.handler({}, CONTEXT)
    assert process.errors == []


def test_without_environments_of_each_tenant_the_process_also_ends_after_a_refused_document() -> None:
    parsing = DocumentParsing(
        KeptObjects(b""), lambda: ConfinedParser(ParserLimits()), lambda _fork_server: NOTHING_LEFT
    )
    function = ParserFunction(parsing, ENVIRONMENT, ObservedProcess(), "127.0.0.1:9001")
    with pytest.raises(Ended):
        function(_invocation().to_event(), "request-1")


def test_outside_of_lambda_no_process_ends() -> None:
    assert invoke("hello", ENVIRONMENT, runtime_api=None)[1] is False


def test_a_worker_that_does_not_start_stores_nothing_and_states_it() -> None:
    with pytest.raises(ParserBroken):
        invoke("hello", worker="tests.readers.no_such_worker", runtime_api=None)


def test_an_invocation_of_another_release_is_answered_with_the_own_version_and_not_read() -> None:
    objects = KeptObjects(b"hello")
    parsing = DocumentParsing(objects, lambda: ConfinedParser(ParserLimits()), lambda _fork_server: NOTHING_LEFT)
    function = ParserFunction(parsing, TENANT, ObservedProcess(), None)
    for other in ({"version": 1}, {"version": WIRE_VERSION, "parser": "another"}):
        assert function({**_invocation().to_event(), **other}, "request-1") == ANSWER
    assert objects.stored == b""


@pytest.mark.parametrize(
    "event",
    [{}, [], "probe", {"probe": "anything"}, {"nonce": 1}, {**_invocation().to_event(), "result_headers": []}],
)
def test_an_event_that_is_no_invocation_is_refused(event: object) -> None:
    parsing = DocumentParsing(
        KeptObjects(b""), lambda: ConfinedParser(ParserLimits()), lambda _fork_server: NOTHING_LEFT
    )
    with pytest.raises(InvalidInput, match="not an invocation"):
        ParserFunction(parsing, TENANT, ObservedProcess(), None)(event, "request-1")


@pytest.mark.parametrize("text", ["", "Tenant", "none"])
def test_an_isolation_that_is_not_known_is_refused(text: str) -> None:
    with pytest.raises(InvalidInput, match="must be tenant or environment"):
        read_isolation(text)


def test_all_work_on_a_document_ends_with_its_time() -> None:
    # The worker starts within this time, too.
    limits = ParserLimits(document_seconds=4)
    with (
        ConfinedParser(limits, "tests.readers.hostile_worker") as parser,
        pytest.raises(DocumentRefused, match=r"longer than 4 s"),
    ):
        parser.parse(b"hang", "txt")
