"""Settings of a developer on a laptop."""

import re
from pathlib import Path
from typing import TYPE_CHECKING, Final

from groundwire.settings import folders
from groundwire.settings.catalog.parsers import absolute_folder, optional_folder, optional_text, whole_number
from groundwire.settings.catalog.setting import Audience, Setting, SettingGroup, Variable

if TYPE_CHECKING:
    from groundwire.domain.search.relevance import ModelFits

_DEFAULT_MODEL: Final = "all-MiniLM-L6-v2-int8"
_NO_OCR: Final = "off"
_LANGUAGE: Final = r"[a-z]{3}(?:_[A-Za-z]{2,10}){0,2}"
_MAX_THREADS: Final = 1_000_000


def _home(variable: Variable) -> Path:
    return absolute_folder(variable.text or str(folders.default_home(variable.environment)))


def _models(variable: Variable) -> Path:
    return absolute_folder(variable.text or str(folders.default_models()))


def _model(variable: Variable) -> Path:
    """Return the model's folder; the default model and the packaged ones are named without it."""
    name = variable.text
    if name == _DEFAULT_MODEL:
        return _MODELS_FOLDER.read(variable.environment) / name
    # Lazy import: a server with the default model starts without it.
    from groundwire.settings.model_spec import PACKAGED_MODEL_FOLDERS

    if name in PACKAGED_MODEL_FOLDERS:
        return _MODELS_FOLDER.read(variable.environment) / PACKAGED_MODEL_FOLDERS[name]
    return absolute_folder(name)


def _relevance_fits(variable: Variable) -> "tuple[ModelFits, ...]":
    if not variable.text:
        return ()
    # Lazy import: a server with the built-in fits starts without it.
    from groundwire.settings.relevance_fits import read_relevance_fits

    return read_relevance_fits(variable.text)


def _languages(variable: Variable) -> tuple[str, ...]:
    if variable.text == _NO_OCR:
        return ()
    languages = tuple(variable.text.split("+"))
    if not all(re.fullmatch(_LANGUAGE, language) for language in languages):
        raise variable.refusal("be off or Tesseract's names of languages, such as eng or eng+deu")
    return languages


_MODELS_FOLDER: Final = Setting(
    "MODELS",
    "Folder of the models that `groundwire model add` installs.",
    _models,
    "models",
    default_note="`.cache/models` in the checkout, else `~/.cache/groundwire/models`",
)
FOLDERS: Final = SettingGroup(
    Audience.DEVELOPER,
    "Folders",
    (
        Setting(
            "HOME",
            "Folder of registry, indexes, originals, audit log and secrets. By default the server takes `.groundwire` "
            "of the current folder if it holds a registry. Otherwise it takes `.groundwire` of the checkout. Outside a "
            "checkout it takes the data folder of the user.",
            _home,
            "home",
            default_note="`.groundwire`",
        ),
        _MODELS_FOLDER,
    ),
)
MODELS: Final = SettingGroup(
    Audience.DEVELOPER,
    "Models",
    (
        Setting(
            "MODEL",
            "Embedding model of new tenants: a folder, or `multilingual-small`. Existing tenants keep their model "
            "until `groundwire reindex`.",
            _model,
            "model",
            _DEFAULT_MODEL,
            " in the folder of models",
        ),
        Setting(
            "RERANKER",
            "Reranker of search results: the name or id of an installed model, or a model of Amazon Bedrock. For "
            "Bedrock write `bedrock:cohere.rerank-v3-5:0` or `bedrock:amazon.rerank-v1:0`.",
            optional_text,
            "reranker",
        ),
        Setting(
            "IMAGE_MODEL",
            "Folder of a CLIP model, which embeds the images of documents and the questions for them.",
            optional_folder,
            "image_model",
        ),
        Setting(
            "RELEVANCE_FITS",
            "Fits of relevance for your own models or documents, as `groundwire eval --fit-relevance` prints them.",
            _relevance_fits,
            "relevance_fits",
            default_note="the built-in fit",
        ),
        Setting("THREADS", "Threads of one embedding call.", whole_number(1, _MAX_THREADS), "threads", "2"),
    ),
)
INGESTION: Final = SettingGroup(
    Audience.DEVELOPER,
    "Ingestion",
    (
        Setting(
            "OCR",
            "Languages of text recognition in scanned PDF pages, by the names of Tesseract: `eng`, `eng+deu`.",
            _languages,
            "ocr",
            _NO_OCR,
        ),
        Setting(
            "TESSDATA",
            "Folder of the `.traineddata` files of these languages. The server downloads none.",
            optional_folder,
            "tessdata",
            default_note="that of the `ocr` extra, else that of the system",
        ),
        Setting(
            "ENRICHER",
            "Program, with its arguments, that gets the passages of a document before they are indexed.",
            optional_text,
            "enricher",
        ),
    ),
)
