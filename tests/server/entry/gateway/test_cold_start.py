"""A start in Lambda goes without the garbage collector, once, and on a machine of one's own it is left alone."""

import gc
from collections.abc import Iterator

import pytest

from groundwire.entry.runtime.cold_start import load_handler


@pytest.fixture(autouse=True)
def _collector() -> Iterator[None]:  # pyright: ignore[reportUnusedFunction]
    yield
    gc.unfreeze()
    gc.enable()


def test_in_a_function_the_collector_rests_until_the_first_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AWS_LAMBDA_FUNCTION_NAME", "mcp")
    handler = load_handler("tests.server.entry.gateway.echo_handler")
    assert not gc.isenabled()

    assert handler({"n": 1}, None) == ({"n": 1}, False)
    assert gc.isenabled()
    assert gc.get_freeze_count() > 0
    assert handler({"n": 2}, None) == ({"n": 2}, True)


def test_a_first_call_that_breaks_wakes_it_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AWS_LAMBDA_FUNCTION_NAME", "mcp")
    handler = load_handler("tests.server.entry.gateway.echo_handler")

    with pytest.raises(KeyError):
        handler({}, None)
    assert gc.isenabled()


def test_the_collector_stays_on_in_other_functions(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("AWS_LAMBDA_FUNCTION_NAME", raising=False)
    handler = load_handler("tests.server.entry.gateway.echo_handler")

    assert gc.isenabled()
    assert handler({"n": 1}, None) == ({"n": 1}, True)
