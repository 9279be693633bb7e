import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from groundwire.adapters.onnx.embedders import OnnxEmbedders
from groundwire.adapters.onnx.inference.sentence_model import load_sentence_model
from groundwire.adapters.onnx.models.installed_model import LANGUAGES_FILE, InstalledModel, read_installed_model
from groundwire.adapters.onnx.models.manifest import MANIFEST_FILE
from groundwire.adapters.onnx.models.store import ModelStore
from groundwire.domain.errors import Conflict, InvalidInput, NotFound
from groundwire.domain.search.model_languages import ALL_LANGUAGES, ENGLISH
from groundwire.ports import Embedders, ModelId
from groundwire.settings.model_spec import ModelSpec
from groundwire_model_builder.install.installer import add_model
from tests.server.adapters.onnx.test_sentence_model import installed, quiet
from tests.support.models.repositories import Repo, cross_encoder, encoder, helper


@pytest.fixture
def models(tmp_path: Path) -> Path:
    return tmp_path / "models"


def _lengthened(path: Path) -> None:
    path.write_bytes(path.read_bytes() + b"\0")


def folder_of(models: Path, model: InstalledModel) -> Path:
    return models / model.folder_name


@pytest.mark.parametrize("name", ["model.onnx", "tokenizer.json"])
@pytest.mark.parametrize("damage", [_lengthened, Path.unlink])
def test_a_damaged_file_is_named_and_the_model_is_not_loaded(
    tmp_path: Path, models: Path, name: str, damage: Any
) -> None:
    folder = folder_of(models, installed(tmp_path, Repo()))
    damage(folder / name)
    with pytest.raises(InvalidInput, match=f"{name}.*groundwire model add"):
        load_sentence_model(folder, 1)


@pytest.mark.parametrize("content", [b"", b"[]", b"{", b'{"format": 2}', b'{"format": 3}', b"\xff"])
def test_an_invalid_manifest_is_refused(tmp_path: Path, models: Path, content: bytes) -> None:
    folder = folder_of(models, installed(tmp_path, Repo()))
    (folder / MANIFEST_FILE).write_bytes(content)
    with pytest.raises(InvalidInput, match=r"model\.json cannot be read"):
        read_installed_model(folder)


def test_a_graph_whose_vectors_have_another_size_than_the_manifest_states_is_refused(
    tmp_path: Path, models: Path
) -> None:
    folder = folder_of(models, installed(tmp_path, Repo()))
    fields = json.loads((folder / MANIFEST_FILE).read_bytes())
    fields["use"]["full_dimension"] = 9
    (folder / MANIFEST_FILE).write_text(json.dumps(fields))
    with pytest.raises(InvalidInput, match="vectors of 8 values, not 9"):
        load_sentence_model(folder, 1).embed(["cat"], "query")


def test_adding_a_model_again_changes_nothing_and_repairs_a_damaged_one(tmp_path: Path, models: Path) -> None:
    folder = folder_of(models, installed(tmp_path, Repo()))
    before = (folder / "model.onnx").stat()
    installed(tmp_path, Repo())
    assert (folder / "model.onnx").stat() == before
    (folder / "model.onnx").write_bytes(b"")
    installed(tmp_path, Repo())
    assert load_sentence_model(folder, 1).embed(["cat"], "query")
    assert [path.name for path in models.iterdir() if path.is_dir()] == [folder.name]


@pytest.mark.parametrize(
    ("card", "codes"),
    [
        ("---\nlanguage: en\nlicense: mit\n---\n", {"en"}),
        ("---\nlicense: mit\nlanguage:\n- de\n- 'no'\ntags:\n- fr\n---\n", {"de", "no"}),
        ("---\nlanguage: [en, fr]\n---\n", {"en", "fr"}),
        ("---\nlanguage:\n  - multilingual\n  - en\n---\n", None),
        ("---\nlicense: mit\n---\nlanguage: en\n", None),
        ("language: en\n", None),
    ],
)
def test_the_languages_of_a_model_are_those_of_its_card(tmp_path: Path, card: str, codes: set[str] | None) -> None:
    folder = folder_of(tmp_path / "models", installed(tmp_path, Repo(card=card)))
    assert load_sentence_model(folder, 1).languages.codes == codes


