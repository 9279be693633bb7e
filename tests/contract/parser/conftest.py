from collections.abc import Callable, Generator
from contextlib import AbstractContextManager, contextmanager

import pytest

from groundwire.adapters.parse import ConfinedParser, ParserLimits
from groundwire.ports import Parsers
from tests.support.aws.parser_stack import Lambda, bucket, function_parsers, parser_function
from tests.support.engines.missing import Absent, answer

Place = Callable[[], AbstractContextManager[Parsers]]


@contextmanager
def worker() -> Generator[Parsers]:
    with ConfinedParser(ParserLimits()) as parser:
        yield parser


@contextmanager
def function() -> Generator[Parsers]:
    """The handler of the function in this process, its bucket in an emulator."""
    with bucket() as (account, opened), parser_function(account) as handler:
        yield function_parsers(opened, Lambda(handler))


PLACES: dict[str, Place] = {"worker": worker, "function": function}


@pytest.fixture(scope="module", params=PLACES)
def parsers(request: pytest.FixtureRequest) -> Generator[Parsers]:
    try:
        with PLACES[str(request.param)]() as opened:
            yield opened
    except Absent as absent:
        answer(absent)
