"""Dialects of other packages: registered by an entry point, switched on by name."""

import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from groundwire import dialects, wiring
from groundwire.dialects import DIALECTS, known_dialects
from groundwire.domain.errors import InvalidInput
from groundwire.entry.authorizer import handler as authorize
from tests.support.clients.handshake_client import client
from tests.support.isolation.policies import for_users
from tests.support.worlds.document_library import PUBLIC
from tests.support.worlds.homes import fresh_home
from tests.support.worlds.world import World, open_world

ROOT: Final = Path(__file__).parents[4]
SAMPLE: Final = ROOT / "examples" / "write_a_dialect"
MODULE: Final = "groundwire_titles"
_PIP: Final = (sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-index")


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the sample as pip installs it, built from a copy: setuptools leaves files beside the sources."""
    folder = tmp_path_factory.mktemp("sample")
    copy = shutil.copytree(SAMPLE, folder / "source", ignore=shutil.ignore_patterns("__pycache__"))
    order = (*_PIP, "--no-build-isolation", "--no-deps", "--target", folder / "packages", copy)
    subprocess.run(order, check=True, timeout=120)
    return folder / "packages"


@pytest.fixture
def packages(installed: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.syspath_prepend(installed)
    dialects._registered.cache_clear()
    yield
    dialects._registered.cache_clear()
    sys.modules.pop(MODULE, None)


@pytest.fixture
def world(packages: None, monkeypatch: pytest.MonkeyPatch) -> Iterator[World]:
    monkeypatch.setenv("GROUNDWIRE_DIALECTS", "default titles")
    with fresh_home() as home, open_world(home, monkeypatch) as opened:
        yield opened


def entry_point(folder: Path, line: str) -> None:
    """Install a package with one entry point in the folder."""
    info = folder / f"other_{len(list(folder.iterdir()))}-1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {info.stem[:-2]}\nVersion: 1\n", encoding="utf-8")
    (info / "entry_points.txt").write_text(f"[{dialects.ENTRY_POINTS}]\n{line}\n", encoding="utf-8")


def test_a_key_with_the_toolset_of_the_sample_gets_its_tool_and_what_its_user_may_read(world: World) -> None:
    tenant = world.tenant("amber")
    world.ingest(tenant, "The pump needs oil.", PUBLIC, path="/nowhere/pump.txt", doc_id="pump")
    world.ingest(tenant, "The oil of the zebra.", for_users("ana"), path="/nowhere/zebra.txt", doc_id="zebra")
    bob, ana = (client(world, tenant, user, toolset="titles") for user in ("bob", "ana"))
    assert [tool["name"] for tool in bob.result("tools/list")["tools"]] == ["name_documents"]
    for asker, names in ((bob, {"pump.txt"}), (ana, {"pump.txt", "zebra.txt"})):
        [content] = asker.tool("name_documents", subject="oil")["content"]
        assert set(content["text"].split("\n")) == names
    others = client(world, tenant).ask("tools/call", name="name_documents", arguments={"subject": "oil"})
    assert others["error"]["code"] == -32602


def test_the_sample_is_off_until_a_setting_names_it(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    assert [each.name for each in world.services.agents.dialects] == ["default", "titles"]
    monkeypatch.delenv("GROUNDWIRE_DIALECTS")
    world.reopen()
    assert "titles" not in {each.name for each in world.services.agents.dialects}
    with pytest.raises(InvalidInput, match="titles"):
        client(world, world.tenant("jade"), toolset="titles")


def test_the_sample_has_at_most_sixty_lines() -> None:
    assert len((SAMPLE / f"{MODULE}.py").read_text(encoding="utf-8").splitlines()) <= 60


@pytest.mark.parametrize("names", ["", "default azure mindset", "opensearch"])
def test_dialects_of_the_server_are_known_without_reading_an_entry_point(names: str) -> None:
    program = f"import sys; from groundwire.dialects import known_dialects as known; known({names.split() or None!r}); "
    program += "print('importlib.metadata' in sys.modules)"
    done = subprocess.run([sys.executable, "-I", "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"


def test_no_package_replaces_a_dialect_of_the_server(
    packages: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    entry_point(tmp_path, f"default = {MODULE}:TITLES")
    monkeypatch.syspath_prepend(tmp_path)
    assert known_dialects(["default"]) == DIALECTS


@pytest.mark.parametrize(
    "line",
    [
        pytest.param(f"other = {MODULE}:TITLES", id="another name"),
        pytest.param("other = json:dumps", id="no dialect"),
        pytest.param(f"titles = {MODULE}:TITLES", id="a second one of this name"),
    ],
)
def test_an_entry_point_that_is_not_the_one_dialect_of_its_name_is_refused(
    packages: None, line: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    entry_point(tmp_path, line)
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(InvalidInput, match="is not the one dialect"):
        known_dialects([line.partition(" ")[0]])


def test_several_dialects_of_other_packages_may_have_no_toolset(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, packages: None
) -> None:
    monkeypatch.syspath_prepend(tmp_path)
    made = "from dataclasses import replace\nfrom groundwire.dialects import VERTEX\n"
    for name in ("first", "second"):
        changes = f"name='{name}', toolset=None, mcp_paths=('/{name}/mcp',), rest_routes=()"
        (tmp_path / f"{name}_dialect.py").write_text(f"{made}MADE = replace(VERTEX, {changes})\n", encoding="utf-8")
        entry_point(tmp_path, f"{name} = {name}_dialect:MADE")
    assert {dialect.name for dialect in known_dialects(frozenset({"first", "second"}))} >= {"first", "second"}


def test_a_toolset_of_the_server_is_refused_in_another_dialect(
    packages: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = (
        "from dataclasses import replace\nfrom groundwire.dialects import OPENAI\nMINE = replace(OPENAI, name='mine')\n"
    )
    (tmp_path / "taken_toolset.py").write_text(source, encoding="utf-8")
    entry_point(tmp_path, "mine = taken_toolset:MINE")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(InvalidInput, match="toolset openai"):
        known_dialects(["mine"])


def test_the_authorizer_knows_the_paths_of_a_dialect_of_another_package(
    packages: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = (
        "from dataclasses import replace\nfrom groundwire.dialects import VERTEX\n"
        "MINE = replace(VERTEX, name='mine', toolset=None, mcp_paths=('/mine/mcp',), rest_routes=())\n"
    )
    (tmp_path / "own_path.py").write_text(source, encoding="utf-8")
    entry_point(tmp_path, "mine = own_path:MINE")
    monkeypatch.syspath_prepend(tmp_path)
    event = {
        "routeKey": "$default",
        "rawPath": "/mine/mcp/",
        "headers": {"x-api-key": "none"},
        "requestContext": {"http": {"method": "POST", "path": "/mine/mcp/"}},
    }
    with fresh_home() as home, open_world(home, monkeypatch):
        reasons: list[object] = []
        for names in ("default", "default mine"):
            monkeypatch.setenv("GROUNDWIRE_DIALECTS", names)
            wiring.reset()
            reasons.append(authorize(event, None)["context"])
    assert reasons[0] != reasons[1]