def test_stated_languages_take_the_place_of_the_cards_and_change_no_vector(tmp_path: Path, models: Path) -> None:
    folder = folder_of(models, installed(tmp_path, Repo()))
    id_before, before = load_sentence_model(folder, 1).model, (folder / "model.onnx").stat()
    installed(tmp_path, Repo(), languages=("de", "en"))
    model = load_sentence_model(folder, 1)
    assert model.languages.codes == {"de", "en"}
    assert (model.model, (folder / "model.onnx").stat()) == (id_before, before)


def test_a_manifest_of_an_earlier_release_leaves_the_languages_to_the_name(tmp_path: Path, models: Path) -> None:
    folder = folder_of(models, installed(tmp_path, Repo()))
    fields = json.loads((folder / MANIFEST_FILE).read_bytes())
    (folder / LANGUAGES_FILE).unlink()
    assert load_sentence_model(folder, 1).languages == ALL_LANGUAGES
    fields["name"] = "sentence-transformers/all-MiniLM-L6-v2"
    (folder / MANIFEST_FILE).write_text(json.dumps(fields))
    assert load_sentence_model(folder, 1).languages == ENGLISH


def test_languages_are_codes_and_belong_to_vectors(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="two letters"):
        installed(tmp_path, Repo(), languages=("german",))
    with pytest.raises(InvalidInput, match="makes no vectors"):
        installed(tmp_path, Repo(), kind="reranker", languages=("de",))


def test_two_models_cannot_have_one_id(tmp_path: Path) -> None:
    first = Repo().write(tmp_path / "first")
    second = Repo(model=encoder(seed=6)).write(tmp_path / "second")
    add_model(tmp_path / "models", ModelSpec("tiny", first, "v1", precision="f32"), quiet)
    with pytest.raises(Conflict, match="another --revision"):
        add_model(tmp_path / "models", ModelSpec("tiny", second, "v1", precision="f32"), quiet)


def test_models_of_two_contents_have_two_revisions(tmp_path: Path) -> None:
    assert installed(tmp_path, Repo()).revision != installed(tmp_path, Repo(model=encoder(seed=6))).revision


@pytest.mark.parametrize(
    ("repo", "reason"),
    [
        (Repo(modules=["Transformer", "Pooling", "WordWeights"]), "WordWeights layer"),
        (Repo(pooling=None), "--pooling"),
        (Repo(pooling={"pooling_mode_mean_tokens": True, "pooling_mode_cls_token": True}), "pooling is not one of"),
        (Repo(pooling={"pooling_mode_weightedmean_tokens": True}), "pooling is not one of"),
        (Repo(prompts={"similarity_fn_name": "dot"}, modules=["Transformer", "Pooling"]), "compared by dot"),
        (
            Repo(
                prompts={"prompts": {"query": "query"}},
                pooling={"pooling_mode_mean_tokens": True, "include_prompt": False},
            ),
            "prompts out of its pooling",
        ),
        (Repo(graph="onnx/other.onnx"), "no ONNX graph"),
        (Repo(graph="onnx/model_int8.onnx"), "only int8 ones"),
    ],
)
def test_what_is_not_supported_is_refused_with_its_reason(tmp_path: Path, repo: Repo, reason: str) -> None:
    with pytest.raises(InvalidInput, match=reason):
        installed(tmp_path, repo)
    assert ModelStore(tmp_path / "models").all() == []


def test_pooling_may_be_named_where_the_model_does_not_say_it(tmp_path: Path) -> None:
    assert installed(tmp_path, Repo(pooling=None, modules=[]), pooling="cls").kind == "embedding"


def test_a_dimension_beyond_the_models_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="have 8 dimensions"):
        installed(tmp_path, Repo(), dimension=9)


def test_a_graph_that_needs_more_inputs_than_tokens_is_refused(tmp_path: Path) -> None:
    model = encoder()
    model.graph.input.append(helper.make_tensor_value_info("past_key_values", 1, ["batch"]))
    with pytest.raises(InvalidInput, match="past_key_values"):
        installed(tmp_path, Repo(model=model))


@pytest.mark.parametrize("name", ["onnx/model.onnx", "tokenizer.json", "modules.json"])
def test_a_file_that_is_not_what_its_name_states_is_refused(tmp_path: Path, name: str) -> None:
    folder = Repo().write(tmp_path / "repository")
    (folder / name).write_bytes(b"\xff{")
    with pytest.raises(InvalidInput):
        add_model(tmp_path / "models", ModelSpec("tiny", folder, None), quiet)


