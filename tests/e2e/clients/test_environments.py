"""A client that cannot be installed is reported as absent in one line and never counted as passed."""

from pathlib import Path

import pytest

from tests.e2e.clients import environments
from tests.support.engines.missing import Absent

BROKEN = {"requirements.txt": "this is no requirement\n", "package-lock.json": "{"}


@pytest.mark.parametrize("lock", BROKEN)
def test_what_cannot_be_installed_is_absent_every_time_it_is_requested(
    lock: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(environments, "LOCKS", tmp_path / "locks")
    monkeypatch.setattr(environments, "CACHE", tmp_path / "cache")
    folder = tmp_path / "locks" / "broken"
    folder.mkdir(parents=True)
    (folder / lock).write_text(BROKEN[lock], encoding="utf-8")
    (folder / "package.json").write_text("{}", encoding="utf-8")
    for _ in range(2):
        with pytest.raises(Absent, match=r"(?i)^the MCP client broken: .*error") as absent:
            environments.environment("broken")
        assert "\n" not in str(absent.value)


def test_what_is_installed_is_made_once_and_again_when_its_lock_changes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(environments, "LOCKS", tmp_path / "locks")
    monkeypatch.setattr(environments, "CACHE", tmp_path / "cache")
    lock = tmp_path / "locks" / "empty" / "requirements.txt"
    lock.parent.mkdir(parents=True)
    lock.write_text("# nothing\n", encoding="utf-8")
    folder = environments.environment("empty")
    assert environments.interpreter(folder).exists()
    (folder / "trace").touch()
    assert (environments.environment("empty") / "trace").exists()
    lock.write_text("# nothing, but otherwise\n", encoding="utf-8")
    assert not (environments.environment("empty") / "trace").exists()
