"""Settings of a developer on a laptop."""

from typing import Final

from groundwire.settings.catalog.setting import Audience, Setting, SettingGroup

DEFAULT_MODEL: Final = "all-MiniLM-L6-v2-int8"
DEFAULT_THREADS: Final = 2
NO_OCR: Final = "off"

FOLDERS: Final = SettingGroup(
    Audience.DEVELOPER,
    "Folders",
    (
        Setting(
            "HOME",
            "`.groundwire`",
            "Folder of registry, indexes, originals, audit log and secrets. By default the server takes `.groundwire` "
            "of the current folder if it holds a registry. Otherwise it takes `.groundwire` of the checkout. Outside a "
            "checkout it takes the data folder of the user.",
        ),
        Setting(
            "MODELS",
            "`.cache/models` in the checkout, else `~/.cache/groundwire/models`",
            "Folder of the models that `groundwire model add` installs.",
        ),
    ),
)
MODELS: Final = SettingGroup(
    Audience.DEVELOPER,
    "Models",
    (
        Setting(
            "MODEL",
            f"`{DEFAULT_MODEL}` in the folder of models",
            "Embedding model of new tenants: a folder, or `multilingual-small`. Existing tenants keep their model "
            "until `groundwire reindex`.",
        ),
        Setting(
            "RERANKER",
            "",
            "Reranker of search results: the name or id of an installed model, or a model of Amazon Bedrock. For "
            "Bedrock write `bedrock:cohere.rerank-v3-5:0` or `bedrock:amazon.rerank-v1:0`.",
        ),
        Setting(
            "IMAGE_MODEL",
            "",
            "Folder of a CLIP model, which embeds the images of documents and the questions for them.",
        ),
        Setting(
            "RELEVANCE_FITS",
            "the built-in fit",
            "Fits of relevance for your own models or documents, as `groundwire eval --fit-relevance` prints them.",
        ),
        Setting("THREADS", f"`{DEFAULT_THREADS}`", "Threads of one embedding call."),
    ),
)
INGESTION: Final = SettingGroup(
    Audience.DEVELOPER,
    "Ingestion",
    (
        Setting(
            "OCR",
            f"`{NO_OCR}`",
            "Languages of text recognition in scanned PDF pages, by the names of Tesseract: `eng`, `eng+deu`.",
        ),
        Setting(
            "TESSDATA",
            "that of the `ocr` extra, else that of the system",
            "Folder of the `.traineddata` files of these languages. The server downloads none.",
        ),
        Setting(
            "ENRICHER",
            "",
            "Program, with its arguments, that gets the passages of a document before they are indexed.",
        ),
    ),
)