def test_weights_outside_the_graphs_folder_are_not_read(tmp_path: Path) -> None:
    model = encoder()
    tensor = model.graph.initializer[0]
    tensor.ClearField("raw_data")
    tensor.data_location = 1
    tensor.external_data.add(key="location", value="../secret")
    (tmp_path / "repository").mkdir()
    (tmp_path / "repository" / "secret").write_bytes(bytes(4 * 40 * 8))
    with pytest.raises(InvalidInput, match="does not lie beside it"):
        installed(tmp_path, Repo(model=model))


def test_weights_beside_the_graph_come_along(tmp_path: Path, models: Path) -> None:
    model = encoder()
    tensor = model.graph.initializer[0]
    content = tensor.raw_data
    tensor.ClearField("raw_data")
    tensor.data_location = 1
    tensor.external_data.add(key="location", value="model.onnx_data")
    (tmp_path / "repository" / "onnx").mkdir(parents=True)
    (tmp_path / "repository" / "onnx" / "model.onnx_data").write_bytes(content)
    separately = installed(tmp_path, Repo(model=model))
    assert "model.onnx_data" in separately.files
    whole = installed(tmp_path, Repo())
    texts = ["cat", "the dog"]
    loaded = [load_sentence_model(folder_of(models, model), 1).embed(texts, "query") for model in (separately, whole)]
    assert loaded[0] == loaded[1]


def test_the_licence_is_the_cards(tmp_path: Path) -> None:
    assert installed(tmp_path / "one", Repo()).licence == "mit"
    assert installed(tmp_path / "other", Repo(card="No licence here.")).licence == ""


@pytest.mark.parametrize("name", ["", "../tiny", "a/b/c", "a b", "/a"])
def test_an_invalid_model_name_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(InvalidInput, match="cannot be a model's name"):
        add_model(tmp_path / "models", ModelSpec(name, tmp_path, None), quiet)


def test_an_index_finds_the_embedder_of_its_own_model(tmp_path: Path, models: Path, tiny_model: Path) -> None:
    half, whole = installed(tmp_path, Repo(), dimension=4), installed(tmp_path, Repo())
    embedders: Embedders = OnnxEmbedders(tiny_model, ModelStore(models), 1)
    assert embedders.for_model(half.embedding_model_id).model == half.embedding_model_id
    assert embedders.for_model(whole.embedding_model_id).model == whole.embedding_model_id
    assert embedders.for_model(whole.embedding_model_id) is embedders.for_model(whole.embedding_model_id)
    assert embedders.for_model(ModelId("tiny-int8", 32)) is embedders.default


def test_a_model_that_is_not_here_states_how_to_get_it(tmp_path: Path, models: Path, tiny_model: Path) -> None:
    with pytest.raises(NotFound, match="is not installed") as missing:
        OnnxEmbedders(tiny_model, ModelStore(models), 1).for_model(ModelId("maker/other@v1/8/f32", 8))
    assert missing.value.remedy == "install_model"


def test_an_added_model_may_be_the_default(tmp_path: Path, models: Path) -> None:
    model = installed(tmp_path, Repo())
    embedders = OnnxEmbedders(folder_of(models, model), ModelStore(models), 1)
    assert embedders.default.model == model.embedding_model_id


def test_a_name_finds_its_model_unless_several_have_it(tmp_path: Path, models: Path) -> None:
    whole = installed(tmp_path, Repo())
    judge = Repo(model=cross_encoder(1)).write(tmp_path / "judge")
    reranker = add_model(models, ModelSpec("tiny", judge, None, "reranker", "f32"), quiet)
    document_folder = ModelStore(models)
    assert document_folder.find("tiny", "embedding") == whole
    assert document_folder.find("tiny", "reranker") == reranker
    half = installed(tmp_path, Repo(), dimension=4)
    assert document_folder.find(half.id, "embedding") == half
    with pytest.raises(InvalidInput, match="several times"):
        document_folder.find("tiny", "embedding")
    with pytest.raises(NotFound, match="groundwire model add NAME --reranker"):
        document_folder.find("another", "reranker")


def test_without_the_library_the_error_names_the_extra(tmp_path: Path, models: Path) -> None:
    folder = folder_of(models, installed(tmp_path, Repo()))
    script = (
        "import sys; sys.modules['tokenizers'] = None\n"
        "from pathlib import Path\n"
        "from groundwire.adapters.onnx.inference.sentence_model import load_sentence_model\n"
        f"load_sentence_model(Path({str(folder)!r}), 1)"
    )
    tried = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert "pip install -e '.[models]'" in tried.stderr
