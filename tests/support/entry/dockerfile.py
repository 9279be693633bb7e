"""A Dockerfile without Docker: its COPY and RUN lines carried out in empty folders, one for each stage.

Each stage's folder stands for the /var/task of AWS's base image, which calls it LAMBDA_TASK_ROOT. RUN lines find there
what the lines before them put there, and a Python with pip and nothing else installed, as in the base image.
"""

import json
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

_TASK: Final = "LAMBDA_TASK_ROOT"
_VARIABLE: Final = re.compile(r"\$\{(\w+)\}|\$(\w+)")


@dataclass
class Stage:
    """What a stage left.

    Attributes:
        folder: its /var/task. variables: its ENV. command: its CMD.
    """

    name: str
    base: str
    folder: Path
    variables: dict[str, str] = field(default_factory=dict[str, str])
    command: list[str] = field(default_factory=list[str])


def instructions(dockerfile: Path) -> Iterator[tuple[str, str]]:
    """Word and rest of each instruction, comments left out and continued lines joined."""
    lines = (line for line in dockerfile.read_text(encoding="utf-8").splitlines() if not line.lstrip().startswith("#"))
    for line in "\n".join(lines).replace("\\\n", " ").splitlines():
        if line.strip():
            word, _, rest = line.strip().partition(" ")
            yield word, rest.strip()


def carried_out(dockerfile: Path, context: Path, workshop: Path, environment: Mapping[str, str], **given: str) -> Stage:
    """The last stage, its lines carried out with the given arguments of the build.

    Raises AssertionError for an instruction that is not known here.
    """
    python = _bare_python(workshop / "python")
    arguments: dict[str, str] = {}
    stages: list[Stage] = []
    for word, rest in instructions(dockerfile):
        if word == "ARG":
            name, default, value = rest.partition("=")
            # Without a default, the line takes the argument of the lines before the first stage into its stage.
            arguments[name] = given.get(name, value) if default else arguments[name]
        elif word == "FROM":
            base, _, name = rest.partition(" AS ")
            stage = Stage(name, expanded(base, arguments), workshop / f"stage-{len(stages)}")
            stage.folder.mkdir(parents=True)
            stages.append(stage)
        else:
            path = f"{python}:{environment['PATH']}"
            _carry_out(word, rest, stages, context, {**environment, **arguments, "PATH": path})
    return stages[-1]


def _carry_out(word: str, rest: str, stages: list[Stage], context: Path, environment: Mapping[str, str]) -> None:
    stage = stages[-1]
    known = {_TASK: str(stage.folder), **stage.variables}
    if word == "COPY":
        _copy(rest, stages, context)
    elif word == "RUN":
        subprocess.run(["sh", "-c", rest], cwd=stage.folder, env={**environment, **known}, check=True)
    elif word == "ENV":
        stage.variables |= dict(pair.split("=", 1) for pair in shlex.split(expanded(rest, known)))
    else:
        assert word == "CMD", f"{word} is not known here"
        stage.command = json.loads(rest)


def _copy(rest: str, stages: list[Stage], context: Path) -> None:
    stage = stages[-1]
    *options, source, target = rest.split()
    root, task = context, stage.folder
    if options:
        (option,) = options
        (origin,) = (each for each in stages if f"--from={each.name}" == option)
        root, task = Path("/"), origin.folder
    found = root / expanded(source, {_TASK: str(task)})
    assert options or _is_let_through(found.relative_to(context), context), f".dockerignore keeps {found} back"
    place = Path(expanded(target, {_TASK: str(stage.folder)}))
    if found.is_dir():
        shutil.copytree(found, place, ignore=shutil.ignore_patterns("__pycache__"), dirs_exist_ok=True)
    else:
        shutil.copy(found, place / found.name if target.endswith("/") else place)


def _is_let_through(source: Path, context: Path) -> bool:
    """Return whether the build context includes the source: paths that a `!` line of .dockerignore names."""
    rules = (context / ".dockerignore").read_text(encoding="utf-8").splitlines()
    assert "*" in rules
    return any(source.is_relative_to(rule[1:]) for rule in rules if rule.startswith("!"))


def expanded(text: str, variables: Mapping[str, str]) -> str:
    """Return the text with each `${NAME}` and `$NAME` replaced by its variable."""
    return _VARIABLE.sub(lambda match: variables[match[1] or match[2]], text)


def _bare_python(folder: Path) -> Path:
    """The folder of a `python` of this very interpreter that has pip and nothing else."""
    subprocess.run([sys.executable, "-m", "venv", str(folder)], check=True)
    return folder / "bin"
