"""Checks of this installation, and of restrictions that are not enforced here."""

import platform
import shlex
import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from groundwire import wiring
from groundwire.domain import limits
from groundwire.domain.documents.changes.ceiling import has_earlier_ceiling
from groundwire.domain.errors import DomainError, InvalidInput, NotFound, ParserBroken
from groundwire.domain.keys.api_key import ApiKey
from groundwire.domain.keys.forms.key_text import Secret
from groundwire.entry.cli.commands.doctor.findings import DefectFound, Finding, Report, error_text, run_check
from groundwire.entry.cli.keys.tokens import IGNORED, explanation_lines, read_token
from groundwire.entry.operator.access.tags import token_authorizer
from groundwire.entry.operator.monitoring.tenant_checks import expiry_text
from groundwire.entry.operator.sources import operator_call
from groundwire.entry.serialization.token_explanation import token_decision_to_json
from groundwire.services.sources.states import ToolStatus
from groundwire.settings import folders

if TYPE_CHECKING:
    from groundwire.domain.sources.source import McpSource
    from groundwire.services.call_context import CallContext
    from groundwire.wiring.local.services import LocalServices


def refused_policy_files() -> list[str]:
    """Return the error of each refused policy file beside or above a document's source, sorted."""
    services = wiring.local_services()
    sidecars = services.files.sidecar_resolver(services.files.folder_objects((), services.clock()))
    # A set: one policy file applies to many folders.
    messages: set[str] = set()
    for folder in _source_folders():
        try:
            sidecars.nearest_policy(services.files.storable_path(folder / "document"))
        except NotFound:
            # A link has taken the place of a folder: nothing is ingested from there.
            continue
        except InvalidInput as error:
            messages.add(str(error))
    return sorted(messages)


def _source_folders() -> set[Path]:
    """Return the folders of the documents' sources on this machine; for a missing one its nearest existing parent."""
    services = wiring.local_services()
    paths = {
        Path(document.source_path).parent
        for tenant in services.stores.tenants.all()
        for document in services.stores.documents.all(tenant.tenant, None)
        if document.source_path and document.parent is None and Path(document.source_path).is_absolute()
    }
    return {_nearest_existing(path) for path in paths}


def _nearest_existing(folder: Path) -> Path:
    return next((each for each in (folder, *folder.parents) if each.is_dir()), folder)


_LOW_DISK_BYTES = 1 << 30


def check_installation() -> list[Finding]:
    """Return the findings about this installation; a warning is about what will fail if nobody acts."""
    # The command must also work before there is a home, and it creates none.
    wiring.allow_new_home()
    services = wiring.local_services()
    model = run_check("model", lambda: str(services.model_folder.describe()["name"]))
    return [
        Finding("python", ok=True, detail=f"{platform.python_version()} on {platform.system()} {platform.machine()}"),
        *_home_findings(services),
        run_check("index", lambda: _index(services)),
        model,
        # The tenants' models cannot be checked without the default one: report one defect in one line.
        *([run_check("models", services.model_folder.check)] if model.ok and services.stores.has_home else []),
        *_image_model_findings(services),
        *_sign_in_findings(services),
        run_check("parser", lambda: _parser(services)),
        *(
            Finding("parser", ok=True, detail=str(each), is_warning=not each.enforced)
            for each in services.upkeep.parser_confinement()
        ),
        run_check("ocr", services.upkeep.text_recognition),
        run_check("template", _template),
        *([run_check("audit", lambda: _audit(services))] if services.stores.has_home else []),
        *([run_check("policies", _policy_files)] if services.stores.has_home else []),
        *(_ceiling_findings(services) if services.stores.has_home else []),
        *(_source_findings(services) if services.stores.has_home else []),
    ]


def _ceiling_findings(services: "LocalServices") -> list[Finding]:
    """Return a warning for each tenant with manual policies of an earlier release, which are ceilings now."""
    try:
        counts = {
            tenant.name: sum(map(has_earlier_ceiling, services.stores.documents.all(tenant.tenant, None)))
            for tenant in services.stores.tenants.all()
        }
    except (DomainError, OSError) as error:
        return [Finding("ceilings", ok=False, detail=error_text(error))]
    details = [_earlier_ceilings(name, count) for name, count in counts.items() if count]
    return [Finding("ceilings", ok=True, detail=detail, is_warning=True) for detail in details]


