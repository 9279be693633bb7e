"""Java libraries from Maven's repository, kept in the checkout's cache."""

import shutil
import tempfile
from pathlib import Path
from typing import Final

from tests.engines.absence import Absent
from tests.engines.installing import alone, install

CACHE: Final = Path(__file__).parents[2] / ".cache" / "engines"
_POM: Final = """\
<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>groundwire.tests</groupId>
  <artifactId>engine</artifactId>
  <version>1</version>
  <dependencies>
    <dependency><groupId>{group}</groupId><artifactId>{artifact}</artifactId><version>{version}</version></dependency>
  </dependencies>
</project>
"""


def libraries(group: str, artifact: str, version: str) -> Path:
    """The folder that holds the artifact and all that it depends on; fetched once, by one process at a time.

    Raises:
        Absent: there is no Maven, or it cannot fetch them.
    """
    place = CACHE / f"{artifact}-{version}"
    with alone(place):
        if not place.is_dir():
            _fetch(_POM.format(group=group, artifact=artifact, version=version), artifact, place)
    return place


def _fetch(pom: str, artifact: str, place: Path) -> None:
    maven = shutil.which("mvn")
    if maven is None:
        raise Absent(f"{artifact} needs Maven: install it (Debian: apt install maven).")
    with tempfile.TemporaryDirectory(dir=place.parent) as made:
        folder = Path(made)
        (folder / "pom.xml").write_text(pom, encoding="utf-8")
        command = [maven, "-q", "-B", "dependency:copy-dependencies", "-DoutputDirectory=libraries"]
        try:
            install(command, folder)
        except Absent as reason:
            raise Absent(f"Maven cannot fetch {artifact}: {reason}") from None
        (folder / "libraries").rename(place)
