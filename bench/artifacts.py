"""The built functions as Lambda runs them: `python -m bench.artifacts [--starts N] [--calls N] [--json]`.

Every function of the template is built by its makefile for this machine and run by AWS's own client of the runtime
under AWS's own emulator, with the services of a deployed stack. Each stands beside a handler that returns at once.
"""

import argparse
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Final

from bench.machine import this_machine
from bench.report import Figures, Goal, Report
from groundwire.entry.cli.sample_events.event_files import sample_events
from tests.support.aws.deployment import lambda_function
from tests.support.aws.deployment.artifacts import Artifact, build
from tests.support.aws.deployment.stack import deploy, parameters
from tests.support.engines import lambda_runtime, ministack
from tests.support.engines.lambda_runtime import Function

CORE_MB: Final = 60.0
PARSER_MB: Final = 200.0
PARSER: Final = "ParserFunction"
EVENTS: Final[Mapping[str, str]] = {
    "AuthorizerFunction": "authorizer",
    "McpFunction": "tools_list",
    "ApiFunction": "api",
    "IngestionFunction": "ingestion",
    PARSER: "parser",
    "OperatorFunction": "operator",
    "SourcesFunction": "sources",
}
"""A sample event for each function; each is answered, be it by a refusal, without the index."""
_NO_INDEX: Final = "http://127.0.0.1:9"
_TRIVIAL: Final = "a handler that returns at once"
_HANDLER: Final = "def handler(event, context):\n    return {}\n"

Start = Callable[[], AbstractContextManager[Function]]


@dataclass(frozen=True, slots=True)
class Times:
    """Milliseconds from outside: of a fresh environment's first answer, and of a later one."""

    cold: float
    warm: float


def times(start: Start, event: object, starts: int, calls: int) -> Times:
    """Medians over so many environments and over so many calls of each."""
    cold: list[float] = []
    warm: list[float] = []
    for _ in range(starts):
        with start() as function:
            cold.append(_ms(function, event))
            warm.extend(_ms(function, event) for _ in range(calls))
    return Times(median(cold), median(warm))


def megabytes(folder: Path) -> float:
    """Return the unpacked size of all files in the folder and its subfolders."""
    return sum(file.stat().st_size for file in folder.rglob("*") if file.is_file()) / 1e6


def run(starts: int, calls: int) -> Report:
    """Builds, deploys, measures."""
    machine = this_machine()
    artifacts = build()
    with TemporaryDirectory(prefix="groundwire-bench-") as made, ministack.running() as account:
        code = Path(made)
        (code / "app.py").write_text(_HANDLER, encoding="utf-8")
        measured = {_TRIVIAL: times(partial(lambda_runtime.running, code), {}, starts, calls)}
        stack = deploy(account, artifacts.values(), parameters(_NO_INDEX))
        for name, event in EVENTS.items():
            reported = lambda_function.variables(account, stack, name)
            start = partial(lambda_function.function, account, artifacts, name, reported)
            measured[name] = times(start, sample_events()[event], starts, calls)
    return Report(
        "The built functions under Lambda's runtime",
        machine,
        {"starts": starts, "calls": calls},
        _goals(artifacts),
        [_timing(measured), _sizes(artifacts)],
        ["Built for this machine's Python and processor; `sam build` builds for Lambda's (`make test` judges those)."],
    )


def _ms(function: Function, event: object) -> float:
    started = perf_counter()
    function.invoke(event)
    return 1e3 * (perf_counter() - started)


def _goals(artifacts: Mapping[str, Artifact]) -> list[Goal]:
    functions = [artifact for artifact in artifacts.values() if artifact.handler]
    core = max(_unpacked(artifacts, one) for one in functions if one.logical_id != PARSER)
    parser = _unpacked(artifacts, artifacts[PARSER])
    return [
        Goal("largest of the other functions, with its layers", core, "MB", "", CORE_MB),
        Goal("parser function, with its layers", parser, "MB", "", PARSER_MB),
    ]


def _unpacked(artifacts: Mapping[str, Artifact], function: Artifact) -> float:
    return sum(megabytes(artifacts[name].folder) for name in (function.logical_id, *function.layers))


def _timing(measured: Mapping[str, Times]) -> Figures:
    anchor = measured[_TRIVIAL]
    rows = [
        (name, found.cold, found.cold / anchor.cold, found.warm, found.warm / anchor.warm)
        for name, found in measured.items()
    ]
    return Figures("Time to the answer", ("function", "cold ms", "x trivial", "warm ms", "x trivial"), rows, 1)


def _sizes(artifacts: Mapping[str, Artifact]) -> Figures:
    rows = [(name, megabytes(artifact.folder)) for name, artifact in sorted(artifacts.items())]
    return Figures("Unpacked", ("artifact", "MB"), rows, 1)


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--starts", type=int, default=5)
    arguments.add_argument("--calls", type=int, default=50)
    arguments.add_argument("--json", action="store_true")
    chosen = arguments.parse_args()
    run(chosen.starts, chosen.calls).show(as_json=chosen.json)


if __name__ == "__main__":
    main()
