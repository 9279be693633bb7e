"""Workflows: valid by GitHub's schema, targets of the Makefile alone, pinned actions, and the least rights."""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

import pytest
import yaml

from tests.server.template.github_schemas import validate

ROOT: Final = Path(__file__).parents[3]
FILES: Final = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
WRITES: Final[Mapping[str, Mapping[str, object]]] = {
    "release": {"contents": "write"},
    "packages": {"contents": "read", "id-token": "write"},
    "test": {"contents": "read"},
}
"""Rights of the jobs of publish.yml; all other jobs have those of their workflow, which read."""
MAKEFILES: Final = "".join((ROOT / name).read_text(encoding="utf-8") for name in ("Makefile", "release.mk", "locks.mk"))
_PINNED: Final = re.compile(r"^ *- uses: ([\w-]+/[\w-]+)@([0-9a-f]{40})  # v\d+\.\d+\.\d+$", re.MULTILINE)

Workflow = Mapping[Any, Any]


def read(file: Path) -> Workflow:
    return yaml.safe_load(file.read_text(encoding="utf-8"))


def jobs() -> Iterator[tuple[str, str, Mapping[str, Any]]]:
    """Yield each job with the names of its file and of itself."""
    for file in FILES:
        yield from ((file.stem, name, job) for name, job in read(file)["jobs"].items())


def steps(file: Path) -> list[Mapping[str, Any]]:
    return [step for job in read(file)["jobs"].values() for step in job["steps"]]


def test_there_is_a_workflow_for_each_change_for_each_week_and_for_each_tag() -> None:
    # YAML 1.1 reads the key `on` as true.
    events = {file.stem: read(file)[True] for file in FILES}
    assert events["test"] == {"push": {"branches": ["main"]}, "pull_request": None}
    assert set(events["weekly"]) == {"schedule", "workflow_dispatch"}
    assert events["publish"] == {"push": {"tags": ["v*"]}}
    assert {file.stem: [step["run"] for step in steps(file) if "run" in step] for file in FILES} == {
        "publish": [
            f"make {target}"
            for target in ("test", "base-digest", "release", "check-release", "attach", "download", "publish")
        ],
        "test": ["make test"],
        "weekly": ["make test-all"],
    }


def test_each_workflow_is_valid_by_the_schema() -> None:
    done = validate("github-workflows", *FILES)
    assert done.returncode == 0, done.stdout


def test_a_workflow_with_an_unknown_member_is_found_by_the_schema(tmp_path: Path) -> None:
    broken = tmp_path / "test.yml"
    broken.write_text(FILES[0].read_text(encoding="utf-8").replace("runs-on:", "runs-at:"), encoding="utf-8")
    assert validate("github-workflows", broken).returncode == 1


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_each_action_is_pinned_by_a_commit_with_its_version_beside_it(file: Path) -> None:
    used = [step["uses"] for step in steps(file) if "uses" in step]
    assert used
    pinned = [f"{action}@{commit}" for action, commit in _PINNED.findall(file.read_text(encoding="utf-8"))]
    assert pinned == used


def test_an_action_has_one_commit_in_all_workflows() -> None:
    pins = {pin for file in FILES for pin in _PINNED.findall(file.read_text(encoding="utf-8"))}
    assert len({action for action, _ in pins}) == len(pins)


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_each_other_step_is_a_target_of_the_makefile(file: Path) -> None:
    for step in steps(file):
        if "uses" not in step:
            [target] = re.findall(r"^make ([a-z-]+)$", step["run"])
            assert re.search(rf"^{target}:", MAKEFILES, re.MULTILINE), target


def test_a_workflow_reads_and_two_jobs_of_a_release_write_what_they_publish() -> None:
    assert {file.stem: read(file)["permissions"] for file in FILES} == {
        "publish": {},
        "test": {"contents": "read"},
        "weekly": {"contents": "read"},
    }
    assert {name: job["permissions"] for _, name, job in jobs() if "permissions" in job} == WRITES
    assert {name for file, name, _ in jobs() if file == "publish"} == WRITES.keys()


def test_a_checkout_keeps_no_token_and_a_job_ends() -> None:
    for file, name, job in jobs():
        [checkout] = [step for step in job["steps"] if step.get("uses", "").startswith("actions/checkout@")]
        assert checkout["with"]["persist-credentials"] is False, (file, name)
        assert job["timeout-minutes"] <= 240, (file, name)


def test_a_token_reaches_the_steps_that_need_it_alone_and_no_command_contains_an_expression() -> None:
    assert not [step for _, _, job in jobs() for step in job["steps"] if "${{" in step.get("run", "")]
    given = {
        (name, step["run"])
        for file, name, job in jobs()
        for step in job["steps"]
        if file == "publish" and "${{" in str(step)
    }
    assert given == {("release", "make attach"), ("packages", "make download"), ("packages", "make publish")}


def test_the_job_with_the_identity_of_the_publisher_builds_nothing() -> None:
    packages = read(ROOT / ".github" / "workflows" / "publish.yml")["jobs"]["packages"]
    assert [step["run"] for step in packages["steps"] if "run" in step] == ["make download", "make publish"]
    [used] = re.findall(r"^publish: (.*)$", MAKEFILES, re.MULTILINE)
    assert used == ".venv-release/installed.lock"


def test_packages_follow_a_complete_release_which_follows_its_tests_and_need_an_index() -> None:
    jobs_of_a_tag = read(ROOT / ".github" / "workflows" / "publish.yml")["jobs"]
    packages = jobs_of_a_tag["packages"]
    assert (jobs_of_a_tag["release"]["needs"], packages["needs"]) == ("test", "release")
    assert packages["if"] == "vars.PUBLISH_URL != ''"
    assert packages["steps"][-1]["env"] == {"PUBLISH_URL": "${{ vars.PUBLISH_URL }}"}
