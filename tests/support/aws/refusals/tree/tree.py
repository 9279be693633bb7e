"""Trees of this project: a folder, or a commit that is unpacked for as long as somebody looks at it."""

import json
import os
import subprocess
import sys
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

ROOT: Final = Path(__file__).parents[5]
_PROBES: Final = Path(__file__).with_name("probes")
_TIMEOUT_S: Final = 300


class ProbeError(AssertionError):
    """Error where a program over a tree ends without an answer: the tree has changed under it."""


@dataclass(frozen=True, slots=True)
class Tree:
    """A tree of this project.

    Attributes:
        folder: with the template, the functions and the layers.
    """

    folder: Path

    @property
    def template(self) -> Path:
        """The template of the tree."""
        return self.folder / "template.yaml"

    def probe(self, name: str, *arguments: str, prefix: Sequence[str] = ()) -> list[str]:
        """Run a program of `probes` over the code of the tree and return what it found.

        Args:
            name: of the program.
            arguments: after the folder of the tree.
            prefix: beginning of the command line, such as the kernel launcher.

        Raises:
            ProbeError: the program fails.
        """
        command = [*prefix, sys.executable, str(_PROBES / f"{name}.py"), str(self.folder), *arguments]
        done = subprocess.run(
            command,
            cwd=self.folder,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(map(str, (self.folder / "layers").iterdir())), **_AWS},
            capture_output=True,
            text=True,
            check=False,
            timeout=_TIMEOUT_S,
        )
        if done.returncode != 0:
            raise ProbeError(f"{name} over {self.folder}: {done.stderr[-2_000:]}")
        return list(json.loads(done.stdout))


_AWS: Final = {
    "AWS_REGION": "eu-central-1",
    "AWS_DEFAULT_REGION": "eu-central-1",
    "AWS_ACCESS_KEY_ID": "probe",
    "AWS_SECRET_ACCESS_KEY": "probe",
    "AWS_LAMBDA_FUNCTION_NAME": "probe",
}


@contextmanager
def committed(commit: str) -> Generator[Tree]:
    """The tree of a commit of this repository, for as long as the block.

    Raises:
        CalledProcessError: git does not know the commit.
    """
    with TemporaryDirectory(prefix="groundwire-tree-") as made:
        archive = subprocess.run(["git", "archive", commit], cwd=ROOT, capture_output=True, check=True)
        subprocess.run(["tar", "-x", "-C", made], input=archive.stdout, check=True)
        yield Tree(Path(made))
