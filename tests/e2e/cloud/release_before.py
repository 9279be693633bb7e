"""The release before as it was deployed: its template and its functions, from the repository.

The packages that it needs are those of the present layers.
"""

import re
import shutil
import tarfile
from collections.abc import Mapping
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from typing import Final

from tests.support.aws.deployment.artifacts import Artifact
from tests.support.aws.deployment.stack import Release
from tests.support.engines.installers.commits import archive

COMMIT: Final = "3ebf3387b4cf8556d38771787d6b929cf4fd2f81"
_LAYER: Final = "GroundwireLayer"
_SLASH_ROUTES: Final = re.compile(r"^  \w+:\n    Type: AWS::ApiGatewayV2::Route\n(?:    .*\n|\n)*", re.MULTILINE)
_KEY_WITH_SLASH: Final = re.compile(r"RouteKey: .*\w/$", re.MULTILINE)


def read(built: Mapping[str, Artifact], folder: Path) -> Release:
    """Return the release, unpacked into the folder; may raise Absent.

    Args:
        built: artifacts of the present code, by logical id.
        folder: an empty one.
    """
    with tarfile.open(fileobj=BytesIO(archive(COMMIT, "template.yaml", "functions", "layers/groundwire"))) as files:
        files.extractall(folder / "commit", filter="data")
    template = (folder / "commit" / "template.yaml").read_text(encoding="utf-8")
    artifacts = [_artifact(each, folder) for each in built.values() if _is_named(each.source, template)]
    return Release(without_slash_routes(template), tuple(artifacts))


def without_slash_routes(template: str) -> str:
    """Return the template without the routes that API Gateway refuses, as a stack of it was deployed."""
    return _SLASH_ROUTES.sub(lambda route: "" if _KEY_WITH_SLASH.search(route[0]) else route[0], template)


def _is_named(source: str, template: str) -> bool:
    return re.search(rf"Uri: {re.escape(source)}/?$", template, re.MULTILINE) is not None


def _artifact(present: Artifact, folder: Path) -> Artifact:
    """Return the artifact with the release's own modules instead of the present ones."""
    place = folder / f"{present.logical_id}-before"
    if present.logical_id == _LAYER:
        shutil.copytree(present.folder, place, ignore=shutil.ignore_patterns("groundwire"))
        package = folder / "commit" / "layers" / "groundwire" / "groundwire"
        shutil.copytree(package, place / "python" / "groundwire")
    elif present.source.startswith("functions/"):
        shutil.copytree(folder / "commit" / present.source, place, ignore=shutil.ignore_patterns("Makefile"))
    else:
        return present
    return replace(present, folder=place)
