"""The built parser function under Lambda's runtime: each isolation answers, and ends its process when it must."""

from collections.abc import Generator, Mapping
from contextlib import contextmanager
from http.client import HTTPConnection
from io import BytesIO
from pathlib import Path
from typing import Any, Final, cast

import pytest

from groundwire.adapters.aws.parser_function import FunctionParsers
from groundwire.adapters.parse.function.messages import PROBE, ParserIsolation
from groundwire.domain.errors import DocumentRefused, ParserBroken
from groundwire.ports import Parser
from tests.support.aws.deployment.artifacts import Artifact
from tests.support.aws.parser_stack import FUNCTION, bucket, require_parser_call
from tests.support.engines import lambda_runtime
from tests.support.engines.lambda_runtime import Function
from tests.support.engines.missing import Absent, answer

_PATH: Final = "/2015-03-31/functions/function/invocations"
_OK: Final = 200
_START: Final = "INIT START"
_END: Final = "Process runtime-"


class EmulatedLambda:
    """Lambda's `Invoke` before the runtime emulator, which answers by its status where the process ended."""

    def __init__(self, function: Function, isolation: ParserIsolation) -> None:
        self._function = function
        self._isolated = isolation is ParserIsolation.TENANT

    def invoke(self, *, Payload: bytes, **parameters: str) -> Mapping[str, Any]:  # noqa: N803 - botocore's name
        require_parser_call({"Payload": Payload, **parameters}, isolated=self._isolated)
        connection = HTTPConnection("127.0.0.1", self._function.port)
        connection.request("POST", _PATH, Payload)
        response = connection.getresponse()
        content = response.read()
        connection.close()
        failed = response.status != _OK or b'"errorType"' in content
        return {"Payload": BytesIO(content), **({"FunctionError": "Unhandled"} if failed else {})}


@contextmanager
def running(
    built: Mapping[str, Artifact], isolation: ParserIsolation, **settings: str
) -> Generator[tuple[Parser, Function]]:
    """The parser of one tenant, and the function that it calls."""
    artifact = built["ParserFunction"]
    layers = [built[layer].folder for layer in artifact.layers]
    try:
        with bucket() as (account, opened):
            variables = {"AWS_ENDPOINT_URL": account.url, "GROUNDWIRE_PARSER_ISOLATION": isolation.value, **settings}
            with lambda_runtime.running(artifact.folder, layers, variables, artifact.handler) as function:
                client = cast("Any", EmulatedLambda(function, isolation))
                parsers = FunctionParsers(client, FUNCTION, isolation, opened, ())
                yield parsers.for_tenant("t_a"), function
    except Absent as absent:
        answer(absent)


def processes(log: Path) -> tuple[int, int]:
    """Return the numbers of the function's processes that started and that ended."""
    text = log.read_text(encoding="utf-8")
    return text.count(_START), text.count(_END)


def read(parser: Parser, number: int) -> str:
    (block,) = parser.parse(f"Text {number}.".encode(), "txt").blocks
    return block.text


def test_with_environments_of_each_tenant_one_process_reads_all_documents(built: Mapping[str, Artifact]) -> None:
    with running(built, ParserIsolation.TENANT) as (parser, function):
        assert [read(parser, number) for number in range(3)] == ["Text 0.", "Text 1.", "Text 2."]
        with pytest.raises(DocumentRefused, match=r"not a valid \.pdf"):
            parser.parse(b"%PDF-1.7\nno page\n", "pdf")
        assert processes(function.log) == (1, 0)


def test_without_them_the_process_ends_after_each_document_and_every_result_is_delivered(
    built: Mapping[str, Artifact],
) -> None:
    with running(built, ParserIsolation.ENVIRONMENT) as (parser, function):
        assert [read(parser, number) for number in range(3)] == ["Text 0.", "Text 1.", "Text 2."]
        with pytest.raises(DocumentRefused, match=r"not a valid \.pdf"):
            parser.parse(b"%PDF-1.7\nno page\n", "pdf")
        assert processes(function.log) == (4, 4)


def test_a_report_of_the_confinement_ends_no_process(built: Mapping[str, Artifact]) -> None:
    with running(built, ParserIsolation.ENVIRONMENT) as (_, function):
        reports = [cast("dict[str, Any]", function.invoke(dict(PROBE))) for _ in range(2)]
        assert [report["isolation"] for report in reports] == ["environment", "environment"]
        assert processes(function.log) == (1, 0)


def test_a_function_without_the_data_of_its_languages_is_broken_at_the_first_document(
    built: Mapping[str, Artifact],
) -> None:
    with (
        running(built, ParserIsolation.TENANT, GROUNDWIRE_OCR="xxx") as (parser, _),
        pytest.raises(ParserBroken, match="does not start"),
    ):
        read(parser, 0)
