"""An image without Docker: the lines of its Dockerfile carried out in root file systems, one for each stage.

mmdebstrap makes the file system that stands for the base image: Debian, with Debian's Python. A RUN line runs in its
stage by chroot. The process must be root, in a mount namespace of its own (`unshare --mount`), so that whatever is
mounted here ends with it.
"""

import json
import os
import shlex
import shutil
import subprocess
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from tests.support.entry.dockerfile import expanded, instructions

_DEBIAN: Final = "bookworm"
_PACKAGES: Final = "python3,python3-venv,ca-certificates"
_OF_THE_NETWORK: Final = ("/etc/resolv.conf", "/etc/hosts", "/etc/pip.conf", "/etc/ssl/certs/ca-certificates.crt")
"""Files of this machine that lead a RUN line to the index that pip is set to here."""
_PASSED_ON: Final = ("PIP_", "HTTP", "http", "NO_PROXY", "no_proxy", "SSL_")
_CHROOT: Final = shutil.which("chroot", path="/usr/sbin:/usr/bin:/sbin:/bin") or "chroot"
_PATH: Final = "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin"


@dataclass
class Image:
    """The last stage of a Dockerfile.

    Attributes:
        root: its file system. variables: its ENV. user: user and group as numbers. entry: ENTRYPOINT. command: CMD.
        health: the command of HEALTHCHECK. volumes: folders that are writable when the root is not.
    """

    name: str
    root: Path
    variables: dict[str, str] = field(default_factory=lambda: {"PATH": _PATH})
    user: str = "0:0"
    folder: str = "/"
    entry: list[str] = field(default_factory=list[str])
    command: list[str] = field(default_factory=list[str])
    health: list[str] = field(default_factory=list[str])
    volumes: list[str] = field(default_factory=list[str])


def base_image(folder: Path) -> Path:
    """Return the Debian root file system in `folder`, made at the first call."""
    if not (folder / "usr/bin/python3").exists():
        shutil.rmtree(folder, ignore_errors=True)
        order = ["mmdebstrap", "--quiet", "--variant=minbase", f"--include={_PACKAGES}", _DEBIAN, str(folder)]
        subprocess.run(order, check=True)
    return folder


def build(dockerfile: Path, base: Path, workshop: Path, note: Callable[[str], None]) -> Image:
    """Return the image of the Dockerfile, whose context is its folder.

    Each instruction is passed to `note` before it is carried out.

    Raises:
        ValueError: an instruction that is not known here.
        subprocess.CalledProcessError: a RUN line failed.
    """
    arguments: dict[str, str] = {}
    stages: list[Image] = []
    for word, rest in instructions(dockerfile):
        note(f"{word} {rest}")
        if word == "ARG":
            name, _, default = rest.partition("=")
            arguments.setdefault(name, default)
        elif word == "FROM":
            stages.append(_stage(rest.partition(" AS ")[2], base, workshop / f"stage-{len(stages)}"))
        else:
            _carry_out(word, rest, stages, dockerfile.parent, arguments)
    return stages[-1]


def inside(image: Image, command: Sequence[str], *, user: str | None = None) -> list[str]:
    """Return the command that runs `command` in the image: its user, no capability, no new privilege."""
    number, _, group = (user or image.user).partition(":")
    rights = [f"--reuid={number}", f"--regid={group}", "--clear-groups", "--no-new-privs", "--bounding-set=-all"]
    enter = f'cd {shlex.quote(image.folder)} && exec "$@"'
    return [_CHROOT, str(image.root), "setpriv", *rights, "--inh-caps=-all", "sh", "-c", enter, "sh", *command]


def _stage(name: str, base: Path, root: Path) -> Image:
    shutil.rmtree(root, ignore_errors=True)
    subprocess.run(["cp", "--archive", str(base), str(root)], check=True)
    for file in map(Path, _OF_THE_NETWORK):
        if file.exists():
            place = root / file.relative_to("/")
            place.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(file, place)
    for device in ("null", "zero", "urandom"):
        (root / "dev" / device).touch()
        subprocess.run(["mount", "--bind", f"/dev/{device}", str(root / "dev" / device)], check=True)
    return Image(name, root)


def _carry_out(word: str, rest: str, stages: list[Image], context: Path, arguments: Mapping[str, str]) -> None:
    stage = stages[-1]
    match word:
        case "RUN":
            _run(rest, stage, arguments)
        case "COPY":
            _copy(rest, stages, context)
        case "ENV":
            known = {**arguments, **stage.variables}
            stage.variables |= dict(pair.split("=", 1) for pair in shlex.split(expanded(rest, known)))
        case _:
            _describe(word, rest, stage)


def _describe(word: str, rest: str, stage: Image) -> None:
    """Set what a container engine reads of the image when it starts it."""
    of_lists = {"VOLUME": "volumes", "ENTRYPOINT": "entry", "CMD": "command", "HEALTHCHECK": "health"}
    of_words = {"USER": "user", "WORKDIR": "folder"}
    if word in of_lists:
        setattr(stage, of_lists[word], json.loads(rest[rest.index("[") :]))
    elif word in of_words:
        setattr(stage, of_words[word], rest)
    elif word not in {"EXPOSE", "LABEL"}:
        raise ValueError(f"{word} is not known here")


def _run(line: str, stage: Image, arguments: Mapping[str, str]) -> None:
    passed_on = {name: value for name, value in os.environ.items() if name.startswith(_PASSED_ON)}
    environment = {**passed_on, **arguments, **stage.variables, "HOME": "/root"}
    subprocess.run([_CHROOT, str(stage.root), "sh", "-c", line], env=environment, check=True)


def _copy(rest: str, stages: list[Image], context: Path) -> None:
    *options, source, target = rest.split()
    place = stages[-1].root / target.lstrip("/")
    if options:
        (origin,) = (each for each in stages if options == [f"--from={each.name}"])
        place.parent.mkdir(parents=True, exist_ok=True)
        subprocess.run(["cp", "--archive", str(origin.root / source.lstrip("/")), str(place)], check=True)
        return
    place.mkdir(parents=True, exist_ok=True)
    found = list(context.glob(source))
    if not found:
        raise ValueError(f"{context} has no {source}")
    for file in found:
        shutil.copy(file, place)
