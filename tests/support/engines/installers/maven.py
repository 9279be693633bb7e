"""What Maven's repository holds, kept in the checkout's cache."""

import shutil
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from tests.support.engines.installers.locks import alone, install
from tests.support.engines.missing import Absent

CACHE: Final = Path(__file__).parents[4] / ".cache" / "engines"
_POM: Final = """\
<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>groundwire.tests</groupId>
  <artifactId>engine</artifactId>
  <version>1</version>
  <dependencies>{}</dependencies>
</project>
"""


@dataclass(frozen=True, slots=True)
class Artifact:
    """One file of the repository."""

    group: str
    name: str
    version: str
    kind: str = "jar"

    @property
    def file(self) -> str:
        """What it is called where it was fetched to."""
        return f"{self.name}-{self.version}.{self.kind}"


def libraries(group: str, artifact: str, version: str) -> Path:
    """The folder that holds the artifact and all that it depends on; fetched once, by one process at a time.

    Raises:
        Absent: there is no Maven, or it cannot fetch them.
    """
    place = CACHE / f"{artifact}-{version}"
    with alone(place):
        if not place.is_dir():
            with tempfile.TemporaryDirectory(dir=place.parent) as made:
                fetch([Artifact(group, artifact, version)], Path(made)).rename(place)
    return place


def fetch(artifacts: Sequence[Artifact], folder: Path, *, alone: bool = False) -> Path:
    """A folder within this one that holds the artifacts and, unless they come `alone`, all that they depend on.

    Raises:
        Absent: there is no Maven, or it cannot fetch them.
    """
    names = " and ".join(one.name for one in artifacts)
    maven = shutil.which("mvn")
    if maven is None:
        raise Absent(f"{names} needs Maven: install it (Debian: apt install maven).")
    (folder / "pom.xml").write_text(_POM.format("".join(map(_dependency, artifacts))), encoding="utf-8")
    command = [maven, "-q", "-B", "dependency:copy-dependencies", "-DoutputDirectory=libraries"]
    try:
        install([*command, f"-DexcludeTransitive={str(alone).lower()}"], folder)
    except Absent as reason:
        raise Absent(f"Maven cannot fetch {names}: {reason}") from None
    return folder / "libraries"


def _dependency(of: Artifact) -> str:
    parts = {"groupId": of.group, "artifactId": of.name, "version": of.version, "type": of.kind}
    return f"<dependency>{''.join(f'<{name}>{value}</{name}>' for name, value in parts.items())}</dependency>"
