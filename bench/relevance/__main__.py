"""Relevance and its floor: `python -m bench.relevance SET_FOLDER… --keep TO [--fit] [--svg FILE] [--json]`.

Each set is a folder in BEIR layout; one with `qrels_dev.tsv` is fitted on by these judgements, as the samples are. Of
the others the fit sees what everyday questions and those over the samples find. Their test questions are for the report
alone. `--fit` prints coefficients; without it the product's own are measured. With
`GROUNDWIRE_RERANKER` the reranker's scores are among the signals. `--keep` holds indexes and answers.
"""

import argparse
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Final

import numpy as np

from bench.machine import this_machine
from bench.relevance.asking import answer_from_json
from bench.relevance.collections import DEVELOPMENT, FITTED, answers_of_samples, answers_of_set, collections
from bench.relevance.diagram import Bins, reliability_svg
from bench.relevance.questions import FOREIGN_PER_SET, answered, sample
from bench.relevance.strictness import strictness_table
from bench.report import Figures, Goal, Report
from groundwire import wiring
from groundwire.domain.search.relevance import JUDGED_PASSAGES, MINILM_FITS, WORDS_FIT, RelevanceFit
from groundwire.domain.search.request import SearchMode
from groundwire.services.evaluate.relevance_fit import (
    TOLERATED_LOSS,
    JudgedQuestion,
    QuestionKind,
    best_relevance,
    fit_relevance,
    is_answered,
)

_SAMPLES: Final = "samples"
_BINS: Final = 8
_ROC: Final = (0.005, 0.01, 0.02, 0.04, 0.08)
_WORST_LOSS, _MEAN_LOSS, _WORST_FOREIGN, _MEAN_FOREIGN, _GIBBERISH = 0.04, 0.02, 0.85, 0.92, 0.99

Answers = Mapping[str, Sequence[JudgedQuestion]]


def gather(folders: Sequence[Path], keep: Path, mode: SearchMode) -> dict[str, list[JudgedQuestion]]:
    """Return the answers of every collection, from the folder that keeps them where they are there."""
    answers = keep / "answers" / mode
    answers.mkdir(parents=True, exist_ok=True)
    sets = collections(folders)
    found: dict[str, list[JudgedQuestion]] = {}
    for requested in sets:
        kept = answers / f"{requested.name}.json"
        if not kept.exists():
            _write(kept, answers_of_set(requested, sets, keep, mode))
        found[requested.name] = _read(kept)
    kept = answers / f"{_SAMPLES}.json"
    if not kept.exists():
        development = [answered(each, each / DEVELOPMENT) for each in folders if (each / DEVELOPMENT).is_file()]
        foreign = [question for own in development for question in sample(own, FOREIGN_PER_SET)]
        _write(kept, answers_of_samples(keep, foreign, mode))
    found[_SAMPLES] = _read(kept)
    return found


def _write(path: Path, answers: Sequence[JudgedQuestion]) -> None:
    path.write_text(json.dumps([asdict(each) for each in answers]), encoding="utf-8")


def _read(path: Path) -> list[JudgedQuestion]:
    return [answer_from_json(row) for row in json.loads(path.read_text(encoding="utf-8"))]


def refused(fitted: RelevanceFit, answers: Sequence[JudgedQuestion], kind: QuestionKind) -> float:
    """Return the share of the questions of a class whose answer is empty; NaN where there is none.

    Of answered questions those count that without a floor get a passage that answers.
    """
    found = [best_relevance(fitted, one) < fitted.floor for one in _of_kind(answers, kind)]
    return float(np.mean(found)) if found else float("nan")


def _of_kind(answers: Sequence[JudgedQuestion], kind: QuestionKind) -> list[JudgedQuestion]:
    return [one for one in answers if (is_answered(one) if kind is QuestionKind.ANSWERED else one.kind is kind)]


def reliability(fitted: RelevanceFit, answers: Sequence[JudgedQuestion]) -> Bins:
    """Return bins of equal weight, in which the answered questions weigh as much as all others together."""
    rows = [
        (fitted.chance(each.signals), each.answers, 1.0 if one.kind is QuestionKind.ANSWERED else 0.0)
        for one in answers
        for each in one.passages[:1]
    ]
    own = sum(row[2] for row in rows)
    table = np.array([(c, a, 1 / own if mine else 1 / (len(rows) - own)) for c, a, mine in sorted(rows)])
    edges = np.searchsorted(np.cumsum(table[:, 2]) / table[:, 2].sum(), np.linspace(0, 1, _BINS + 1)[1:-1])
    parts = [part for part in np.split(table, edges) if len(part)]
    means = [(np.average(part[:, :2], axis=0, weights=part[:, 2]), len(part)) for part in parts]
    return [(float(mean[0]), float(mean[1]), number) for mean, number in means]


