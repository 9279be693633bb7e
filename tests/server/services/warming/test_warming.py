"""Discovery wakes what a first search needs: beside the answer, which neither waits for it nor fails with it."""

import itertools
import json
import threading
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import pytest

from groundwire.domain.errors import Unavailable
from groundwire.entry.runtime.telemetry import Telemetry
from groundwire.entry.runtime.warm_up import WarmUp

TIMEOUT_S = 30
_NUMBERS = itertools.count()
INITIALIZE = json.dumps({"method": "initialize"}).encode()
SEARCH = json.dumps({"method": "tools/call"}).encode()


class Sleeper:
    """Part that finishes its warm-up when a test allows it."""

    def __init__(self, problem: BaseException | None = None) -> None:
        self.requested: list[str | None] = []
        self.started = threading.Event()
        self.may_wake = threading.Event()
        self.awake = threading.Event()
        self._problem = problem

    def __call__(self, tenant: str | None) -> None:
        self.requested.append(tenant)
        self.started.set()
        assert self.may_wake.wait(TIMEOUT_S)
        self.awake.set()
        if self._problem is not None:
            raise self._problem


@pytest.fixture
def sleepers() -> Iterator[list[Sleeper]]:
    made = [Sleeper(), Sleeper()]
    yield made
    for each in made:
        each.may_wake.set()
        if each.started.is_set():
            assert each.awake.wait(TIMEOUT_S)


def warming(sleepers: Sequence[Callable[[str | None], None]], clock: Callable[[], float] = lambda: 0.0) -> WarmUp:
    return WarmUp(lambda: sleepers, telemetry(), clock)


def telemetry() -> Telemetry:
    """Of a service of its own: the library keeps the output of each service's first logger."""
    return Telemetry(f"warming-{next(_NUMBERS)}")


def quiet_end() -> None:
    """No thread of a warm-up is left."""
    for thread in [each for each in threading.enumerate() if each.name == "warming"]:
        thread.join(TIMEOUT_S)


@pytest.mark.parametrize("method", ["initialize", "tools/list", "server/discover"])
def test_parts_wake_in_parallel_beside_a_discovery_call_and_its_answer_does_not_wait(
    sleepers: list[Sleeper], method: str
) -> None:
    with warming(sleepers).during_call(json.dumps({"method": method}).encode(), "t_1"):
        # Both have begun and neither may wake before the block has ended.
        assert all(each.started.wait(TIMEOUT_S) for each in sleepers)

    assert not any(each.awake.is_set() for each in sleepers)
    assert [each.requested for each in sleepers] == [["t_1"], ["t_1"]]


def test_making_what_wakes_them_is_not_waited_for_either() -> None:
    requested, may_make = threading.Event(), threading.Event()

    def make() -> Sequence[Callable[[str | None], None]]:
        requested.set()
        assert may_make.wait(TIMEOUT_S)
        return ()

    with WarmUp(make, telemetry()).during_call(INITIALIZE, "t_1"):
        assert requested.wait(TIMEOUT_S)
    may_make.set()
    quiet_end()


def test_an_environment_warms_once_a_minute(sleepers: list[Sleeper]) -> None:
    now = [0.0]
    beside = warming(sleepers, lambda: now[0]).during_call
    for sleeper in sleepers:
        sleeper.may_wake.set()

    for moment in (0.0, 1.0, 59.9, 60.0, 61.0):
        now[0] = moment
        with beside(INITIALIZE, "t_1"):
            pass
        quiet_end()

    assert [len(each.requested) for each in sleepers] == [2, 2]


def test_a_schedule_waits_until_all_is_awake_or_has_failed(sleepers: list[Sleeper]) -> None:
    for sleeper in sleepers:
        sleeper.may_wake.set()
    failing = Sleeper(Unavailable("The index sleeps."))
    failing.may_wake.set()

    warming([*sleepers, failing]).run()

    assert all(each.awake.is_set() for each in (*sleepers, failing))
    assert [each.requested for each in sleepers] == [[None], [None]]


def test_other_calls_wake_nothing(sleepers: list[Sleeper]) -> None:
    with warming(sleepers).during_call(SEARCH, "t_1"):
        pass
    assert not any(each.started.is_set() for each in sleepers)


@pytest.mark.parametrize("problem", [Unavailable("The index sleeps."), RuntimeError("a defect"), KeyError("x")])
def test_a_part_that_fails_harms_neither_the_answer_nor_the_other_part(
    problem: Exception, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("POWERTOOLS_LOG_LEVEL", "INFO")
    failing, other = Sleeper(problem), Sleeper()
    failing.may_wake.set()
    other.may_wake.set()

    with warming([failing, other]).during_call(INITIALIZE, "t_1"):
        pass
    quiet_end()

    assert failing.awake.is_set()
    assert other.awake.is_set()
    (line,) = capsys.readouterr().out.splitlines()
    reported: dict[str, Any] = json.loads(line)
    assert reported["level"] == ("INFO" if isinstance(problem, Unavailable) else "ERROR")


def test_what_cannot_even_be_made_harms_no_answer(capsys: pytest.CaptureFixture[str]) -> None:
    def make() -> Sequence[Callable[[str | None], None]]:
        raise ImportError("no such library")

    with WarmUp(make, telemetry()).during_call(INITIALIZE, "t_1"):
        pass
    quiet_end()
    assert "nothing could be warmed" in capsys.readouterr().out


def test_an_error_of_the_call_itself_goes_its_way(sleepers: list[Sleeper]) -> None:
    with pytest.raises(ValueError, match="of the call"), warming(sleepers).during_call(INITIALIZE, "t_1"):
        raise ValueError("of the call")
    assert all(each.started.wait(TIMEOUT_S) for each in sleepers)
