"""Agents over Chat Completions call each tool of Foundry Local's route, and their models read the answers.

`make clients` runs all of them; with the tests runs one that is small to install.
"""

from dataclasses import replace
from pathlib import Path

from groundwire.dialects import FOUNDRY
from tests.e2e.clients.loops.foundry import FOUNDRY_LOOPS, TOOL_CALLS, findings_of, open_foundry
from tests.e2e.clients.loops.runs import Runs, run_loop
from tests.support.engines.missing import Absent, answer


def test_an_agent_calls_each_of_the_six_tools_and_its_model_reads_the_answer(tmp_path: Path) -> None:
    [small] = [loop for loop in FOUNDRY_LOOPS if loop.name == "AI SDK, Chat Completions"]
    (tmp_path / "agent").mkdir()
    with open_foundry(tmp_path) as company:
        try:
            runs = run_loop(small, company, tmp_path / "agent")
        except Absent as absent:
            answer(absent)
    assert tuple(runs.runs) == FOUNDRY.tool_names
    assert not any(findings_of(runs).values())
    # A run whose model was fed something else does not pass.
    spoilt = {name: replace(run, requests=run.requests[:1]) for name, run in runs.runs.items()}
    assert all(findings_of(Runs(small, spoilt, 0.0)).values())


def test_every_tool_is_called() -> None:
    assert tuple(call.tool for call in TOOL_CALLS) == FOUNDRY.tool_names
    assert {loop.package for loop in FOUNDRY_LOOPS} == {"langchain", "openai-agents", "ai", "pydantic-ai-slim"}