def _earlier_ceilings(tenant: str, count: int) -> str:
    manual = f"{count:,} manual {'policy' if count == 1 else 'policies'} of an earlier release, which no run replaces"
    return f"{tenant} has {manual}: `groundwire documents list --tenant {shlex.quote(tenant)} --ceilings`"


def _home_findings(services: "LocalServices") -> list[Finding]:
    """Return the checks of the home folder; the checks do not create a missing one."""
    if not services.stores.has_home:
        makers = "create one with `groundwire tenant create NAME`, or run `groundwire demo`"
        return [Finding("home", ok=True, detail=f"none yet in {services.settings.home}: {makers}")]
    return [
        run_check("home", lambda: _home(services)),
        run_check("registry", lambda: _registry(services)),
        run_check("secrets", services.upkeep.check_secrets),
        *_key_findings(services),
    ]


def _key_findings(services: "LocalServices") -> list[Finding]:
    """Return a warning for each key in force that expires soon, and the number of keys that may search as others."""
    now = services.clock()
    try:
        tenants = services.stores.tenants.all()
        keys = [(each.name, key) for each in tenants for key in services.administration.key_admin.all(each.tenant)]
    except (DomainError, OSError) as error:
        return [Finding("keys", ok=False, detail=error_text(error))]
    expiring = [
        _expiry_warning(name, key, days) for name, key in keys if (days := key.expires_in_days(now)) is not None
    ]
    searching = sum(key.options.may_search_as and key.is_active(now) for _, key in keys)
    in_order = [] if expiring else [f"none expires within {limits.KEY_EXPIRY_WARNING_DAYS} days"]
    in_order += [f"in force with --may-search-as: {searching}"] if searching else []
    warnings = [Finding("keys", ok=True, detail=detail, is_warning=True) for detail in expiring]
    return [*warnings, *(Finding("keys", ok=True, detail=detail) for detail in in_order)]


def _expiry_warning(tenant: str, key: ApiKey, days: int) -> str:
    return f"{key.kid} ({key.name}) of {tenant} {expiry_text(key, days)}: create a new key before then"


def _home(services: "LocalServices") -> str:
    home = services.settings.home
    existing = next(folder for folder in (home, *home.parents) if folder.exists())
    free = shutil.disk_usage(existing).free
    if free < _LOW_DISK_BYTES:
        raise OSError(f"{home} has {free >> 20} MB left: free some space.")
    return f"{home}, {free >> 30} GB free"


def _registry(services: "LocalServices") -> str:
    integrity_errors = services.stores.database.integrity_errors()
    if integrity_errors:
        raise OSError("; ".join(integrity_errors))
    return f"intact; tenants: {len(services.stores.tenants.all())}"


def _index(services: "LocalServices") -> str:
    index_service = services.settings.index_service
    if index_service is None:
        return "embedded, in the home folder"
    # A serverless engine may sleep, and only an answer proves that it is there.
    services.stores.indexes.wake()
    return f"{index_service.address} answers ({index_service.service})"


def _image_model_findings(services: "LocalServices") -> list[Finding]:
    """Return the check of the image model, which is loaded; none where no image model is configured."""
    from groundwire.wiring.external_backends import build_image_embedder

    settings = services.settings
    service = settings.embedding_service
    if settings.image_model is None and (service is None or service.image_model is None):
        return []

    def describe() -> str:
        embedder = build_image_embedder(settings)
        return "" if embedder is None else f"{embedder.model.name}/{embedder.model.dimension}"

    return [run_check("images", describe)]


