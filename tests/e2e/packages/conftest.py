import shutil
import sysconfig
from collections.abc import Iterable
from pathlib import Path

import pytest

from tests.e2e.packages.installation import FOLDERS, PIP, environment, run
from tests.support.engines.installers.extras import checkout_wheel
from tests.support.engines.missing import Absent, answer


@pytest.fixture(scope="module")
def wheels(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheels of all packages, built from copies: setuptools leaves files beside the sources."""
    folder = tmp_path_factory.mktemp("wheels")
    for number, source in enumerate(FOLDERS):
        copy = folder / str(number)
        shutil.copytree(source, copy, ignore=shutil.ignore_patterns("__pycache__", "*.egg-info", "build"))
        run(*PIP, "wheel", "--quiet", "--no-index", "--no-build-isolation", "--no-deps", "-w", folder, copy, cwd=folder)
    return folder


@pytest.fixture(scope="module")
def python(wheels: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The Python of an environment with the wheels of all packages."""
    return _python_with(wheels.glob("*.whl"), tmp_path_factory.mktemp("all") / "venv")


@pytest.fixture(scope="module")
def python_of_the_product(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The Python of an environment with the one wheel that people install."""
    try:
        wheel = checkout_wheel()
    except Absent as absent:
        answer(absent)
    return _python_with([wheel], tmp_path_factory.mktemp("product") / "venv")


def _python_with(wheels: Iterable[Path], place: Path) -> Path:
    """Make the environment; libraries of others are those of the tests' own environment."""
    found = environment(place)
    run(*PIP, "--python", found, "install", "--quiet", "--no-index", "--no-deps", *wheels, cwd=place)
    [packages] = place.glob("lib/python*/site-packages")
    # After its own packages, and without the links of the checkout that the tests are installed from.
    (packages / "libraries.pth").write_text(sysconfig.get_path("purelib") + "\n", encoding="utf-8")
    return found
