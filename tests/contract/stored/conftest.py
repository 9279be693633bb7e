"""Stored things, and what is read of them."""

import json
from pathlib import Path
from typing import Any, Final

import pytest

from tests.contract.stored import release_before
from tests.contract.stored.reading.facts import facts_of
from tests.contract.stored.reading.fixture import Fixture
from tests.support.engines.missing import Absent, answer

FIRST: Final = Path(__file__).parent / "first"
"""What the first release stored."""

_BY_THE_PRESENT_CODE: Final = "of the first release, read by the present code"
_BY_THE_RELEASE_BEFORE: Final = "of the present code, read by the release before"


@pytest.fixture(scope="session")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with what the present code stores."""
    place = tmp_path_factory.mktemp("written")
    release_before.generate(place / "stored", place / "scratch")
    return place / "stored"


@pytest.fixture(scope="session")
def package_before(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of the package of the release before."""
    try:
        return release_before.unpack(tmp_path_factory.mktemp("before"))
    except Absent as absent:
        answer(absent)


@pytest.fixture(scope="session", params=[_BY_THE_PRESENT_CODE, _BY_THE_RELEASE_BEFORE])
def facts(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Any:
    """Return what is read of stored things."""
    scratch = tmp_path_factory.mktemp("read")
    if request.param == _BY_THE_PRESENT_CODE:
        return json.loads(json.dumps(facts_of(Fixture(FIRST, scratch))))
    package, folder = request.getfixturevalue("package_before"), request.getfixturevalue("written")
    return release_before.read(package, str(folder), str(scratch))
