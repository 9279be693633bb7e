import json
import os
from pathlib import Path

import pytest

from groundwire.adapters.local.secret_file import LocalSecrets
from groundwire.domain import errors
from tests.server.adapters.registry.creators import both_secrets, no_keys
from tests.support.registry.races import race_processes


def test_secrets_are_made_once_and_kept(tmp_path: Path) -> None:
    first, second = LocalSecrets(tmp_path, no_keys), LocalSecrets(tmp_path, no_keys)
    assert (first.pepper, first.sealing_key) == (second.pepper, second.sealing_key)
    assert (len(first.pepper), len(first.sealing_key)) == (32, 32)


def test_no_two_homes_and_no_two_purposes_share_a_secret(tmp_path: Path) -> None:
    homes = [LocalSecrets(tmp_path / name, no_keys) for name in ("a", "b")]
    assert len({secret for home in homes for secret in (home.pepper, home.sealing_key)}) == 4


def test_home_and_file_are_the_owners_alone_whatever_the_umask(tmp_path: Path) -> None:
    home = tmp_path / "new" / "home"
    before = os.umask(0)
    try:
        LocalSecrets(home, no_keys)
    finally:
        os.umask(before)
    assert home.stat().st_mode & 0o777 == 0o700
    assert (home / "secrets.json").stat().st_mode & 0o777 == 0o600
    assert [path.name for path in home.iterdir()] == ["secrets.json"]


def test_processes_that_start_at_once_get_the_same_secrets(tmp_path: Path) -> None:
    found = race_processes(4, both_secrets, str(tmp_path / "home"))
    assert len(set(found)) == 1


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o660, 0o601])
def test_a_file_that_others_can_reach_is_refused_with_the_command_that_closes_it(tmp_path: Path, mode: int) -> None:
    LocalSecrets(tmp_path, no_keys)
    file = tmp_path / "secrets.json"
    file.chmod(mode)
    with pytest.raises(errors.Unavailable, match=f"chmod 600 {file}"):
        LocalSecrets(tmp_path, no_keys)
    file.chmod(0o600)
    LocalSecrets(tmp_path, no_keys)


def test_a_home_in_which_everybody_may_replace_files_is_refused_with_the_command_that_closes_it(tmp_path: Path) -> None:
    tmp_path.chmod(0o777)
    with pytest.raises(errors.Unavailable, match=f"chmod 700 {tmp_path}"):
        LocalSecrets(tmp_path, no_keys)
    assert list(tmp_path.iterdir()) == []
    tmp_path.chmod(0o1777)
    LocalSecrets(tmp_path, no_keys)


def test_another_users_file_is_refused_with_the_command_that_makes_it_ours(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    LocalSecrets(tmp_path, no_keys)
    file = tmp_path / "secrets.json"
    # Nobody but root can give a file away: so whoever runs the test, the reader is made somebody else.
    owner = file.stat().st_uid
    monkeypatch.setattr("groundwire.adapters.local.secret_file._ROOT", owner + 1)
    monkeypatch.setattr("os.geteuid", lambda: owner + 1)
    with pytest.raises(errors.Unavailable, match=f"chown .* {file}"):
        LocalSecrets(tmp_path, no_keys)


GOOD = "A" * 43 + "="


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\xff\xfe",
        b"[" * 100_000,
        b"[]",
        b"{}",
        json.dumps({"pepper": GOOD}).encode(),
        json.dumps({"pepper": GOOD, "sealing_key": 7}).encode(),
        json.dumps({"pepper": GOOD, "sealing_key": "short"}).encode(),
        json.dumps({"pepper": GOOD, "sealing_key": "!" * 44}).encode(),
        json.dumps({"pepper": GOOD, "sealing_key": GOOD[4:]}).encode(),
    ],
    ids=range(10),
)
def test_a_damaged_file_is_named_and_never_replaced(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "secrets.json"
    file.write_bytes(content)
    file.chmod(0o600)
    with pytest.raises(errors.Unavailable, match=r"secrets\.json is damaged: restore it from a backup"):
        LocalSecrets(tmp_path, no_keys)
    assert file.read_bytes() == content


def test_lost_secrets_of_a_registry_with_keys_are_reported_and_never_replaced(tmp_path: Path) -> None:
    with pytest.raises(errors.Unavailable, match=r"secrets\.json is missing.* restore it from a backup"):
        LocalSecrets(tmp_path, lambda: True)
    assert list(tmp_path.iterdir()) == []


def test_secrets_and_a_key_that_another_process_creates_concurrently_are_used(tmp_path: Path) -> None:
    def meanwhile() -> bool:
        LocalSecrets(tmp_path, no_keys)
        return True

    first = LocalSecrets(tmp_path, meanwhile)
    assert first.pepper == LocalSecrets(tmp_path, no_keys).pepper


def test_the_secrets_do_not_show_when_printed(tmp_path: Path) -> None:
    secrets = LocalSecrets(tmp_path, no_keys)
    shown = f"{secrets} {secrets!r}"
    for secret in (secrets.pepper, secrets.sealing_key):
        assert secret.hex() not in shown
        assert repr(secret) not in shown


def test_a_home_that_cannot_be_used_is_named(tmp_path: Path) -> None:
    (tmp_path / "home").write_bytes(b"")
    with pytest.raises(errors.Unavailable, match=str(tmp_path / "home")):
        LocalSecrets(tmp_path / "home", no_keys)