def roc(fitted: RelevanceFit, answers: Sequence[JudgedQuestion], kind: QuestionKind) -> tuple[float, ...]:
    """Return the share refused of a class at each loss of `_ROC` in the collection itself."""
    kept, other = (
        [best_relevance(fitted, one) for one in _of_kind(answers, each)] for each in (QuestionKind.ANSWERED, kind)
    )
    return tuple(float(np.mean(np.array(other) < np.quantile(kept, loss))) for loss in _ROC)


def _with_own(answers: Answers) -> Answers:
    """Return the collections that have questions of their own."""
    return {name: found for name, found in answers.items() if any(map(is_answered, found))}


def goals_of(fitted: RelevanceFit, answers: Answers) -> list[Goal]:
    """Loss, and what is refused, on the questions that the report is for."""
    reported = {name: found for name, found in answers.items() if not name.endswith(FITTED)}
    loss, foreign, gibberish = (
        [refused(fitted, found, kind) for found in reported.values()]
        for kind in (QuestionKind.ANSWERED, QuestionKind.FOREIGN, QuestionKind.GIBBERISH)
    )
    of = f"{len(reported)} collections"
    return [
        Goal("answered questions lost, worst collection", max(loss), "", of, _WORST_LOSS),
        Goal("answered questions lost, mean", float(np.mean(loss)), "", of, _MEAN_LOSS),
        Goal("other subject let through, worst collection", 1 - min(foreign), "", of, 1 - _WORST_FOREIGN),
        Goal("other subject let through, mean", 1 - float(np.mean(foreign)), "", of, 1 - _MEAN_FOREIGN),
        Goal("gibberish let through, worst collection", 1 - min(gibberish), "", of, 1 - _GIBBERISH),
    ]


def figures_of(fitted: RelevanceFit, answers: Answers, mode: SearchMode) -> list[Figures]:
    """Classes by collection, the ROC, and the reliability."""
    classes = Figures(
        f"{mode}: share of empty answers",
        ("", *QuestionKind),
        [(name, *(refused(fitted, found, kind) for kind in QuestionKind)) for name, found in answers.items()],
        digits=3,
    )
    curves = [
        Figures(
            f"{mode}: {kind} refused, where so many answered questions are lost",
            ("", *(f"{loss:g}" for loss in _ROC)),
            [(name, *roc(fitted, found, kind)) for name, found in _with_own(answers).items()],
            digits=3,
        )
        for kind in (QuestionKind.FOREIGN, QuestionKind.LEFT_OUT)
    ]
    return [classes, *curves]


def product_fit(mode: SearchMode) -> RelevanceFit:
    """Return the fit that the product has."""
    fits = MINILM_FITS
    return {SearchMode.HYBRID: fits.hybrid, SearchMode.SEMANTIC: fits.semantic, SearchMode.LEXICAL: WORDS_FIT}[mode]


def run(folders: Sequence[Path], keep: Path, svg: Path | None, *, refit: bool) -> Report:
    """The whole bench."""
    machine, goals, figures, notes = this_machine(), list[Goal](), list[Figures](), list[str]()
    for mode in (SearchMode.HYBRID, SearchMode.SEMANTIC, SearchMode.LEXICAL):
        answers = gather(folders, keep, mode)
        fitted = product_fit(mode)
        if refit:
            used = {name: found for name, found in answers.items() if name.endswith(FITTED) or name == _SAMPLES}
            fitted = fit_relevance(used, mode)
        notes.append(f"{mode}: {fitted}")
        figures += [*figures_of(fitted, answers, mode), strictness_table(fitted, answers, mode)]
        if mode is SearchMode.HYBRID:
            goals = goals_of(fitted, answers)
            series = {name: reliability(fitted, found) for name, found in _with_own(answers).items()}
            if svg is not None:
                svg.write_text(reliability_svg(series), encoding="utf-8")
    setting = {
        "passages of an answer": JUDGED_PASSAGES,
        "loss that sets a floor": TOLERATED_LOSS,
        "model": MINILM_FITS.model,
    }
    return Report("Relevance and its floor", machine, setting, goals, figures, notes)


def main() -> None:
    """Read the arguments, and print the report."""
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("folders", type=Path, nargs="+", metavar="SET_FOLDER")
    arguments.add_argument("--keep", type=Path, required=True)
    arguments.add_argument("--fit", action="store_true")
    arguments.add_argument("--svg", type=Path)
    arguments.add_argument("--json", action="store_true")
    chosen = arguments.parse_args()
    wiring.allow_new_home()
    run(chosen.folders, chosen.keep, chosen.svg, refit=chosen.fit).show(as_json=chosen.json)


if __name__ == "__main__":
    main()
