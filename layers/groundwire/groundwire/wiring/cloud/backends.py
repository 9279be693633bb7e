"""Backends of a deployed function: its stores and models, and what a stack does otherwise than a machine."""

import time
from typing import TYPE_CHECKING

from groundwire.domain.errors import Unavailable
from groundwire.domain.limits import AUDIT_QUERY_SECONDS, MAX_AUDIT_PAGE, MAX_CALLS_READ, RECENT_CALLS_SECONDS
from groundwire.wiring.cloud.deployment_settings import DeploymentSettings
from groundwire.wiring.cloud.models import CloudModels
from groundwire.wiring.cloud.stores import CloudStores
from groundwire.wiring.lazy import Lazy

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from groundwire.adapters.aws.audit.trail import InsightsAuditTrail
    from groundwire.adapters.aws.dynamodb.administered.scratch_tenants import DynamoScratchTenants
    from groundwire.domain.keys.forms.key_text import Environment
    from groundwire.ports import Clock
    from groundwire.ports.ingestion import PageDrawers
    from groundwire.ports.sources import SourceGateway
    from groundwire.services.documents.reconcile import ReconcileFunction, Reconciler
    from groundwire.services.object_events.unread_files import RebuildPage, TenantRebuild
    from groundwire.settings.environment import Settings


class CloudBackends:
    """`wiring.backends.Backends` with what a stack alone has."""

    def __init__(
        self, settings: "Settings", clock: "Clock", stores: CloudStores, models: CloudModels, installation: "Stack"
    ) -> None:
        self.settings = settings
        self.clock = clock
        self.stores = stores
        self.models = models
        self.installation = installation


