"""Plugin of pytest: suites whose proof holds are not collected; each suite that passes leaves a proof.

`python -m pytest -p tests.support.plugins.proofs.plugin` uses it, as `make check` does; without it every suite runs.
"""

import os
import time
from collections.abc import Callable, Generator, Sequence
from pathlib import Path
from typing import Any, Final

import pytest

from tests.support.plugins.proofs.inputs import Checkout, modules_above
from tests.support.plugins.proofs.recorder import Record, Recorder
from tests.support.plugins.proofs.store import Proofs

_PACKAGES: Final = ("groundwire", "tests", "bench", "samples", "functions")
_KEY: Final = "proven suites"


_RECORDER: Final = pytest.StashKey[Recorder]()


@pytest.hookimpl(tryfirst=True)
def pytest_load_initial_conftests(early_config: pytest.Config) -> None:
    """Record from here on: before any module is loaded whose imports count."""
    early_config.stash[_RECORDER] = Recorder(early_config.rootpath, _PACKAGES)
    early_config.stash[_RECORDER].start()


def pytest_configure(config: pytest.Config) -> None:
    """Decide which suites are proven, or take what the process that distributes the tests decided."""
    known: dict[str, Any] = getattr(config, "workerinput", {})
    plugin = ProofPlugin(config.stash[_RECORDER], config.rootpath, known.get(_KEY), config.args)
    config.pluginmanager.register(plugin)


def pytest_unconfigure(config: pytest.Config) -> None:
    """Remove what the programs of the suites wrote."""
    config.stash[_RECORDER].stop()


class ProofPlugin:
    """Skipping and proving of suites in one process; the process that distributes tests only decides what to skip."""

    def __init__(self, recorder: Recorder, root: Path, proven: Sequence[str] | None, arguments: Sequence[str]) -> None:
        self._root = root
        self._recorder = recorder
        self._started_at = time.time()
        # What the proofs themselves read is no input.
        with recorder.recording(Record()):
            self._checkout = Checkout(root)
            self._proofs = Proofs(self._checkout)
            self.proven = self._find_proven() if proven is None else frozenset(proven)
        self._suite, self._passed = "", True
        self._is_whole = not any("::" in each for each in arguments)
        self._records: dict[str, Record] = {}
        self._fixtures: dict[tuple[str, str], Record] = {}
        fixture: Any = pytest.FixtureDef
        fixture.execute = self._counting_shared_fixtures(fixture.execute)

    @pytest.hookimpl(optionalhook=True)
    def pytest_configure_node(self, node: Any) -> None:
        """Tell a process that runs tests which suites are proven."""
        node.workerinput[_KEY] = sorted(self.proven)

    def pytest_ignore_collect(self, collection_path: Path) -> bool | None:
        """Leave out a proven suite."""
        return True if os.path.relpath(collection_path, self._root) in self.proven else None

    @pytest.hookimpl(wrapper=True)
    def pytest_make_collect_report(self, collector: pytest.Collector) -> Generator[None, object, object]:
        """Record what decides which tests a suite has."""
        if not isinstance(collector, pytest.Module):
            return (yield)
        with self._recorder.recording(self._record_of(os.path.relpath(collector.path, self._root))):
            return (yield)

    def pytest_deselected(self) -> None:
        """Prove nothing in a run that leaves tests of its suites out."""
        self._is_whole = False

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_protocol(
        self, item: pytest.Item, nextitem: pytest.Item | None
    ) -> Generator[None, object, object]:
        """Record a test; after the last one of its suite, keep the proof."""
        suite = os.path.relpath(item.path, self._root)
        if suite != self._suite:
            self._suite, self._passed = suite, True
        with self._recorder.recording(self._record_of(suite)):
            result = yield
        if nextitem is None or nextitem.path != item.path:
            with self._recorder.recording(Record()):
                self._prove()
        return result

    @pytest.hookimpl(wrapper=True, trylast=True)
    def pytest_runtest_teardown(self, item: pytest.Item, nextitem: pytest.Item | None) -> Generator[None]:
        """Fail the last test of a suite that opened a file which is no input: a change of it would be overlooked."""
        yield
        if nextitem is None or nextitem.path != item.path:
            with self._recorder.recording(Record()):
                whole = self._recorder.whole(self._record_of(self._suite), modules_above(self._suite))
                names = self._checkout.undeclared(whole)
            if names:
                pytest.fail(f"{self._suite} opens files that git ignores: {', '.join(names)}", pytrace=False)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(self) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        """Take a test that failed, or was left out for want of an engine, as no proof."""
        report = yield
        expected = hasattr(report, "wasxfail")
        self._passed &= report.passed or expected
        return report

    @pytest.hookimpl(wrapper=True)
    def pytest_fixture_setup(self, fixturedef: pytest.FixtureDef[Any]) -> Generator[None, object, object]:
        """Record a fixture that several suites share by itself: it is set up once, in the first of them."""
        if fixturedef.scope != "session":
            return (yield)
        record = self._fixtures[fixturedef.argname, fixturedef.baseid] = Record()
        with self._recorder.recording(record):
            return (yield)

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Say what was skipped."""
        terminalreporter.write_line(f"{len(self.proven)} suites passed before with the same inputs and were skipped.")

    def _counting_shared_fixtures(self, execute: Callable[..., object]) -> Callable[..., object]:
        """Return the use of a fixture, which counts what a shared one depends on for each suite that uses it."""

        def use(fixture: pytest.FixtureDef[Any], request: pytest.FixtureRequest) -> object:
            try:
                return execute(fixture, request)
            finally:
                if record := self._fixtures.get((fixture.argname, fixture.baseid)):
                    self._record_of(self._suite).shared.add(record)

        return use

    def _find_proven(self) -> frozenset[str]:
        suites = (os.path.relpath(each, self._root) for each in (self._root / "tests").rglob("test_*.py"))
        return frozenset(suite for suite in suites if self._proofs.holds(suite))

    def _record_of(self, suite: str) -> Record:
        return self._records.setdefault(suite, Record())

    def _prove(self) -> None:
        inputs = self._checkout.inputs_of(self._suite, self._record_of(self._suite), self._recorder)
        if self._passed and self._is_whole and not self._changed_meanwhile(inputs):
            self._proofs.add(self._suite, self._checkout.digests(inputs))

    def _changed_meanwhile(self, inputs: set[str]) -> bool:
        """Return whether somebody edited an input during the run: nobody knows which content the tests read."""
        files = {self._root / each for name in inputs for each in self._checkout.files_of(name)}
        return any(each.stat().st_mtime > self._started_at for each in files if each.is_file())
