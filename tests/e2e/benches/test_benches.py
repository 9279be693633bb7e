"""Every bench runs, at a small size: no figure is judged here, only that there is one."""

import json
import sys
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from bench import (
    artifacts,
    dialects,
    first_answer,
    ingestion,
    object_events,
    rag_search,
    scale,
    soak,
    sources,
    subqueries,
    two_processes,
    watched,
)
from bench.fair import __main__ as fair
from bench.fair.hogs import KINDS, Response
from bench.machine import this_machine
from bench.protocol import __main__ as protocol
from bench.protocol.program import Program, ours
from bench.report import Figures, Goal, Report
from bench.server import ROOT
from bench.stopwatch import Stopwatch
from groundwire.dialects import DIALECTS
from groundwire_model_builder.install.builder import build_model
from groundwire_model_builder.install.published_weights import ALL_MINILM_L6_V2
from tests.support.engines.missing import Absent, answer
from tests.support.entry.mcp_servers.recording_server import recording_server
from tests.support.entry.mcp_servers.scripted_server import Script, text_result


@pytest.fixture(scope="module", autouse=True)
def _model() -> None:  # pyright: ignore[reportUnusedFunction]
    """The benches measure the real model."""
    build_model(ROOT / ".cache" / "models" / ALL_MINILM_L6_V2.name, lambda _step, _fraction: None)


@pytest.mark.parametrize("is_contract", [False, True])
def test_the_bench_of_rag_search_measures_calls_that_a_tenth_of_the_segments_may_answer(
    tmp_path: Path, *, is_contract: bool
) -> None:
    report = rag_search.run(tmp_path, segments=400, calls=2, seed=7, is_contract=is_contract)

    assert report.setting["filter admits"] == "10.0%"
    assert all(goal.measured > 0 for goal in report.goals[:1])
    by_stage = {stage: max(series) for stage, *series in report.figures[1].rows}
    assert all(by_stage[stage] > 0 for stage in (rag_search.HTTP, *watched.CALL_STAGES))


def test_the_bench_of_dialects_measures_what_each_takes_beside_the_search(tmp_path: Path) -> None:
    report = dialects.run(tmp_path, segments=400, calls=2, seed=7)

    assert len(report.goals) == sum(each.replay is not None for each in DIALECTS)
    assert all(figure > 0 for _, *series in report.figures[0].rows for figure in series)


def test_the_bench_of_sources_measures_a_call_beside_that_of_the_source_in_both_eras(tmp_path: Path) -> None:
    tool = {"name": "search", "inputSchema": {"type": "object"}}
    script = Script(pages=[[tool]], call=lambda _: text_result("In hall 4."))

    @contextmanager
    def source() -> Generator[int]:
        with recording_server(None, script) as server:
            yield server.port

    report = sources.run(tmp_path, 3, source)

    assert [goal.what.partition(":")[0] for goal in report.goals] == ["stateless", "handshake"]
    by_name = {name: series for name, *series in report.figures[0].rows}
    assert all(figure > 0 for name, series in by_name.items() if "difference" not in name for figure in series)


# A hog of each way to the server: a tool, a route, an upload form, a link, and an open connection.
@pytest.mark.parametrize("kind", ["a huge source", "evaluations", "uploads", "links", "connections"])
def test_the_bench_of_fairness_measures_others_at_rest_and_beside_a_hog(tmp_path: Path, kind: str) -> None:
    report = fair.run(tmp_path, calls=2, only=kind)

    assert [goal.what for goal in report.goals] == [f"{kind}: median", f"{kind}: p99", f"{kind}: refused"]
    assert [row[0] for row in report.figures[0].rows] == [
        f"{kind}, {user}" for user in ("same tenant", "same key", "other tenant")
    ]
    assert all(figure > 0 for _, *series in report.figures[0].rows for figure in series)


def test_the_bench_of_fairness_has_a_hog_of_the_dearest_calls_of_each_dialect() -> None:
    compared = [dialect.name for dialect in DIALECTS if dialect.replay is not None]
    assert sorted(kind.removeprefix("dearest calls, ") for kind in KINDS if kind.startswith("dearest")) == sorted(
        compared
    )


def test_the_soak_counts_calls_revocations_and_uploads_across_a_restart(tmp_path: Path) -> None:
    report = soak.run(tmp_path, minutes=0.1, agents=2, lives=2)

    goals = {goal.what: goal for goal in report.goals}
    assert goals["errors"].measured == goals["calls admitted after a revocation"].measured == 0
    assert goals["revocations or uploads missing"].met
    assert len(report.figures[1].rows) == 2


def test_the_soak_counts_a_refusal_without_retry_after_as_an_error() -> None:
    counts = soak.Counts(port=1)
    counts.call(lambda _: Response(503, headers={"retry-after": "1"}))
    counts.call(lambda _: Response(503))
    counts.call(lambda _: Response(500, headers={"retry-after": "1"}))

    assert counts.errors == {503: 1, 500: 1}


