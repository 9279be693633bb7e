"""Which home folder a command works in, and that a command that only reads never makes one."""

import re
from pathlib import Path

import pytest

from groundwire.settings import environment, folders
from tests.support.entry.command import Command

READING = [
    ("tenant", "list"),
    ("key", "list", "-t", "acme"),
    ("user", "list", "-t", "acme"),
    ("collection", "list", "-t", "acme"),
    ("documents", "list", "-t", "acme"),
    ("search", "leave", "-t", "acme"),
    ("ingest", "samples", "-t", "acme"),
    ("key", "create", "-t", "acme", "--user", "ana", "--scope", "search"),
    ("audit", "list"),
    ("audit", "verify"),
    ("index", "export", "copy.gz", "-t", "acme"),
    ("compact",),
    ("model", "list"),
    ("doctor",),
]


@pytest.mark.parametrize("command", READING, ids=" ".join)
def test_only_a_first_tenant_makes_a_home(
    groundwire: Command, command: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    groundwire(*command)
    assert not groundwire.home.exists()


def test_a_command_in_a_home_that_is_not_there_names_it_and_states_how_one_is_made(groundwire: Command) -> None:
    refused = groundwire("search", "leave", "-t", "acme")
    assert refused.code == 1
    assert f"There is no Groundwire home in {groundwire.home}" in refused.line
    assert "`groundwire tenant create NAME`" in refused.line


def test_without_a_home_there_is_no_tenant_and_that_is_no_error(groundwire: Command) -> None:
    assert groundwire.json("tenant", "list") == []
    assert (
        groundwire("tenant", "list").done().out == f"There are no tenants yet. The home folder is {groundwire.home}.\n"
    )


@pytest.mark.usefixtures("tenant")
@pytest.mark.parametrize(
    ("command", "listing"),
    [
        (("search", "leave", "-t", "acne"), "`groundwire tenant list` names them."),
        (("documents", "show", "doc_1", "-t", "acme"), "`groundwire documents list` names them."),
        (("key", "revoke", "4fGh7Kq2LmNp", "-t", "acme"), "`groundwire key list` names them."),
        (("collection", "delete", "shelf", "-t", "acme", "--yes"), "`groundwire collection list` names them."),
    ],
)
def test_an_error_about_a_name_states_what_lists_the_names_and_names_the_home(
    groundwire: Command, command: tuple[str, ...], listing: str
) -> None:
    line = groundwire(*command).line
    assert line.endswith(f"{listing} The home folder is {groundwire.home}.")


def test_the_home_is_that_of_the_checkout_wherever_a_command_is_typed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    checkout = folders.checkout_folder()
    assert checkout is not None
    assert environment.read_settings({}).home == checkout / ".groundwire"


def test_a_home_in_the_present_folder_is_found_as_before(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / ".groundwire").mkdir()
    (tmp_path / ".groundwire" / "registry.db").touch()
    assert environment.read_settings({}).home == tmp_path / ".groundwire"


def test_without_a_checkout_the_home_is_in_the_users_data_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(folders, "checkout_folder", lambda: None)
    monkeypatch.setattr(folders.sys, "platform", "linux")
    assert environment.read_settings({"XDG_DATA_HOME": "/data"}).home == Path("/data/groundwire")
    assert re.search(r"\.local/share/groundwire$", str(environment.read_settings({}).home))
    monkeypatch.setattr(folders.sys, "platform", "darwin")
    assert environment.read_settings({}).home.parts[-3:] == ("Library", "Application Support", "groundwire")
