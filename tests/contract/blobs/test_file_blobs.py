"""Blobs in files: failures that only the file store can have."""

import string
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from groundwire.adapters.codecs.file_names import file_name
from groundwire.adapters.local.blobs import FileBlobs
from groundwire.domain import errors
from tests.contract.blobs.test_blobs import HOSTILE
from tests.support.plugins.draws import examples

SAFE = set(string.ascii_lowercase + string.digits + "-_.%~")


@settings(deadline=None, max_examples=examples(300))
@given(st.text(min_size=1, max_size=400) | st.sampled_from(HOSTILE))
def test_a_keys_file_name_is_harmless_on_every_file_system(key: str) -> None:
    name = file_name(key)
    assert set(name) <= SAFE
    assert not name.startswith(".")
    assert 0 < len(name) <= 200


@settings(deadline=None, max_examples=examples(300))
@given(st.text(min_size=1, max_size=400), st.text(min_size=1, max_size=400))
def test_two_keys_never_share_a_file_name(one: str, other: str) -> None:
    assert (file_name(one) == file_name(other)) == (one == other)


def test_long_keys_that_begin_alike_have_two_names() -> None:
    assert file_name("x" * 1_000 + "a") != file_name("x" * 1_000 + "b")


def test_nothing_is_written_outside_the_tenants_folder(tmp_path: Path) -> None:
    blobs = FileBlobs(tmp_path / "blobs")
    for key in HOSTILE:
        blobs.put("t-acme", key, b"x")
    files = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert {path.parent for path in files} == {tmp_path / "blobs" / "t-acme" / "blobs"}
    assert len(files) == len(HOSTILE)


def test_only_the_owner_can_reach_stored_originals(tmp_path: Path) -> None:
    FileBlobs(tmp_path / "blobs").put("t-acme", "d-1", b"x")
    made = [tmp_path / "blobs", *(tmp_path / "blobs").rglob("*")]
    assert [path.stat().st_mode & 0o077 for path in made] == [0] * len(made)


def test_what_a_crash_left_half_written_is_neither_found_nor_counted_but_dropped(tmp_path: Path) -> None:
    blobs = FileBlobs(tmp_path)
    blobs.put("t-acme", "d-1", b"x")
    half = tmp_path / "t-acme" / "blobs" / ".part-abc"
    half.write_bytes(b"half")
    with pytest.raises(errors.NotFound):
        blobs.get("t-acme", ".part-abc")
    assert blobs.drop("t-acme") == 1
    assert not half.exists()


def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "blobs").write_bytes(b"a file where the folder should be")
    with pytest.raises(errors.Unavailable, match=str(tmp_path / "blobs")):
        FileBlobs(tmp_path / "blobs").put("t-acme", "d-1", b"x")
