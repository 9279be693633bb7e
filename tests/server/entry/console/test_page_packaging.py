"""The files of the page lie in the wheel and in the layer of the functions."""

import tomllib
from pathlib import Path
from typing import Final

import pytest

from groundwire.entry.console import files
from groundwire.entry.console.files import page_files

ROOT: Final = Path(__file__).parents[4]


@pytest.mark.parametrize("folder", [ROOT, ROOT / "layers" / "groundwire"])
def test_a_wheel_takes_every_type_of_file_that_the_page_has(folder: Path) -> None:
    declared = tomllib.loads((folder / "pyproject.toml").read_text(encoding="utf-8"))
    patterns = declared["tool"]["setuptools"]["package-data"]["*"]

    assert {f"*{Path(name).suffix}" for name in page_files()} <= set(patterns)


def test_the_layer_keeps_the_folder_of_the_page() -> None:
    recipe = (ROOT / "layers" / "Makefile").read_text(encoding="utf-8")

    assert "cp -R groundwire/groundwire" in recipe
    assert "entry/console" not in recipe


def test_a_file_of_an_editor_beside_the_page_is_not_served(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("index.html", "app.js", "app.js~", ".app.js.swp", "notes.txt"):
        (tmp_path / name).write_text("text", encoding="utf-8")
    monkeypatch.setattr(files, "_FOLDER", tmp_path)

    assert set(page_files.__wrapped__()) == {"index.html", "app.js"}
