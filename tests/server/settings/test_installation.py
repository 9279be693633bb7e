"""Commands that add an extra, by where an installation came from."""

import json
from pathlib import Path

import pytest

from groundwire.settings import installation


def has_module(name: str) -> object:
    return name


def has_no_module(name: str) -> None:
    assert name == "pip"


@pytest.fixture
def outside_a_checkout(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(installation, "checkout_folder", lambda: None)


@pytest.fixture
def has_pip(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(installation, "find_spec", has_module)


def recorded(place: Path, monkeypatch: pytest.MonkeyPatch, origin: object) -> None:
    """Make a distribution that comes first, with this record of its origin; None: without one."""
    about = place / "groundwire-0.1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: groundwire\nVersion: 0.1.0\n", encoding="utf-8")
    if origin is not None:
        (about / "direct_url.json").write_text(json.dumps(origin), encoding="utf-8")
    monkeypatch.syspath_prepend(str(place))


def test_in_a_checkout_the_checkout_is_installed_again() -> None:
    assert installation.extra_command("aws") == "`pip install -e '.[aws]'` in the checkout"


@pytest.mark.usefixtures("outside_a_checkout", "has_pip")
@pytest.mark.parametrize(
    ("origin", "requirement"),
    [
        ({"url": "file:///srv/a%20b/groundwire-0.1.0-py3-none-any.whl"}, "/srv/a b/groundwire-0.1.0-py3-none-any.whl"),
        ({"url": "https://files.example/groundwire-0.1.0-py3-none-any.whl"}, "groundwire"),
        (None, "groundwire"),
    ],
)
def test_outside_of_one_the_wheel_is_named_where_the_installation_is_from_its_file(
    origin: object, requirement: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    recorded(tmp_path, monkeypatch, origin)
    assert installation.extra_command("aws") == f"`pip install '{requirement}[aws]'`"


@pytest.mark.usefixtures("outside_a_checkout")
def test_without_pip_the_command_is_uvs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(installation, "find_spec", has_no_module)
    recorded(tmp_path, monkeypatch, None)
    assert installation.extra_command("ocr") == "`uvx --from 'groundwire[ocr]' groundwire` in place of `groundwire`"
