"""What the suite asks of a server with skills (SEP-2640): of one that lists them as resources, and of the product's."""

from collections.abc import Callable, Iterator
from typing import Final

import pytest

from groundwire.settings.environment import Settings
from groundwire.wiring.local.services import LocalServices, open_home
from tests.e2e.conformance.revisions import HANDSHAKE, STATELESS
from tests.e2e.conformance.suite import Suite
from tests.support.entry.server_builds import company, open_with_fixtures, serving

BUILDS: Final[dict[str, Callable[[Settings], LocalServices]]] = {"fixtures": open_with_fixtures, "product": open_home}
ENUMERATION: Final = {STATELESS: 32, HANDSHAKE: 30}
MANIFEST: Final = {"fixtures": (6, 0, 0), "product": (4, 0, 2)}
"""Name and description of the resource cannot be seen where `resources/list` names documents alone."""


@pytest.fixture(scope="module", params=BUILDS)
def build(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(scope="module")
def url(suite: Suite, build: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    home = tmp_path_factory.mktemp(f"skills-{build}") / "home"
    _, key = company(home)
    with serving(BUILDS[build], home, key) as url:
        yield url


@pytest.mark.parametrize("revision", [STATELESS, HANDSHAKE])
def test_list_and_manifest_are_what_the_extension_requires(suite: Suite, url: str, build: str, revision: str) -> None:
    assert suite.score(url, "sep-2640-skills-enumeration", revision) == (ENUMERATION[revision], 0, 0)
    assert suite.score(url, "sep-2640-skills-manifest", revision) == MANIFEST[build]


@pytest.mark.parametrize("revision", [STATELESS, HANDSHAKE])
def test_directories_are_not_offered(suite: Suite, url: str, revision: str) -> None:
    # One check is of the form of the messages; those of directories are skipped.
    assert suite.score(url, "sep-2640-skills-directory", revision) == (1, 0, 0)
