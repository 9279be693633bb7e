"""Settings read once from environment variables; a variable that the catalog does not have is refused."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from groundwire.domain.errors import InvalidInput
from groundwire.settings.catalog import DEPLOYMENT_SETTINGS, SETTING_GROUPS, SETTING_NAMES
from groundwire.settings.catalog.aws import MAX_RECEIVES
from groundwire.settings.catalog.server import LinkForm
from groundwire.settings.catalog.setting import PREFIX
from groundwire.settings.catalog.sign_in import NO_SIGN_IN, SignIn
from groundwire.settings.egress import PUBLIC_HOSTS_ONLY, EgressSettings

if TYPE_CHECKING:
    from groundwire.domain.keys.forms.oauth import IdentityProvider
    from groundwire.domain.search.relevance import ModelFits
    from groundwire.settings.embedding_service import EmbeddingService
    from groundwire.settings.index_service import IndexService
    from groundwire.settings.query_planner import PlannerSettings


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
        trusted_proxies: addresses and networks of proxies whose headers name a caller's address.
        threads: threads of one embedding call.
        dialects: names of those that are switched on; None: those that are on by default.
        open_discovery: names of the dialects that list their tools to callers without a credential.
        link_seconds: lifetime of a link to a stored original.
        links: form of the links in the text of answers.
        ocr: languages of text recognition in scanned pages, by Tesseract's names; empty: no recognition.
        enricher: program, with its arguments, that enriches documents at ingestion; None: no enrichment.
        tessdata: folder of those languages' data; None: that of the `ocr` extra, else the system's.
        sign_in: provider whose access tokens are accepted besides API keys, or what is wrong with its settings.
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
    sign_in: SignIn = NO_SIGN_IN
    embedding_service: "EmbeddingService | None" = None
    index_service: "IndexService | None" = None
    relevance_fits: "tuple[ModelFits, ...]" = ()
    dialects: tuple[str, ...] | None = None
    open_discovery: frozenset[str] = frozenset()
    bind_host: str | None = None
    trusted_proxies: tuple[str, ...] = ()
    image_model: Path | None = None
    egress: EgressSettings = PUBLIC_HOSTS_ONLY
    planner: "PlannerSettings | None" = None
    links: LinkForm = "full"

    @property
    def identity_provider(self) -> "IdentityProvider | None":
        """Provider whose access tokens are accepted; None: only API keys are.

        Raises:
            InvalidInput: its settings are incomplete or not valid; only what needs the provider reads it.
        """
        return self.sign_in.provider()

    @property
    def signs_in_to_page(self) -> bool:
        """True if people sign in to the page by the identity provider; false while its settings are not valid."""
        return self.sign_in.usable is not None and self.sign_in.usable.client_id is not None

    @property
    def is_loopback_server(self) -> bool:
        """True if this process listens on a loopback address, which only this machine reaches."""
        return self.bind_host is not None and _is_loopback(self.bind_host)


def read_settings(environment: Mapping[str, str]) -> Settings:
    """Read the settings from this environment.

    Raises:
        InvalidInput: an unknown GROUNDWIRE_ variable, or a value that is not valid.
    """
    given = {name.removeprefix(PREFIX) for name in environment if name.startswith(PREFIX)}
    # A misspelt name would leave the default in force without notice.
    if unknown := sorted(given - SETTING_NAMES):
        names = ", ".join(PREFIX + name for name in unknown)
        raise InvalidInput(f"Unknown setting {names}: unset it or correct its name (docs/settings.md lists them all).")
    members = (group.members(environment).items() for group in SETTING_GROUPS)
    return Settings(**{field: value for items in members for field, value in items})


def deployment_settings(environment: Mapping[str, str]) -> dict[str, str]:
    """Return the settings that template.yaml gave this function (tables, log, secret), by name without the prefix."""
    return {name: environment[PREFIX + name] for name in sorted(DEPLOYMENT_SETTINGS) if environment.get(PREFIX + name)}


def max_receives(text: str) -> int:
    """Return how often the queue delivers a message, from the setting MAX_RECEIVES.

    Raises:
        InvalidInput: the text is not a positive number.
    """
    return MAX_RECEIVES.parse_text(text, {})


def _is_loopback(host: str) -> bool:
    # Lazy import: a function does not listen.
    from ipaddress import ip_address

    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
