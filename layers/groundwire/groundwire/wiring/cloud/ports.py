"""Ports of a deployed function, from the resources that the template names."""

import secrets
import time
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from groundwire.domain.errors import InvalidInput, Unavailable
from groundwire.ports.indexes import IndexKind
from groundwire.settings.environment import Settings
from groundwire.wiring.lazy import Lazy
from groundwire.wiring.ports import AdminPorts, CallPorts, DocumentPorts, KeyPorts

if TYPE_CHECKING:
    from types_boto3_dynamodb import DynamoDBClient

    from groundwire.adapters.aws.dynamodb.administered.collections import DynamoCollections
    from groundwire.adapters.aws.dynamodb.administered.definitions import DynamoDefinitions
    from groundwire.adapters.aws.dynamodb.administered.scratch_tenants import DynamoScratchTenants
    from groundwire.adapters.aws.dynamodb.administered.users import DynamoUsers
    from groundwire.adapters.aws.dynamodb.documents.store import DynamoDocuments
    from groundwire.adapters.aws.dynamodb.header_checks import DynamoHeaderChecks
    from groundwire.adapters.aws.dynamodb.ingest_lease import DynamoIngestLease
    from groundwire.adapters.aws.dynamodb.keys.store import DynamoKeys
    from groundwire.adapters.aws.dynamodb.sessions import DynamoSessions
    from groundwire.adapters.aws.dynamodb.tenants import DynamoTenants
    from groundwire.adapters.aws.dynamodb.uploads import DynamoUploads
    from groundwire.adapters.aws.s3.blobs import S3Blobs
    from groundwire.adapters.aws.s3.bucket import Bucket
    from groundwire.adapters.aws.s3.uploads import PresignedUploadForms, S3UploadedFiles
    from groundwire.adapters.aws.secrets import CloudSecrets
    from groundwire.adapters.aws.sqs import TenantSweepQueue
    from groundwire.adapters.codecs.aead import AesGcmSeal
    from groundwire.domain.keys.key_text import Environment
    from groundwire.ports import Embedders, ModelId, Reranker, WakeableIndexes
    from groundwire.wiring.cloud.failure_counts import CountedAudit

_NO_INDEX_DEPLOYED = (
    "This deployment has no index of segments: search from a server with a home folder (docs/deploy.md)."
)