class Stack:
    """Implements `wiring.backends.Installation` for a deployed function."""

    os_user = None

    def __init__(
        self, settings: "Settings", deployment: DeploymentSettings, stores: CloudStores, models: CloudModels
    ) -> None:
        self._settings = settings
        self.deployment = deployment
        self._stores = stores
        self._models = models

    @property
    def environment(self) -> "Environment":
        """The environment's name in new keys."""
        return "live"

    @Lazy
    def source_gateway(self) -> "SourceGateway | None":
        """Calls to MCP sources from the sources function; None where the template names none."""
        function = self.deployment.find("SOURCES_FUNCTION")
        if function is None:
            return None
        from groundwire.adapters.aws.clients import lambda_functions
        from groundwire.adapters.aws.lambda_sources import LambdaSources

        return LambdaSources(lambda_functions, function)

    @Lazy
    def page_drawers(self) -> "PageDrawers":
        """Drawers of pages: the parser function."""
        from groundwire.adapters.parse.function.limits import PICTURE_CLIENT_SECONDS
        from groundwire.wiring.cloud.parser_client import parser_client

        # Whether text is recognised is no matter of a picture.
        return parser_client(self.deployment, PICTURE_CLIENT_SECONDS, ())

    def planner_key(self) -> str | None:
        """Return the API key in the planner's secret; None without one."""
        return self._planner_key

    @Lazy
    def _planner_key(self) -> str | None:
        from groundwire.adapters.aws import clients, secrets

        arn = self.deployment.find("PLANNER_SECRET")
        return secrets.read_api_key(clients.secrets_manager(), arn) if arn else None

    @property
    def warmup_factory(self) -> "Callable[[], Sequence[Callable[[str | None], None]]]":
        """Function that returns the warmers of index and embedding function."""
        return self._warmups

    def mark_run(self, run: str) -> "Callable[[], None]":  # noqa: ARG002 - for a machine
        """Mark nothing: each message is one file's, so there are no runs."""
        return _end_nothing

    @Lazy
    def scratch_tenants(self) -> "DynamoScratchTenants":
        """Ids of the tenants that checks of the deployment created."""
        from groundwire.adapters.aws.clients import dynamodb
        from groundwire.adapters.aws.dynamodb.administered.scratch_tenants import DynamoScratchTenants

        return DynamoScratchTenants(dynamodb(), self.deployment.require("DOCUMENTS_TABLE"))

    @property
    def ingestion_runs(self) -> None:
        """Runs of `groundwire ingest`: None, as each message of a stack is about one file."""
        return

    @property
    def evaluations(self) -> None:
        """Stored evaluations of search: None, as `groundwire eval` runs on a machine."""
        return

    @Lazy
    def audit_trail(self) -> "InsightsAuditTrail":
        """Lines of the audit log by tenant; the template lets the api and the operator function read them."""
        from groundwire.adapters.aws.audit.insights import LogQueries, QueryBounds
        from groundwire.adapters.aws.audit.trail import InsightsAuditTrail
        from groundwire.adapters.aws.clients import logs

        queries = LogQueries(logs(), self.deployment.require("AUDIT_LOG_GROUP"), time.time, time.sleep)
        # The first number is that of lines, the second what one result can have.
        bounds = QueryBounds(AUDIT_QUERY_SECONDS, MAX_AUDIT_PAGE, 10_000)
        return InsightsAuditTrail(queries, time.time, bounds)

    def recent_calls(self, tenant: str) -> "Iterator[Mapping[str, object]]":
        """Return the last lines of the tenant in the audit log, the latest first."""
        return self.audit_trail.recent(tenant, MAX_CALLS_READ, time.time() - RECENT_CALLS_SECONDS)

    def reconcile_change(self, reconciler: "Reconciler") -> "ReconcileFunction":
        """Return the reconciliation of one document; a sweep completes what a running ingestion leaves."""
        return reconciler.reconcile_without_lock

    def rebuild(self, tenant: str, after: str, *, every_file: bool) -> "RebuildPage":
        """Queue one page of the tenant's files again."""
        rebuild = self._tenant_rebuild
        return (rebuild.queue_all if every_file else rebuild.queue_unread)(tenant, after)

    @Lazy
    def _tenant_rebuild(self) -> "TenantRebuild":
        """Queuing of files that the parser did not read, or of all."""
        from groundwire.services.object_events.unread_files import TenantRebuild

        stores = self._stores
        return TenantRebuild(stores.documents, stores.source_objects, stores.work_queue, time.time)

    def _warmups(self) -> "Sequence[Callable[[str | None], None]]":
        from groundwire.services.search.warm_up import IndexWarmUp

        return (
            self._wake_embedder,
            IndexWarmUp(lambda: self._stores.indexes, lambda: self._stores.collections_for_search),
        )

    def _wake_embedder(self, _tenant: str | None) -> None:
        if self._settings.embedding_service is None:
            return
        from groundwire.adapters.aws.embedders.lambda_embedder import LambdaEmbedder

        embedder = self._models.embedders.default
        # Bedrock has no idle state that a call could end.
        if isinstance(embedder, LambdaEmbedder):
            embedder.warm()

    def schedule_sweep(self, tenant: str) -> int | None:
        """Schedule one more erasure of a deleted tenant; return its delay in seconds, None if it cannot be scheduled.

        Calls that were admitted before the deletion may still write.
        """
        from groundwire.adapters.aws.clients import sqs
        from groundwire.adapters.aws.sqs import TenantSweepQueue

        queue = TenantSweepQueue(sqs(), self.deployment.require("SWEEP_QUEUE"))
        try:
            return queue.send(tenant)
        # The deletion itself is done, and must not be reported as failed.
        except Unavailable:
            return None


def _end_nothing() -> None:
    """End a mark that was never made."""


def cloud_backends(settings: "Settings", deployment_settings: "Mapping[str, str]") -> CloudBackends:
    """Return the backends of the function with these settings."""
    deployment = DeploymentSettings(deployment_settings)
    models = CloudModels(settings)
    stores = CloudStores(settings, deployment, models)
    return CloudBackends(settings, time.time, stores, models, Stack(settings, deployment, stores, models))