def test_the_slope_of_memory_counts_the_later_half_of_a_life() -> None:
    growing = [(0.0, 10.0), (30.0, 90.0), (60.0, 91.0), (90.0, 92.0), (120.0, 93.0)]

    assert soak.slope(growing) == pytest.approx(2.0)


def test_the_bench_of_subqueries_measures_them_together_and_alone_in_one_run(tmp_path: Path) -> None:
    report = subqueries.run(tmp_path, segments=400, calls=2, seed=7, questions=3)

    assert [goal.measured > 0 for goal in report.goals] == [True, True, True]
    taken = {stage: figures[0] for stage, *figures in report.figures[0].rows}
    assert min(taken.values()) > 0
    assert taken["its queries one after another"] > taken["slowest query alone"]


def test_the_benches_of_scale_measure_a_home_that_is_filled_once(tmp_path: Path) -> None:
    report = scale.run(tmp_path, segments=400, policies=200, calls=2, seed=7)
    beside = two_processes.run(tmp_path, calls=2, seed=7)

    assert all(goal.measured > 0 for goal in report.goals[:6])
    assert all(figure > 0 for _, *series in report.figures[0].rows for figure in series)
    assert all(goal.measured > 0 for goal in beside.goals)


def test_the_bench_of_the_protocol_measures_us_cold_and_warm_and_names_what_we_import(tmp_path: Path) -> None:
    beside = ours(tmp_path, more={"LC_ALL": "C"})
    report = protocol.run(tmp_path, [replace(beside, name="beside")], None, round_trips=1, calls=50)

    assert [goal.measured > 0 for goal in report.goals] == [True, True, True]
    cold = {name: figures for name, *figures in report.figures[0].rows}
    assert min(cold["groundwire"]) > cold["Python alone"][0] > 0
    assert len(report.figures[-1].rows) == protocol.SHOWN_IMPORTS


def test_the_bench_of_the_built_functions_measures_each_beside_one_that_does_nothing() -> None:
    try:
        report = artifacts.run(starts=1, calls=2)
    except Absent as absent:
        answer(absent)
    times = {name: figures for name, *figures in report.figures[0].rows}
    assert set(artifacts.EVENTS) < times.keys()
    assert all(cold >= 1 for _, cold, _, _ in times.values())
    assert all(goal.measured > 1 for goal in report.goals)


def test_the_bench_of_object_events_ends_as_if_no_process_had_been_killed(tmp_path: Path) -> None:
    try:
        report = object_events.run(tmp_path, documents=20, stretch=10, kills=1, embedder="words", seed=7)
    except Absent as absent:
        answer(absent)
    assert report.setting["processes killed"] == 1
    assert next(goal.measured for goal in report.goals if "kills" in goal.what) == 0
    assert all(figure > 0 for _, *figures in report.figures[0].rows for figure in figures)


def test_the_bench_of_ingestion_embeds_the_very_texts_that_were_ingested(tmp_path: Path) -> None:
    (tmp_path / "note.md").write_text("# Pumps\n\nThe blue pump takes 40 litres an hour.\n")
    report = ingestion.run(tmp_path / "bench", [tmp_path / "note.md"], documents=0, turns=1, seed=7)

    assert (report.setting["files"], report.setting["texts embedded"]) == (1, 1)
    assert all(figure > 0 for figures in report.figures for _, figure in figures.rows)
    assert report.goals[1].measured > 0


def test_a_start_that_does_not_answer_is_not_taken_for_a_fast_one() -> None:
    silent = Program("silent", (sys.executable, "-c", ""), ("list",), {})

    with pytest.raises(RuntimeError, match="silent did not answer list"):
        silent.cold_ms("list")


def test_the_bench_of_the_second_start_states_where_a_start_spends_its_time(tmp_path: Path) -> None:
    by_stage = dict(first_answer.stages(tmp_path / "home", tmp_path / "stages.json"))

    assert all(by_stage[stage] > 0 for stage in watched.START_STAGES)
    assert sum(by_stage.values()) == pytest.approx(2 * by_stage["all"])


def test_a_stage_is_timed_without_the_stages_inside_it() -> None:
    stopwatch = Stopwatch(iter([0.0, 2.0, 5.0, 6.0]).__next__)

    with stopwatch.stage("outer"), stopwatch.stage("inner"):
        pass

    assert stopwatch.calls == [{"inner": 3.0, "outer": 3.0}]


def test_a_report_states_which_goals_were_missed(capsys: pytest.CaptureFixture[str]) -> None:
    goals = [Goal("fast", 1.0, "s", "anchor 2 s", 3.0), Goal("slow", 4.0, "s", "anchor 2 s", 3.0)]
    found = Report("bench", this_machine(), {}, goals, [Figures("table", ("what", "ms"), [("step", 1.25)])], ["note"])

    found.show(as_json=True)
    document = json.loads(capsys.readouterr().out)
    found.show(as_json=False)
    shown = capsys.readouterr().out

    assert [goal["met"] for goal in document["goals"]] == [True, False]
    assert document["tables"][0]["rows"] == [{"what": "step", "ms": 1.25}]
    assert shown.count("met") == shown.count("missed") == 1