class CloudPorts(KeyPorts, DocumentPorts, CallPorts, AdminPorts):
    """The ports of a deployed function; the template gives each function only the names of its own resources."""

    def __init__(self, settings: Settings, deployment_settings: Mapping[str, str]) -> None:
        self.settings = settings
        self._deployment_settings = deployment_settings

    @Lazy
    def keys(self) -> "DynamoKeys":
        """API keys and their rate limits."""
        from groundwire.adapters.aws.dynamodb.keys.store import DynamoKeys

        return DynamoKeys(self._dynamodb, self._deployment_setting("KEYS_TABLE"))

    @property
    def environment(self) -> "Environment":
        """The environment's name in new keys."""
        return "live"

    @Lazy
    def tenants(self) -> "DynamoTenants":
        """The operator's tenants."""
        from groundwire.adapters.aws.dynamodb.tenants import DynamoTenants, TenantTables

        names = (self._deployment_setting(f"{kind}_TABLE") for kind in ("KEYS", "USERS", "DOCUMENTS", "SESSIONS"))
        return DynamoTenants(self._dynamodb, TenantTables(*names))

    @Lazy
    def scratch_tenants(self) -> "DynamoScratchTenants":
        """Ids of the tenants that checks of the deployment created."""
        from groundwire.adapters.aws.dynamodb.administered.scratch_tenants import DynamoScratchTenants

        return DynamoScratchTenants(self._dynamodb, self._deployment_setting("DOCUMENTS_TABLE"))

    @Lazy
    def tenant_sweep_queue(self) -> "TenantSweepQueue":
        """Queue of sweeps of deleted tenants."""
        from groundwire.adapters.aws.clients import sqs
        from groundwire.adapters.aws.sqs import TenantSweepQueue

        return TenantSweepQueue(sqs(), self._deployment_setting("SWEEP_QUEUE"))

    @Lazy
    def users(self) -> "DynamoUsers":
        """Tags that tenants store for users."""
        from groundwire.adapters.aws.dynamodb.administered.users import DynamoUsers

        return DynamoUsers(self._dynamodb, self._deployment_setting("USERS_TABLE"))

    @Lazy
    def collections(self) -> "DynamoCollections":
        """Collections and their settings."""
        from groundwire.adapters.aws.dynamodb.administered.collections import DynamoCollections

        return DynamoCollections(self._dynamodb, self._deployment_setting("DOCUMENTS_TABLE"))

    @Lazy
    def definitions(self) -> "DynamoDefinitions":
        """Definitions that administrators make through dialects."""
        from groundwire.adapters.aws.dynamodb.administered.definitions import DynamoDefinitions

        return DynamoDefinitions(self._dynamodb, self._deployment_setting("DOCUMENTS_TABLE"))

    @Lazy
    def documents(self) -> "DynamoDocuments":
        """The document registry."""
        from groundwire.adapters.aws.dynamodb.documents.store import DynamoDocuments

        return DynamoDocuments(self._dynamodb, self._deployment_setting("DOCUMENTS_TABLE"))

    @Lazy
    def sessions(self) -> "DynamoSessions":
        """Sessions of clients of the handshake revisions."""
        from groundwire.adapters.aws.dynamodb.sessions import DynamoSessions

        return DynamoSessions(self._dynamodb, self._deployment_setting("SESSIONS_TABLE"))

    @Lazy
    def header_checks(self) -> "DynamoHeaderChecks":
        """Counts of calls whose identity headers the gateway did not write."""
        from groundwire.adapters.aws.dynamodb.header_checks import DynamoHeaderChecks

        return DynamoHeaderChecks(self._dynamodb, self._deployment_setting("SESSIONS_TABLE"))

    @Lazy
    def audit(self) -> "CountedAudit":
        """The audit log."""
        from groundwire.adapters.aws.audit import LogGroupAudit
        from groundwire.adapters.aws.clients import logs
        from groundwire.wiring.cloud.failure_counts import CountedAudit

        group = self._deployment_setting("AUDIT_LOG_GROUP")
        return CountedAudit(LogGroupAudit(logs(), group, secrets.token_hex(8), time.time))

    @Lazy
    def secrets(self) -> "CloudSecrets":
        """Pepper and sealing key."""
        from groundwire.adapters.aws.clients import secrets_manager
        from groundwire.adapters.aws.secrets import CloudSecrets

        return CloudSecrets(secrets_manager(), self._deployment_setting("SECRET"))

    @Lazy
    def seal(self) -> "AesGcmSeal":
        """Sealing of payloads that clients store and return."""
        from groundwire.adapters.codecs.aead import AesGcmSeal

        return AesGcmSeal(self.secrets.sealing_key)

    @Lazy
    def bucket(self) -> "Bucket":
        """The bucket with the files of all tenants."""
        from groundwire.adapters.aws.clients import s3
        from groundwire.adapters.aws.s3.bucket import Bucket

        return Bucket(s3(), self._deployment_setting("BUCKET"))

    @Lazy
    def uploads(self) -> "DynamoUploads":
        """Upload tickets."""
        from groundwire.adapters.aws.dynamodb.uploads import DynamoUploads

        return DynamoUploads(self._dynamodb, self._deployment_setting("DOCUMENTS_TABLE"))

    @Lazy
    def upload_forms(self) -> "PresignedUploadForms":
        """Presigned forms for the bucket."""
        from groundwire.adapters.aws.s3.uploads import PresignedUploadForms

        return PresignedUploadForms(self.bucket)

    @Lazy
    def uploaded_files(self) -> "S3UploadedFiles":
        """Uploaded objects in the bucket."""
        from groundwire.adapters.aws.s3.uploads import S3UploadedFiles

        return S3UploadedFiles(self.bucket)

    @Lazy
    def blobs(self) -> "S3Blobs":
        """Stored originals."""
        from groundwire.adapters.aws.s3.blobs import S3Blobs

        return S3Blobs(self.bucket)

    @Lazy
    def ingest_lock(self) -> "DynamoIngestLease":
        """The lock that allows one ingestion at a time per tenant."""
        from groundwire.adapters.aws.dynamodb.ingest_lease import DynamoIngestLease

        return DynamoIngestLease(self._dynamodb, self._deployment_setting("KEYS_TABLE"))

    @Lazy
    def embedders(self) -> "Embedders":
        """The deployment's one model: the configured service's, or the image's own.

        Raises:
            InvalidInput: no service is configured, and this image has no model.
        """
        from importlib.util import find_spec

        from groundwire.adapters.aws.embedders.default_embedders import DefaultEmbedders
        from groundwire.wiring.external_backends import build_embedder

        if self.settings.embedding_service is not None:
            return DefaultEmbedders(build_embedder(self.settings.embedding_service), None)
        if find_spec("onnxruntime") is None:
            raise InvalidInput("GROUNDWIRE_EMBEDDER is not set: template.yaml did not pass it to this function.")
        from groundwire.adapters.onnx.embedders import OnnxEmbedders
        from groundwire.adapters.onnx.models.store import ModelStore

        return OnnxEmbedders(self.settings.model, ModelStore(self.settings.models), self.settings.threads)

    @Lazy
    def indexes(self) -> "WakeableIndexes":
        """The indexes in the deployment's engine.

        Raises:
            Unavailable: the deployment has none.
        """
        return self._engine_indexes(IndexKind.PASSAGES, lambda: self.embedders.default.model)

    @Lazy
    def image_indexes(self) -> "WakeableIndexes":
        """The indexes of images in the deployment's engine.

        Raises:
            Unavailable: the deployment has none.
        """
        return self._engine_indexes(IndexKind.IMAGES, lambda: self.image_index_model(self.embedders.default.model))

    def _engine_indexes(self, kind: IndexKind, model: "Callable[[], ModelId]") -> "WakeableIndexes":
        if self.settings.index_service is None:
            raise Unavailable(_NO_INDEX_DEPLOYED)
        from groundwire.adapters.aws.dynamodb.index_generations import DynamoIndexGenerations
        from groundwire.wiring.external_backends import build_indexes

        generations = DynamoIndexGenerations(self._dynamodb, self._deployment_setting("DOCUMENTS_TABLE"), kind)
        secret = self._deployment_settings.get("INDEX_SECRET")
        return build_indexes(self.settings.index_service, kind, generations, model, secret=secret)

    @Lazy
    def reranker(self) -> "Reranker | None":
        """The Bedrock reranker that the settings name; None without one.

        Raises:
            InvalidInput: the setting is invalid.
        """
        from groundwire.wiring.external_backends import build_reranker

        return build_reranker(self.settings.reranker)

    @Lazy
    def _dynamodb(self) -> "DynamoDBClient":
        from groundwire.adapters.aws.clients import dynamodb

        return dynamodb()

    def _deployment_setting(self, name: str) -> str:
        if not self._deployment_settings.get(name):
            raise InvalidInput(f"GROUNDWIRE_{name} is not set: template.yaml did not pass it to this function.")
        return self._deployment_settings[name]
