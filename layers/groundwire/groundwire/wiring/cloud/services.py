"""Use cases of a deployed function."""

import time
from typing import TYPE_CHECKING

from groundwire.domain.errors import NotFound, Unavailable
from groundwire.wiring.admin import AdminServices
from groundwire.wiring.cloud.ports import CloudPorts
from groundwire.wiring.lazy import Lazy

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from groundwire.adapters.aws.s3.source_objects import S3SourceObjects
    from groundwire.adapters.aws.sqs import SqsWorkQueue
    from groundwire.ports import Collections, ModelId
    from groundwire.ports.sources import SourceGateway
    from groundwire.services.object_events.unread_files import RebuildPage, TenantRebuild


class CloudServices(AdminServices, CloudPorts):
    """The use cases of a deployed function."""

    @Lazy
    def collections_for_search(self) -> "Collections":
        """Collections with a short-lived cache, so that a search reads only documents from the registry."""
        from groundwire.adapters.aws.dynamodb.administered.collections import CachedCollections

        return CachedCollections(self.collections, time.monotonic)

    @Lazy
    def source_gateway(self) -> "SourceGateway":
        """Calls to MCP sources, which leave from the sources function where the template names one."""
        function = self._deployment_settings.get("SOURCES_FUNCTION")
        if function is None:
            return self._build_source_gateway()
        from groundwire.adapters.aws.clients import lambda_functions
        from groundwire.adapters.aws.lambda_sources import LambdaSources

        return LambdaSources(lambda_functions, function)

    def planner_key(self) -> str | None:
        """Return the API key in the planner's secret; None without one."""
        return self._planner_key

    @Lazy
    def _planner_key(self) -> str | None:
        from groundwire.adapters.aws import clients, secrets

        arn = self._deployment_settings.get("PLANNER_SECRET")
        return secrets.read_api_key(clients.secrets_manager(), arn) if arn else None

    @property
    def warmup_factory(self) -> "Callable[[], Sequence[Callable[[str | None], None]]]":
        """Function that returns the warmers of index and embedding function."""
        return self._warmups

    def _warmups(self) -> "Sequence[Callable[[str | None], None]]":
        from groundwire.services.search.warm_up import IndexWarmUp

        return (self._wake_embedder, IndexWarmUp(lambda: self.indexes, lambda: self.collections_for_search))

    def _wake_embedder(self, _tenant: str | None) -> None:
        if self.settings.embedding_service is None:
            return
        from groundwire.adapters.aws.embedders.lambda_embedder import LambdaEmbedder

        embedder = self.embedders.default
        if isinstance(embedder, LambdaEmbedder):
            embedder.warm()

    def schedule_sweep(self, tenant: str) -> int | None:
        """Schedule one more erasure of a deleted tenant; return its delay in seconds, None if it cannot be scheduled.

        Calls that were admitted before the deletion may still write.
        """
        try:
            return self.tenant_sweep_queue.send(tenant)
        except Unavailable:
            return None

    @Lazy
    def source_objects(self) -> "S3SourceObjects":
        """The owners' source files in the bucket."""
        from groundwire.adapters.aws.s3.source_objects import S3SourceObjects

        return S3SourceObjects(self.bucket)

    @Lazy
    def work_queue(self) -> "SqsWorkQueue":
        """Queue of pending tasks."""
        from groundwire.adapters.aws.clients import sqs
        from groundwire.adapters.aws.sqs import SqsWorkQueue

        return SqsWorkQueue(sqs(), self._deployment_setting("QUEUE"))

    @Lazy
    def tenant_rebuild(self) -> "TenantRebuild":
        """Queuing of files that the parser did not read, or of all."""
        from groundwire.services.object_events.unread_files import TenantRebuild

        return TenantRebuild(self.documents, self.source_objects, self.work_queue, self.clock)

    def rebuild(self, tenant: str, after: str, *, every_file: bool) -> "RebuildPage":
        """Queue one page of the tenant's files again."""
        rebuild = self.tenant_rebuild
        return (rebuild.queue_all if every_file else rebuild.queue_unread)(tenant, after)

    def find_model(self, name: str) -> "ModelId":
        """Return the deployed model if it has this name.

        Raises:
            NotFound: the deployed model has another name.
        """
        model = self.embedders.default.model
        if name != model.name:
            raise NotFound(f"The model {name!r} is not deployed. This stack embeds with {model.name!r}.")
        return model
