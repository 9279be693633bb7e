"""Settings read once from environment variables; one that the catalog does not have is refused."""

import re
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from groundwire.domain.errors import InvalidInput
from groundwire.domain.limits import LINK_SECONDS, MAX_LINK_SECONDS
from groundwire.settings.catalog import (
    DEPLOYMENT_SETTINGS,
    EMBEDDER_SETTINGS,
    INDEX_SETTINGS,
    PLANNER_SETTINGS,
    SETTING_NAMES,
    SIGN_IN_SETTINGS,
)
from groundwire.settings.catalog.laptop import DEFAULT_MODEL, DEFAULT_THREADS, NO_OCR
from groundwire.settings.catalog.server import DEFAULT_PUBLIC_URL
from groundwire.settings.egress import PUBLIC_HOSTS_ONLY, EgressSettings, parse_egress
from groundwire.settings.model_spec import PACKAGED_MODEL_FOLDERS
from groundwire.settings.relevance_fits import read_relevance_fits

if TYPE_CHECKING:
    from groundwire.domain.keys.oauth import IdentityProvider
    from groundwire.domain.search.relevance import ModelFits
    from groundwire.settings.embedding_service import EmbeddingService
    from groundwire.settings.index_service import IndexService
    from groundwire.settings.query_planner import PlannerSettings

_LANGUAGE: Final = r"[a-z]{3}(?:_[A-Za-z]{2,10}){0,2}"
_ORIGIN: Final = r"[a-z][a-z0-9+.-]*://[^\s/?#@*A-Z]+"
"""An origin as browsers send it, those of extensions among them."""
_PREFIX: Final = "GROUNDWIRE_"


@dataclass(frozen=True, slots=True)
class Settings:
    """Configuration of this process.

    Attributes:
        home: folder of registry, indexes, originals, audit and secrets.
        model: folder of the embedding model of new tenants.
        models: folder of the models that `groundwire model add` installs.
        reranker: an installed model, or `bedrock:` and a model's id, that reorders search results; None: no reranking.
        public_url: URL at which agents reach this server; links are built from it, never from a request.
        allowed_origins: browser origins that may call, beside the server's own.
        bind_host: address that this process listens on; None: it does not listen, or does not know.
        threads: threads of one embedding call.
        dialects: names of those that are switched on; None: those that are on by default.
        open_discovery: names of the dialects that list their tools to callers without a credential.
        link_seconds: lifetime of a link to a stored original.
        ocr: languages of text recognition in scanned pages, by Tesseract's names; empty: no recognition.
        enricher: program, with its arguments, that enriches documents at ingestion; None: no enrichment.
        tessdata: folder of those languages' data; None: that of the `ocr` extra, else the system's.
        identity_provider: provider whose access tokens are accepted besides API keys; None: only keys are.
        embedding_service: service that embeds instead of this process; None: this process embeds.
        index_service: the service with the index; None: the embedded index.
        relevance_fits: fits of relevance for own models, before the built-in ones.
        image_model: folder of a CLIP-shaped model that embeds images; None: this process embeds none.
        egress: hosts that this server may call.
        planner: query planning by models; None: rules plan.
    """

    home: Path
    model: Path
    models: Path
    reranker: str | None
    public_url: str
    allowed_origins: frozenset[str]
    threads: int
    link_seconds: int
    ocr: tuple[str, ...]
    tessdata: Path | None
    enricher: str | None = None
    identity_provider: "IdentityProvider | None" = None
    embedding_service: "EmbeddingService | None" = None
    index_service: "IndexService | None" = None
    relevance_fits: "tuple[ModelFits, ...]" = ()
    dialects: tuple[str, ...] | None = None
    open_discovery: frozenset[str] = frozenset()
    bind_host: str | None = None
    image_model: Path | None = None
    egress: EgressSettings = PUBLIC_HOSTS_ONLY
    planner: "PlannerSettings | None" = None

    @property
    def is_loopback_server(self) -> bool:
        """True if this process listens on a loopback address, which only this machine reaches."""
        return self.bind_host is not None and _is_loopback(self.bind_host)


def checkout_folder() -> Path | None:
    """Return the folder with template.yaml and functions/ when the package is in a checkout, else None."""
    root = Path(__file__).resolve().parents[4]
    return root if (root / "template.yaml").is_file() else None


def read_settings(environment: Mapping[str, str]) -> Settings:
    """Read the settings from this environment.

    Raises:
        InvalidInput: an unknown GROUNDWIRE_ variable, or a value that is not valid.
    """
    given = {name.removeprefix(_PREFIX): value for name, value in environment.items() if name.startswith(_PREFIX)}
    if unknown := sorted(set(given) - SETTING_NAMES):
        names = ", ".join(_PREFIX + name for name in unknown)
        raise InvalidInput(f"Unknown setting {names}: unset it or correct its name (docs/settings.md lists them all).")
    models = Path(given.get("MODELS") or _default_models()).expanduser().absolute()
    return Settings(
        home=Path(given.get("HOME") or _default_home(environment)).expanduser().absolute(),
        model=_model_folder(given.get("MODEL") or DEFAULT_MODEL, models),
        models=models,
        reranker=given.get("RERANKER") or None,
        public_url=_url(given.get("PUBLIC_URL") or DEFAULT_PUBLIC_URL),
        allowed_origins=frozenset(map(_origin, given.get("ALLOWED_ORIGINS", "").split())),
        bind_host=given.get("BIND_HOST") or None,
        threads=_positive_integer("THREADS", given.get("THREADS") or str(DEFAULT_THREADS)),
        link_seconds=_positive_integer(
            "LINK_SECONDS", given.get("LINK_SECONDS") or str(LINK_SECONDS), MAX_LINK_SECONDS
        ),
        ocr=_languages(given.get("OCR") or NO_OCR),
        tessdata=Path(given["TESSDATA"]).expanduser().absolute() if given.get("TESSDATA") else None,
        enricher=given.get("ENRICHER") or None,
        identity_provider=_identity_provider({name: given[name] for name in SIGN_IN_SETTINGS if given.get(name)}),
        embedding_service=_embedding_service(*(given.get(name) or None for name in EMBEDDER_SETTINGS)),
        index_service=_index_service({name: given[name] for name in INDEX_SETTINGS if given.get(name)}),
        relevance_fits=read_relevance_fits(given.get("RELEVANCE_FITS", "")),
        dialects=tuple(given.get("DIALECTS", "").split()) or None,
        open_discovery=frozenset(given.get("OPEN_DISCOVERY", "").split()),
        image_model=Path(given["IMAGE_MODEL"]).expanduser().absolute() if given.get("IMAGE_MODEL") else None,
        egress=parse_egress(given),
        planner=_planner({name: given[name] for name in PLANNER_SETTINGS if given.get(name)}),
    )


