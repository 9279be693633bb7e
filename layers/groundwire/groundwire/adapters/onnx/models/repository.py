"""A model's folder in the layout of a hub, and the settings that each of its files declares.

Layout: https://sbert.net/docs/sentence_transformer/usage/efficiency.html and the transformers library's file names.
"""

import json
import re
from collections.abc import Collection
from pathlib import Path
from typing import Any, Final, cast

from groundwire.adapters.onnx.models.installed_model import TOKENIZER_FILE, TokenizerConfig
from groundwire.domain.errors import InvalidInput
from groundwire.domain.search.model_languages import ModelLanguages
from groundwire.domain.text.json_values import mapping_or_empty
from groundwire.settings.model_spec import Precision

_F32: Final = ("onnx/model.onnx", "model.onnx")
_INT8: Final = ("onnx/model_quantized.onnx", "onnx/model_int8.onnx", "model_quantized.onnx", "model_int8.onnx")
_CARD: Final = "README.md"
_CONFIG_FILES: Final = (
    *("config.json", "tokenizer_config.json", TOKENIZER_FILE, "modules.json"),
    *("sentence_bert_config.json", "config_sentence_transformers.json", _CARD),
)
_MODULE_FILE: Final = re.compile(r"[0-9]+_[A-Za-z]+/(?:config\.json|model\.safetensors)")
"""Files of the layers after the encoder."""
_WEIGHT_SUFFIXES: Final = ("_data", ".data")
"""Suffixes after the graph's name that mark the files of its weights."""

_MAX_TOKENS: Final = 8192
_DEFAULT_TOKENS: Final = 512
# These encoders start to count positions after the padding token's id.
_RESERVED_POSITIONS: Final = {"roberta": 2, "xlm-roberta": 2, "camembert": 2, "mpnet": 2}
_FRONT_MATTER: Final = re.compile(r"\A---\n(.*?\n)---", re.DOTALL)
_LANGUAGE: Final = re.compile(r"^language:[ \t]*([^\n]*)\n((?:[ \t]*-[^\n]*\n)*)", re.MULTILINE)
"""Member of the card with one language, a list in brackets, or a list of lines."""
_WORD: Final = re.compile(r"[\w-]*\w")
_LICENCE: Final = re.compile(r"\A---\n(?:.*\n)*?license:\s*([\w.+-]+)\s*\n(?:.*\n)*?---", re.MULTILINE)


def graph_name(names: Collection[str], precision: Precision) -> str | None:
    """Return the graph to install: one of this precision if present, else the f32 one, to be quantised."""
    wanted = (*_INT8, *_F32) if precision == "int8" else _F32
    return next((name for name in wanted if name in names), None)


def required_files(names: Collection[str], precision: Precision) -> list[str]:
    """Return the files of a repository that an installation uses."""
    graph = graph_name(names, precision)
    return [
        name
        for name in names
        if name in _CONFIG_FILES
        or name == graph
        or _MODULE_FILE.fullmatch(name)
        or (graph and _is_weight_file(name, graph))
    ]


def _is_weight_file(name: str, graph: str) -> bool:
    """Return whether a name is that of a weight file of `graph`; one that leads out of the download folder is not."""
    return name.startswith(tuple(graph + data for data in _WEIGHT_SUFFIXES)) and "/" not in name.removeprefix(graph)


