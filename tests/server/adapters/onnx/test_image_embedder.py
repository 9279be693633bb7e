"""Image embeddings by a tiny CLIP-shaped model: the plumbing, and a remedy for every file that cannot be used."""

import shutil
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from groundwire.adapters.onnx.images.embedder import OnnxImageEmbedder, load_image_embedder
from groundwire.adapters.onnx.inference import tokenizer as tokenizer_module
from groundwire.domain.errors import DomainError, InvalidInput, NotFound, Unavailable
from groundwire.ports import Vector
from groundwire_readers.contents.parsed import THUMBNAIL_BYTES, THUMBNAIL_SIDE
from tests.support.models.image_models import PLAIN_PIXELS, ImageRepo, filled, unit

RED, BLUE = filled((255, 0, 0)), filled((0, 0, 255))


def loaded(tmp_path: Path, **repo: Any) -> OnnxImageEmbedder:
    return load_image_embedder(ImageRepo(**repo).write(tmp_path / "model"), 1)


def numbers(vectors: list[Vector]) -> NDArray[np.float32]:
    return np.frombuffer(b"".join(vectors), "<f4").reshape(len(vectors), -1)


def test_a_text_counts_its_colours_whatever_their_case_and_spaces(tmp_path: Path) -> None:
    found = numbers(loaded(tmp_path).embed_queries(["Red  BLUE\tblue", "a house", ""]))
    np.testing.assert_allclose(found, [unit(1, 0, 2, 0, 0.5), unit(0, 0, 0, 0, 1), unit(0, 0, 0, 0, 1)], atol=1e-6)