def deployment_settings(environment: Mapping[str, str]) -> dict[str, str]:
    """Return the settings that template.yaml gave this function (tables, log, secret), by name without the prefix."""
    return {
        name: environment[_PREFIX + name] for name in sorted(DEPLOYMENT_SETTINGS) if environment.get(_PREFIX + name)
    }


def max_receives(text: str) -> int:
    """Return how often the queue delivers a message, from the setting MAX_RECEIVES.

    Raises:
        InvalidInput: the text is not a positive number.
    """
    if not text.isascii() or not text.isdigit() or int(text) < 1:
        raise InvalidInput(f"{_PREFIX}MAX_RECEIVES must be a whole number of 1 or more, not {text!r}.")
    return int(text)


def _model_folder(folder_or_name: str, models: Path) -> Path:
    """Return the model's folder; the default model and the packaged ones are named without it."""
    if folder_or_name == DEFAULT_MODEL:
        return models / DEFAULT_MODEL
    if folder_or_name in PACKAGED_MODEL_FOLDERS:
        return models / PACKAGED_MODEL_FOLDERS[folder_or_name]
    return Path(folder_or_name).expanduser().absolute()


def _default_home(environment: Mapping[str, str]) -> Path:
    """Return `.groundwire` of the current folder if it exists, else of the checkout, else the user's data folder.

    Without this order, the current folder would silently decide the home, and a command in another folder would create
    an empty one.
    """
    local = Path(".groundwire")
    if (local / "registry.db").exists():
        return local
    root = checkout_folder()
    if root is not None:
        return root / ".groundwire"
    # The XDG base directory specification; on macOS the folder that Apple documents for application data.
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support" / "groundwire"
    return Path(environment.get("XDG_DATA_HOME") or Path.home() / ".local" / "share") / "groundwire"


def _default_models() -> Path:
    root = checkout_folder()
    cache = root / ".cache" if root else Path.home() / ".cache" / "groundwire"
    return cache / "models"


def _languages(text: str) -> tuple[str, ...]:
    if text == NO_OCR:
        return ()
    languages = tuple(text.split("+"))
    if not all(re.fullmatch(_LANGUAGE, language) for language in languages):
        raise InvalidInput(
            f"{_PREFIX}OCR must be off or Tesseract's names of languages, such as eng or eng+deu, not {text!r}."
        )
    return languages


def _url(text: str) -> str:
    if not text.startswith(("https://", "http://")) or any(c.isspace() for c in text):
        raise InvalidInput(f"{_PREFIX}PUBLIC_URL must be an http or https address, not {text!r}.")
    return text.rstrip("/")


def _origin(text: str) -> str:
    if not re.fullmatch(_ORIGIN, text):
        raise InvalidInput(
            f"{_PREFIX}ALLOWED_ORIGINS must hold origins such as https://app.example.com, in lower case and without "
            f"a path, not {text!r}."
        )
    return text


def _is_loopback(host: str) -> bool:
    # Lazy import: a function does not listen.
    from ipaddress import ip_address

    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _index_service(given: Mapping[str, str]) -> "IndexService | None":
    if not given:
        return None
    # Lazy import: a server with the embedded index starts without it.
    from groundwire.settings.index_service import parse_index_service

    return parse_index_service(given)


def _embedding_service(embedder: str | None, *models: str | None) -> "EmbeddingService | None":
    if embedder is None:
        return None
    # Lazy import: a server that embeds by itself starts without it.
    from groundwire.settings.embedding_service import parse_embedding_service

    return parse_embedding_service(embedder, *models)


def _identity_provider(given: Mapping[str, str]) -> "IdentityProvider | None":
    if not given:
        return None
    # Lazy import: a server that accepts keys only starts without it.
    from groundwire.settings.identity_provider import parse_identity_provider

    return parse_identity_provider(given)


def _planner(given: Mapping[str, str]) -> "PlannerSettings | None":
    if not given:
        return None
    # Lazy import: a server that plans by rules starts without it.
    from groundwire.settings.query_planner import parse_planner

    return parse_planner(given)


def _positive_integer(name: str, text: str, maximum: int = 1_000_000) -> int:
    is_number = text.isascii() and text.isdigit() and len(text) <= len(str(maximum))
    if not is_number or not 1 <= int(text) <= maximum:
        raise InvalidInput(f"{_PREFIX}{name} must be a whole number of 1 to {maximum}, not {text!r}.")
    return int(text)