class ModelRepository:
    """Reader of one folder; every method raises InvalidInput for a file that is not of the expected form."""

    def __init__(self, folder: Path) -> None:
        if not folder.is_dir():
            raise InvalidInput(f"{folder} is no folder: name the one that holds the model's files.")
        self.folder = folder

    def tokenizer(self) -> Path:
        """Return the path of the tokenizer's file."""
        path = self.folder / TOKENIZER_FILE
        if not path.is_file():
            raise InvalidInput(f"{self.folder} has no {TOKENIZER_FILE}: export the model's fast tokenizer into it.")
        return path

    def graph(self, precision: Precision) -> Path:
        """Return the path of the graph to install; see `graph_name`."""
        present = [name for name in (*_INT8, *_F32) if (self.folder / name).is_file()]
        name = graph_name(present, precision)
        if name is None:
            other = ", only int8 ones: use --precision int8" if present else ""
            raise InvalidInput(f"{self.folder} has no ONNX graph ({' or '.join(_F32)}){other}.")
        return self.folder / name

    def is_quantised(self, graph: Path) -> bool:
        """Return whether a graph was published as int8."""
        return str(graph.relative_to(self.folder).as_posix()) in _INT8

    def json_object(self, name: str) -> dict[str, Any]:
        """Return a JSON object by its path in the folder; empty when there is no such file."""
        found = self._json(name)
        if found is None:
            return {}
        if not isinstance(found, dict):
            raise InvalidInput(f"{self.folder / name} is no JSON object.")
        return cast("dict[str, Any]", found)

    def json_section(self, name: str, key: str) -> dict[str, Any]:
        """Return the member `key` of a JSON object; empty if it is missing."""
        found: object = self.json_object(name).get(key)
        return dict(mapping_or_empty(found))

    def modules(self) -> list[tuple[str, str]]:
        """Return kind and folder of the model's processing steps, in order; empty when none are declared."""
        listed = self._json("modules.json")
        try:
            return [(str(each["type"]).rpartition(".")[2], str(each["path"])) for each in cast("Any", listed or [])]
        except (KeyError, TypeError) as error:
            raise InvalidInput(f"{self.folder / 'modules.json'} is no list of modules.") from error

    def tokenizer_config(self) -> TokenizerConfig:
        """Return window, padding and case of the tokenizer."""
        config, sentence_config = self.json_object("config.json"), self.json_object("sentence_bert_config.json")
        padding = self.json_section(TOKENIZER_FILE, "padding").get("pad_id", config.get("pad_token_id"))
        return TokenizerConfig(
            max_tokens=self._max_tokens(config, sentence_config),
            padding_id=padding if isinstance(padding, int) else 0,
            lower_case=sentence_config.get("do_lower_case") is True,
        )

    def licence(self) -> str:
        """Return the licence from the model's card; empty when the card names none."""
        path = self.folder / _CARD
        stated = _LICENCE.search(path.read_text("utf-8", "replace")) if path.is_file() else None
        return stated.group(1) if stated else ""

    def languages(self) -> ModelLanguages | None:
        """Return the languages that the model's card names; None where it names none."""
        path = self.folder / _CARD
        card = _FRONT_MATTER.search(path.read_text("utf-8", "replace")) if path.is_file() else None
        stated = _LANGUAGE.search(card.group(1)) if card else None
        return ModelLanguages.of(_WORD.findall(" ".join(stated.groups()))) if stated else None

    def _max_tokens(self, config: dict[str, Any], sentence_config: dict[str, Any]) -> int:
        positions = config.get("max_position_embeddings")
        if isinstance(positions, int):
            positions -= _RESERVED_POSITIONS.get(str(config.get("model_type")), 0)
        stated = (
            sentence_config.get("max_seq_length"),
            self.json_object("tokenizer_config.json").get("model_max_length"),
            positions,
        )
        # Tokenizers without a window declare a number of thirty digits.
        known = [number for number in stated if isinstance(number, int) and 1 < number < 1 << 20]
        limit = min(positions, _MAX_TOKENS) if isinstance(positions, int) else _MAX_TOKENS
        return min(known[0] if known else _DEFAULT_TOKENS, limit)

    def _json(self, name: str) -> object:
        path = self.folder / name
        if not path.is_file():
            return None
        try:
            return json.loads(path.read_bytes())
        except ValueError as error:
            raise InvalidInput(f"{path} is no JSON: fetch the model again.") from error