def test_an_image_is_its_channels_in_their_order_and_its_first_pixel_the_one_at_the_top_left(tmp_path: Path) -> None:
    corner = b"\xff\x00\x00" + bytes(THUMBNAIL_BYTES - 3)
    rows = filled((0, 255, 0))[: THUMBNAIL_BYTES // 2] + filled((0, 0, 51))[THUMBNAIL_BYTES // 2 :]
    found = numbers(loaded(tmp_path).embed_images([corner, rows]))
    part = 1 / THUMBNAIL_SIDE**2
    np.testing.assert_allclose(found, [unit(part, 0, 0, 0.01, 0.5), unit(0, 0.5, 0.1, 0, 0.5)], atol=1e-5)


def test_pixels_are_normalised_as_the_preprocessor_declares(tmp_path: Path) -> None:
    declared = {"size": 224, "crop_size": 224, "image_mean": [0.5, 0.25, 0.0], "image_std": [0.5, 0.25, 2.0]}
    found = numbers(loaded(tmp_path, pixels=declared).embed_images([RED]))
    np.testing.assert_allclose(found, [unit(1, -1, 0, 0.01, 0.5)], atol=1e-6)


@pytest.mark.parametrize(
    ("changed", "expected"),
    [({"do_normalize": False}, (1, 0, 0, 0.01, 0.5)), ({"do_rescale": False}, (255, 0, 0, 2.55, 0.5))],
)
def test_what_the_preprocessor_does_not_do_is_left_out(
    tmp_path: Path, changed: dict[str, Any], expected: tuple[float, ...]
) -> None:
    mean = {"image_mean": [0.5, 0.5, 0.5]} if "do_normalize" in changed else {}
    found = numbers(loaded(tmp_path, pixels={**PLAIN_PIXELS, **mean, **changed}).embed_images([RED]))
    np.testing.assert_allclose(found, [unit(*expected)], atol=1e-6)


def test_a_text_beyond_the_window_is_cut_and_keeps_its_end(tmp_path: Path) -> None:
    long, fitting = loaded(tmp_path).embed_queries(["blue " * 40 + "red", "blue " * 10])
    assert long == fitting
    np.testing.assert_allclose(numbers([long]), [unit(0, 0, 10, 0, 0.5)], atol=1e-6)


@pytest.mark.parametrize(
    ("config", "tokenizer_config", "words"),
    [
        ({"text_config": {"max_position_embeddings": 6}}, {"model_max_length": 77}, 4),
        ({}, {"model_max_length": 9}, 7),
        ({"text_config": {"max_position_embeddings": 20}}, {"model_max_length": 10**30}, 18),
        ({}, {}, 75),
        ({"model_type": "siglip"}, {"model_max_length": 10**30}, 62),
    ],
)
def test_the_window_is_the_smallest_one_that_is_declared(
    tmp_path: Path, config: dict[str, Any], tokenizer_config: dict[str, Any], words: int
) -> None:
    model = loaded(tmp_path, config={"model_type": "clip", **config}, tokenizer_config=tokenizer_config)
    np.testing.assert_allclose(numbers(model.embed_queries(["red " * 200])), [unit(words, 0, 0, 0, 0.5)], atol=1e-6)


def test_a_control_token_spelled_in_a_question_is_no_control_token(tmp_path: Path) -> None:
    (found,) = loaded(tmp_path).embed_queries(["<|startoftext|>"])
    np.testing.assert_allclose(numbers([found]), [unit(0, 0, 0, 0, 0.5)], atol=1e-6)


def test_texts_of_many_lengths_and_many_images_keep_their_places(tmp_path: Path) -> None:
    model = loaded(tmp_path)
    texts = ["red " * (number % 9) + "blue" for number in range(70)]
    assert model.embed_queries(texts) == [model.embed_queries([text])[0] for text in texts]
    images = [filled((number * 9, 0, 0)) for number in range(20)]
    assert model.embed_images(images) == [model.embed_images([image])[0] for image in images]
    assert (model.embed_queries([]), model.embed_images([])) == ([], [])


def test_clip_needs_no_filled_window_and_a_mask_replaces_it(tmp_path: Path) -> None:
    pooled = {"text_output": "pooler_output", "image_output": "pooler_output", "counts_padding": True}
    siglip = {**pooled, "config": {"model_type": "siglip"}}
    expected = {
        "clip": (loaded(tmp_path / "clip", counts_padding=True), unit(1, 0, 0, 0, 0.5)),
        "siglip": (loaded(tmp_path / "siglip", **siglip), unit(1, 0, 0, 9, 0.5)),
        "masked": (loaded(tmp_path / "masked", mask=True, **siglip), unit(1, 0, 0, 0, 0.5)),
        "masked clip": (loaded(tmp_path / "masked-clip", mask=True), unit(1, 0, 0, 0, 0.5)),
    }
    for model, vector in expected.values():
        np.testing.assert_allclose(numbers(model.embed_queries(["red"])), [vector], atol=1e-6)


def test_a_padding_token_is_found_wherever_it_is_declared(tmp_path: Path) -> None:
    pooled = {"text_output": "pooler_output", "image_output": "pooler_output", "counts_padding": True}
    siglip = {**pooled, "config": {"model_type": "siglip"}}
    for number, declared in enumerate(["<pad>", {"content": "<pad>", "lstrip": False}]):
        window = {"model_max_length": 12, "pad_token": declared}
        model = loaded(tmp_path / str(number), tokenizer_config=window, **siglip)
        np.testing.assert_allclose(numbers(model.embed_queries(["red"])), [unit(1, 0, 0, 9, 0.5)], atol=1e-6)


def test_the_graphs_may_lie_at_the_top_of_the_folder(tmp_path: Path) -> None:
    nested, flat = loaded(tmp_path / "nested"), loaded(tmp_path / "flat", graphs=".")
    assert nested.model == flat.model
    assert nested.embed_images([RED]) == flat.embed_images([RED])


def test_the_name_is_that_of_the_files_and_not_of_the_folder(tmp_path: Path) -> None:
    model = loaded(tmp_path).model
    assert (model.name.partition("@")[0], model.dimension) == ("maker/tiny-clip", 5)
    moved = shutil.copytree(tmp_path / "model", tmp_path / "elsewhere")
    assert load_image_embedder(moved, 1).model == model
    path = moved / "preprocessor_config.json"
    path.write_text(path.read_text() + "\n")
    declared_otherwise = load_image_embedder(moved, 1).model
    (moved / "onnx" / "vision_model.onnx_data").write_bytes(b"weights")
    with_weights = load_image_embedder(moved, 1).model
    assert len({model.name, declared_otherwise.name, with_weights.name}) == 3


@pytest.mark.parametrize(
    ("config", "name"),
    [
        ({"model_type": "clip"}, "clip"),
        ({"_name_or_path": "/content/x y", "model_type": "clip"}, "clip"),
        ({}, "image-model"),
    ],
)
def test_a_model_without_a_name_of_its_own_is_named_by_its_architecture(
    tmp_path: Path, config: dict[str, Any], name: str
) -> None:
    assert loaded(tmp_path, config=config).model.name.startswith(f"{name}@")


def test_one_model_serves_several_threads(tmp_path: Path) -> None:
    model = loaded(tmp_path)
    alone = model.embed_queries(["red", "blue red"]), model.embed_images([RED, BLUE])
    with ThreadPoolExecutor(4) as pool:
        texts = [pool.submit(model.embed_queries, ["red", "blue red"]) for _ in range(20)]
        images = [pool.submit(model.embed_images, [RED, BLUE]) for _ in range(20)]
        runs = [(text.result(), image.result()) for text, image in zip(texts, images, strict=True)]
    assert runs == [alone] * 20


# --- what cannot be used ------------------------------------------------------------------------------------------


def removed(name: str) -> Callable[[Path], None]:
    return lambda folder: (folder / name).unlink()


def written(name: str, content: bytes) -> Callable[[Path], None]:
    return lambda folder: void((folder / name).write_bytes(content))


def void(_result: object) -> None:
    """Nothing."""


def swapped(folder: Path) -> None:
    text, vision = folder / "onnx" / "text_model.onnx", folder / "onnx" / "vision_model.onnx"
    shutil.copy(text, folder / "onnx" / "kept")
    shutil.copy(vision, text)
    shutil.copy(folder / "onnx" / "kept", vision)


@pytest.mark.parametrize(
    ("damage", "named"),
    [
        (removed("onnx/text_model.onnx"), r"no onnx/text_model.onnx: fetch or export"),
        (removed("onnx/vision_model.onnx"), r"no onnx/vision_model.onnx"),
        (removed("tokenizer.json"), r"no tokenizer.json"),
        (removed("preprocessor_config.json"), r"no preprocessor_config.json: fetch the model again"),
        (written("onnx/vision_model.onnx", b"no graph"), "no graph that can be run"),
        (written("tokenizer.json", b"{}"), "no tokenizer"),
        (written("tokenizer.json", b'{"added_tokens": 3, "padding": 4}'), "no tokenizer"),
        (written("config.json", b"["), "no JSON"),
        (written("preprocessor_config.json", b"[]"), "no JSON object"),
        (swapped, "export both towers as two graphs"),
    ],
)
def test_a_file_that_is_missing_or_damaged_is_named_with_what_to_do(
    tmp_path: Path, damage: Callable[[Path], None], named: str
) -> None:
    folder = ImageRepo().write(tmp_path)
    damage(folder)
    with pytest.raises(InvalidInput, match=named):
        load_image_embedder(folder, 1)


@pytest.mark.parametrize(
    "size",
    [
        {"size": {"shortest_edge": 336}},
        {"crop_size": {"height": 336, "width": 336}},
        {"size": {"height": 224, "width": 448}},
        {"size": 384},
        {"size": "large"},
    ],
)
def test_a_model_for_images_of_another_size_is_refused_with_the_size_that_is_supported(
    tmp_path: Path, size: dict[str, Any]
) -> None:
    with pytest.raises(InvalidInput, match="224 by 224"):
        loaded(tmp_path, pixels={**PLAIN_PIXELS, **size})


@pytest.mark.parametrize(
    "changed",
    [
        {"image_mean": [0.5, 0.5]},
        {"image_std": [0.5, 0.0, 0.5]},
        {"image_std": "much"},
        {"rescale_factor": None},
        {"rescale_factor": float("nan")},
    ],
)
def test_a_normalisation_that_no_pixel_survives_is_refused(tmp_path: Path, changed: dict[str, Any]) -> None:
    with pytest.raises(InvalidInput, match="no normalisation"):
        loaded(tmp_path, pixels={**PLAIN_PIXELS, **changed})


@pytest.mark.parametrize(
    "repo",
    [
        {"text_output": "pooler_output", "image_output": "pooler_output"},
        {"text_output": "last_hidden_state"},
        {"image_output": "pooler_output", "config": {"model_type": "siglip"}},
        {"image_values": 4},
    ],
)
def test_towers_whose_vectors_share_no_space_are_refused(tmp_path: Path, repo: dict[str, Any]) -> None:
    with pytest.raises(InvalidInput, match="projection"):
        loaded(tmp_path, **repo)


def test_a_folder_that_is_not_there_is_not_found_and_the_setting_is_named(tmp_path: Path) -> None:
    with pytest.raises(NotFound, match="GROUNDWIRE_IMAGE_MODEL"):
        load_image_embedder(tmp_path / "missing", 1)


def test_without_the_library_of_tokenizers_the_extra_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = ImageRepo().write(tmp_path)
    monkeypatch.setitem(__import__("sys").modules, "tokenizers", None)
    with pytest.raises(Unavailable, match="models"):
        load_image_embedder(folder, 1)
    assert "models" in tokenizer_module.tokenizers_missing()


@pytest.mark.parametrize("size", [0, THUMBNAIL_BYTES - 1, THUMBNAIL_BYTES + 1])
def test_a_thumbnail_of_another_size_is_refused(tmp_path: Path, size: int) -> None:
    with pytest.raises(InvalidInput, match=str(THUMBNAIL_BYTES)):
        loaded(tmp_path).embed_images([RED, bytes(size)])


@pytest.mark.parametrize("name", ["config.json", "preprocessor_config.json", "tokenizer_config.json", "tokenizer.json"])
@pytest.mark.parametrize("content", [b"null", b"[1]", b'{"size": [], "text_config": 1, "pad_token": []}', b"\xff", b""])
def test_any_damage_of_a_small_file_is_an_error_with_a_message_or_no_matter(
    tmp_path: Path, name: str, content: bytes
) -> None:
    folder = ImageRepo(files={name: content}).write(tmp_path)
    try:
        name = load_image_embedder(folder, 1).model.name
    except DomainError as error:
        name = str(error)
    assert str(folder) in name or "@" in name