def _sign_in_findings(services: "LocalServices") -> list[Finding]:
    """Return the check of the identity provider, whose keys are fetched now; none where no provider is configured."""
    from groundwire.wiring.external_backends import build_token_verifier

    settings = services.settings
    if settings.sign_in.problem is not None:
        return [Finding("sign-in", ok=False, detail=settings.sign_in.problem)]
    provider = settings.sign_in.usable
    if provider is None:
        return []

    def describe() -> str:
        keys = build_token_verifier(provider, settings.egress).count_keys(services.clock())
        if not keys:
            raise OSError(f"{provider.issuer} publishes no key for signatures, so every access token is refused.")
        return f"{provider.issuer} publishes {keys} {'key' if keys == 1 else 'keys'}"

    return [run_check("sign-in", describe)]


def check_token(source: str, report: Report) -> None:
    """Report the decision on the access token that standard input has; its call counts like any other.

    Raises:
        InvalidInput: there is no token, or this server accepts none.
    """
    token = Secret(read_token(source))
    explanation = token_decision_to_json(token_authorizer(wiring.local_services()).explain(token, None))
    first, *others = explanation_lines(explanation)
    report(Finding("token", ok=bool(explanation["admitted"]), detail=first))
    for line in others:
        report(Finding("token", ok=True, detail=line.strip(), is_warning=IGNORED in line))


def _parser(services: "LocalServices") -> str:
    try:
        services.ingestion.parser.for_tenant("doctor").parse(b"A line of text.", "txt")
    except ParserBroken as error:
        if sys.platform != "linux" or (refused := _refused_by_kernel(services)) is None:
            raise
        # The worker must not read a file where it cannot confine itself, so this is the cause to mend.
        raise DefectFound(
            f"No file is read: the kernel refuses what the parser needs ({refused}). Run Groundwire where a process "
            "may install a seccomp filter, such as a container with its default profile."
        ) from error
    return "the parser reads a test document"


def _refused_by_kernel(services: "LocalServices") -> str | None:
    """Return what the kernel answered where it refuses a restriction that a worker requires."""
    refused = (each for each in services.upkeep.parser_confinement() if each.is_required and not each.enforced)
    return next((f"{each.restriction}: {each.detail}" for each in refused), None)


def _template() -> str:
    return str(folders.served_folder() / "template.yaml")


def _audit(services: "LocalServices") -> str:
    verification = services.stores.audit.verify()
    if verification.problem is not None:
        raise OSError(verification.problem)
    return f"{verification.intact_lines} lines, intact"


def _policy_files() -> str:
    refused = refused_policy_files()
    if refused:
        named = " ".join(f"{each.rstrip('.')}." for each in refused)
        raise OSError(
            f"{named} Until it is corrected, readers do not change, and no file below its folder is ingested."
        )
    return "every policy file of the documents' folders is valid"


def _source_findings(services: "LocalServices") -> list[Finding]:
    """Return the check of each MCP source, whose server lists its tools now; none where there is no source."""
    try:
        return [
            _sourcerun_check(services, tenant.name, call, source)
            for tenant in services.stores.tenants.all()
            for call in [operator_call(tenant.tenant)]
            for source in services.sources.admin.list_all(call)
        ]
    except (DomainError, OSError) as error:
        return [Finding("sources", ok=False, detail=error_text(error))]


def _sourcerun_check(services: "LocalServices", tenant: str, call: "CallContext", source: "McpSource") -> Finding:
    title, inspection = f"{source.name} of {tenant}", services.sources.inspection
    if not inspection.can_inspect(source):
        reason = "it is called only for users who signed in, or is a collection of this server"
        return Finding("source", ok=True, detail=f"{title} was not checked: {reason}")
    try:
        statuses = inspection.check(call, source)
    except (DomainError, OSError) as error:
        return Finding("source", ok=False, detail=f"{title}: {error_text(error)}")
    different = [f"{name} ({status.value})" for name, status in statuses.items() if status is not ToolStatus.ENABLED]
    if not different:
        return Finding("source", ok=True, detail=f"{title} answers; its tools are as accepted: {len(statuses)}")
    remedy = "`groundwire source accept` shows what changed"
    detail = (
        f"{title} answers; tools that changed and are not offered until accepted again: "
        f"{', '.join(different)}; {remedy}"
    )
    return Finding("source", ok=True, detail=detail, is_warning=True)
