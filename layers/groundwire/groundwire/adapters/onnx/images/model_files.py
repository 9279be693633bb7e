"""Files of a CLIP-shaped model in the layout of published ONNX exports, read from one folder.

Layout: `onnx/text_model.onnx` and `onnx/vision_model.onnx` (or both at the top), `tokenizer.json`,
`preprocessor_config.json`, and where they exist `tokenizer_config.json` and `config.json`.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

from groundwire.adapters.onnx.images.pixels import PREPROCESSOR_FILE, PixelConfig, read_pixel_config
from groundwire.adapters.onnx.models.installed_model import TOKENIZER_FILE, TokenizerConfig, file_digest
from groundwire.adapters.onnx.models.repository import ModelRepository
from groundwire.domain.errors import InvalidInput, NotFound
from groundwire.domain.text.json_values import list_or_empty

_TEXT_GRAPH: Final = "text_model.onnx"
_VISION_GRAPH: Final = "vision_model.onnx"
_GRAPH_FOLDERS: Final = ("onnx", ".")
_CONFIG: Final = "config.json"
_TOKENIZER_CONFIG: Final = "tokenizer_config.json"
_WEIGHTS: Final = ("_data*", ".data*")
"""Endings after a graph's name of the files that hold its weights."""
_NAME: Final = re.compile(r"[A-Za-z0-9][\w.-]*(?:/[A-Za-z0-9][\w.-]*)?")
_DIGEST_CHARACTERS: Final = 12
_CLIP: Final = "clip"
_WINDOWS: Final = {"siglip": 64, "siglip2": 64}
"""Windows by architecture of models whose files leave out what is the default of the architecture."""
_CLIP_WINDOW: Final = 77
_MAX_WINDOW: Final = 512


@dataclass(frozen=True, slots=True)
class ImageModelFiles:
    """A model's folder as it was read.

    Attributes:
        name: stated name and digest of all files: another file is another model.
        is_clip: CLIP itself, whose vectors share a space only after a projection, and which ignores padding; others,
            such as SigLIP, may have pooled vectors of one space, and were trained with texts that fill the window.
    """

    name: str
    text_graph: Path
    vision_graph: Path
    tokenizer_file: Path
    tokenizer: TokenizerConfig
    pixels: PixelConfig
    is_clip: bool


def read_image_model(folder: Path) -> ImageModelFiles:
    """Return the files and settings of the model in `folder`; no graph is loaded.

    Raises:
        NotFound: there is no such folder.
        InvalidInput: a file is missing, or declares what is not supported.
    """
    if not folder.is_dir():
        raise NotFound(f"no image model in {folder}: set GROUNDWIRE_IMAGE_MODEL to the folder of its files")
    repository = ModelRepository(folder)
    text_graph, vision_graph = _graph(folder, _TEXT_GRAPH), _graph(folder, _VISION_GRAPH)
    tokenizer_file = repository.tokenizer()
    config = repository.json_object(_CONFIG)
    pixels = read_pixel_config(repository)
    return ImageModelFiles(
        name=f"{_stated_name(config)}@{_digest(folder, [text_graph, vision_graph])}",
        text_graph=text_graph,
        vision_graph=vision_graph,
        tokenizer_file=tokenizer_file,
        tokenizer=TokenizerConfig(_window(repository), _padding_id(repository), lower_case=False),
        pixels=pixels,
        is_clip=config.get("model_type", _CLIP) == _CLIP,
    )


def _graph(folder: Path, name: str) -> Path:
    found = next((folder / place / name for place in _GRAPH_FOLDERS if (folder / place / name).is_file()), None)
    if found is None:
        raise InvalidInput(
            f"{folder} has no onnx/{name}: fetch or export the model as two graphs, {_TEXT_GRAPH} and {_VISION_GRAPH}."
        )
    return found


def _stated_name(config: dict[str, Any]) -> str:
    """Return the model's name on its hub, else its architecture: the same for the same files in any folder."""
    for stated in (config.get("_name_or_path"), config.get("model_type")):
        if isinstance(stated, str) and _NAME.fullmatch(stated):
            return stated
    return "image-model"


def _digest(folder: Path, graphs: list[Path]) -> str:
    digest = sha256()
    for path in _used_files(folder, graphs):
        digest.update(f"{path.name} {file_digest(path)}\n".encode())
    return digest.hexdigest()[:_DIGEST_CHARACTERS]


def _used_files(folder: Path, graphs: list[Path]) -> Iterator[Path]:
    for graph in graphs:
        yield graph
        for ending in _WEIGHTS:
            yield from sorted(graph.parent.glob(graph.name + ending))
    for name in (TOKENIZER_FILE, PREPROCESSOR_FILE, _TOKENIZER_CONFIG, _CONFIG):
        if (folder / name).is_file():
            yield folder / name


def _window(repository: ModelRepository) -> int:
    """Return the longest input in tokens, special tokens included."""
    stated = (
        repository.json_section(_CONFIG, "text_config").get("max_position_embeddings"),
        repository.json_object(_TOKENIZER_CONFIG).get("model_max_length"),
        repository.json_section(TOKENIZER_FILE, "truncation").get("max_length"),
    )
    # Tokenizers without a window declare a number of thirty digits.
    known = [number for number in stated if isinstance(number, int) and 1 < number <= _MAX_WINDOW]
    architecture = str(repository.json_object(_CONFIG).get("model_type"))
    # The smallest one, since the graph fails on a longer input than it was made for.
    return min(known, default=_WINDOWS.get(architecture, _CLIP_WINDOW))


def _padding_id(repository: ModelRepository) -> int:
    """Return the id of the padding token, which a model that does not ignore padding has learned."""
    stated: object = repository.json_section(TOKENIZER_FILE, "padding").get("pad_id")
    if isinstance(stated, int):
        return stated
    token: object = repository.json_object(_TOKENIZER_CONFIG).get("pad_token")
    content: object = repository.json_section(_TOKENIZER_CONFIG, "pad_token").get("content", token)
    for entry in list_or_empty(repository.json_object(TOKENIZER_FILE).get("added_tokens")):
        match entry:
            case {"id": int(number), "content": str(text)} if text == content:
                return number
            case _:
                continue
    return 0
