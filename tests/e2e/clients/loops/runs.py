"""One agent's runs, case by case: its script, in its environment, against the server and a scripted model."""

import json
import os
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from time import monotonic
from typing import Any, Final

from tests.e2e.clients.environments import ROOT, environment, interpreter
from tests.e2e.clients.loops.cases import QUESTION, Case, Company
from tests.e2e.clients.loops.catalogue import Loop
from tests.e2e.clients.loops.model_server import Request, ScriptedModel, scripted_model
from tests.e2e.clients.relay import Exchange, Relay, relayed
from tests.support.engines.installers.node import NODE

_SCRIPTS: Final = Path(__file__).parent / "scripts"
_RUNS_S: Final = 180
_WORDS_OF_A_CRASH: Final = 3_000
_KEPT_FROM_SCRIPTS: Final = (
    *("GROUNDWIRE_", "COV_", "COVERAGE", "PYTEST", "PYTHON", "VIRTUAL_ENV", "NODE_", "npm_", "AI_SDK"),
    *("OPENAI_", "ANTHROPIC_", "LANGCHAIN_", "LANGSMITH_", "POWERTOOLS_"),
)


@dataclass(frozen=True, slots=True)
class Run:
    """One run of an agent, from the question to its final answer.

    Attributes:
        raised: the error that ended it; empty when it went on to the model's last words.
        requests: the bodies that the model was sent, in order.
        reply: the server's answer to the call of the tool: `result` or `error`; None when it was not asked.
    """

    case: Case
    stated: str
    raised: str
    requests: Sequence[Request]
    reply: Mapping[str, Any] | None


@dataclass(frozen=True, slots=True)
class Runs:
    """Return the results of all cases."""

    loop: Loop
    runs: Mapping[str, Run]
    seconds: float


def run_loop(loop: Loop, company: Company, home: Path) -> Runs:
    """Run the agent in every case, with `home` as the folder of its user.

    Raises:
        Absent: the library cannot be had here.
    """
    command = _command(loop, environment(loop.environment))
    cases = {_word(case): case for case in company.cases}
    with ExitStack() as stack:
        model = stack.enter_context(scripted_model({word: case.call for word, case in cases.items()}))
        relays = {
            word: stack.enter_context(relayed(company.url, case.headers_of_calls)) for word, case in cases.items()
        }
        began = monotonic()
        task = [_task(loop, word, case, f"{relays[word].address}{company.path}", model) for word, case in cases.items()]
        reported = _reported(command, task, home)
        seconds = monotonic() - began
        runs = (_run(case, reported.get(word), model.requests[word], relays[word]) for word, case in cases.items())
        return Runs(loop, {run.case.name: run for run in runs}, seconds)


def _word(case: Case) -> str:
    return case.name.replace(" ", "-")


def _task(loop: Loop, word: str, case: Case, url: str, model: ScriptedModel) -> dict[str, Any]:
    requested = {"name": word, "mode": loop.mode, "question": QUESTION}
    return {**requested, "url": url, "headers": case.headers, "model_url": model.address(word)}


def _run(case: Case, reported: Mapping[str, str] | None, requests: Sequence[Request], relay: Relay) -> Run:
    ended = reported or {"said": "", "raised": "the script ended before this case"}
    calls = [exchange for exchange in relay.exchanges if exchange.message.get("method") == "tools/call"]
    return Run(case, ended["said"], ended["raised"], requests, _reply(calls[-1]) if calls else None)


def _reply(exchange: Exchange) -> Mapping[str, Any]:
    """Return the JSON-RPC response, which is the last message where others precede it as events."""
    lines = exchange.answer.decode().splitlines()
    events = [line.removeprefix("data:") for line in lines if line.startswith("data:")]
    return dict(json.loads(events[-1] if events else exchange.answer))


def _command(loop: Loop, folder: Path) -> list[str]:
    script = _SCRIPTS / loop.script
    if script.suffix == ".mjs":
        # Node looks for packages from where a module lies.
        return [str(NODE), str(shutil.copy(script, folder / script.name))]
    return [str(interpreter(folder)), "-m", f"tests.e2e.clients.loops.scripts.{script.stem}"]


def _reported(command: list[str], task: list[dict[str, Any]], home: Path) -> dict[str, dict[str, str]]:
    """Return the reports of the script, by the name of the case."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(_KEPT_FROM_SCRIPTS)}
    own = {"HOME": str(home), "PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "1", "DO_NOT_TRACK": "1"}
    options: dict[str, Any] = {"env": kept | own, "cwd": home, "text": True, "capture_output": True}
    try:
        done = subprocess.run(command, input=json.dumps(task), timeout=_RUNS_S, check=False, **options)
    except subprocess.TimeoutExpired:
        return _crash(task, f"hangs: has told nothing after {_RUNS_S} s")
    if done.returncode:
        return _crash(task, f"crashed with {done.returncode}: {done.stderr[-_WORDS_OF_A_CRASH:]}")
    reported = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
    return {each["name"]: each for each in reported}


def _crash(task: list[dict[str, Any]], problem: str) -> dict[str, dict[str, str]]:
    return {each["name"]: {"said": "", "raised": problem} for each in task}
