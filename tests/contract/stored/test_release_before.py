"""The code of the release before comes from the repository."""

from pathlib import Path

import pytest

from tests.contract.stored import release_before
from tests.support.engines.missing import Absent


def test_the_package_of_the_release_before_is_read_from_its_commit(package_before: Path) -> None:
    assert (package_before / "groundwire" / "__init__.py").is_file()


def test_a_clone_without_the_commit_leaves_the_check_out_and_names_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(release_before, "_PARTS", {"0" * 40: ("template.yaml",)})
    with pytest.raises(Absent, match="release before"):
        release_before.unpack(tmp_path)
