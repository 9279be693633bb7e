"""Stores of a deployed function, from the resources that the template names."""

import secrets
import time
from typing import TYPE_CHECKING

from groundwire.domain.errors import Unavailable
from groundwire.wiring.lazy import Lazy

if TYPE_CHECKING:
    from collections.abc import Callable

    from types_boto3_dynamodb import DynamoDBClient

    from groundwire.adapters.aws.dynamodb.administered.collections import DynamoCollections
    from groundwire.adapters.aws.dynamodb.administered.definitions import DynamoDefinitions
    from groundwire.adapters.aws.dynamodb.administered.groups import DynamoGroups
    from groundwire.adapters.aws.dynamodb.administered.users import DynamoUsers
    from groundwire.adapters.aws.dynamodb.documents.store import DynamoDocuments
    from groundwire.adapters.aws.dynamodb.event_claims import DynamoEventClaims
    from groundwire.adapters.aws.dynamodb.ingest_lease import DynamoIngestLease
    from groundwire.adapters.aws.dynamodb.keys.store import DynamoKeys
    from groundwire.adapters.aws.dynamodb.sessions.header_checks import DynamoHeaderChecks
    from groundwire.adapters.aws.dynamodb.sessions.link_grants import DynamoLinkGrants
    from groundwire.adapters.aws.dynamodb.sessions.provider_sessions import DynamoProviderSessions
    from groundwire.adapters.aws.dynamodb.sessions.store import DynamoSessions
    from groundwire.adapters.aws.dynamodb.tenants import DynamoTenants
    from groundwire.adapters.aws.dynamodb.uploads import DynamoUploads
    from groundwire.adapters.aws.s3.blobs import S3Blobs
    from groundwire.adapters.aws.s3.bucket import Bucket
    from groundwire.adapters.aws.s3.source_objects import S3SourceObjects
    from groundwire.adapters.aws.s3.uploads import PresignedUploadForms, S3UploadedFiles
    from groundwire.adapters.aws.secrets import CloudSecrets
    from groundwire.adapters.aws.sqs import SqsWorkQueue
    from groundwire.adapters.codecs.aead import AesGcmSeal
    from groundwire.ports import Collections, ModelId, WakeableIndexes
    from groundwire.ports.indexes import IndexKind
    from groundwire.settings.environment import Settings
    from groundwire.wiring.cloud.deployment_settings import DeploymentSettings
    from groundwire.wiring.cloud.failure_counts import CountedAudit
    from groundwire.wiring.cloud.models import CloudModels

_NO_INDEX_DEPLOYED = (
    "This deployment has no index of segments: search from a server with a home folder (docs/deploy.md)."
)


class CloudStores:
    """Stores of a deployed function; the template gives each function only the names of its own resources."""

    def __init__(self, settings: "Settings", deployment: "DeploymentSettings", models: "CloudModels") -> None:
        self._settings = settings
        self._deployment = deployment
        self._models = models

    @Lazy
    def keys(self) -> "DynamoKeys":
        """API keys and their rate limits."""
        from groundwire.adapters.aws.dynamodb.keys.store import DynamoKeys

        return DynamoKeys(self._dynamodb, self._deployment.require("KEYS_TABLE"))

    @Lazy
    def tenants(self) -> "DynamoTenants":
        """The operator's tenants."""
        from groundwire.adapters.aws.dynamodb.tenants import DynamoTenants, TenantTables

        names = (self._deployment.require(f"{kind}_TABLE") for kind in ("KEYS", "USERS", "DOCUMENTS", "SESSIONS"))
        return DynamoTenants(self._dynamodb, TenantTables(*names))

    @Lazy
    def users(self) -> "DynamoUsers":
        """Tags that tenants store for users, and blocks of users."""
        from groundwire.adapters.aws.dynamodb.administered.users import DynamoUsers

        return DynamoUsers(self._dynamodb, self._deployment.require("USERS_TABLE"))

    @Lazy
    def groups(self) -> "DynamoGroups":
        """Tags that tenants give groups of their identity provider."""
        from groundwire.adapters.aws.dynamodb.administered.groups import DynamoGroups

        return DynamoGroups(self._dynamodb, self._deployment.require("USERS_TABLE"))

    @Lazy
    def collections(self) -> "DynamoCollections":
        """Collections and their settings."""
        from groundwire.adapters.aws.dynamodb.administered.collections import DynamoCollections

        return DynamoCollections(self._dynamodb, self._deployment.require("DOCUMENTS_TABLE"))

    @Lazy
    def definitions(self) -> "DynamoDefinitions":
        """Definitions that administrators make through dialects."""
        from groundwire.adapters.aws.dynamodb.administered.definitions import DynamoDefinitions

        return DynamoDefinitions(self._dynamodb, self._deployment.require("DOCUMENTS_TABLE"))

    @Lazy
    def documents(self) -> "DynamoDocuments":
        """The document registry."""
        from groundwire.adapters.aws.dynamodb.documents.store import DynamoDocuments

        return DynamoDocuments(self._dynamodb, self._deployment.require("DOCUMENTS_TABLE"))

    @Lazy
    def sessions(self) -> "DynamoSessions":
        """Sessions of clients of the handshake revisions."""
        from groundwire.adapters.aws.dynamodb.sessions.store import DynamoSessions

        return DynamoSessions(self._dynamodb, self._deployment.require("SESSIONS_TABLE"))

    @Lazy
    def header_checks(self) -> "DynamoHeaderChecks":
        """Counts of calls whose identity headers the gateway did not write."""
        from groundwire.adapters.aws.dynamodb.sessions.header_checks import DynamoHeaderChecks

        return DynamoHeaderChecks(self._dynamodb, self._deployment.require("SESSIONS_TABLE"))

    @Lazy
    def audit(self) -> "CountedAudit":
        """The audit log."""
        from groundwire.adapters.aws.audit import LogGroupAudit
        from groundwire.adapters.aws.clients import logs
        from groundwire.wiring.cloud.failure_counts import CountedAudit

        group = self._deployment.require("AUDIT_LOG_GROUP")
        return CountedAudit(LogGroupAudit(logs(), group, secrets.token_hex(8), time.time))

    @Lazy
    def secrets(self) -> "CloudSecrets":
        """Pepper and sealing key."""
        from groundwire.adapters.aws.clients import secrets_manager
        from groundwire.adapters.aws.secrets import CloudSecrets

        return CloudSecrets(secrets_manager(), self._deployment.require("SECRET"))

    @Lazy
    def seal(self) -> "AesGcmSeal":
        """Sealing of payloads that clients store and return."""
        from groundwire.adapters.codecs.aead import AesGcmSeal

        return AesGcmSeal(self.secrets.sealing_key)

    @Lazy
    def link_grants(self) -> "DynamoLinkGrants":
        """Grants of short links."""
        from groundwire.adapters.aws.dynamodb.sessions.link_grants import DynamoLinkGrants

        return DynamoLinkGrants(self._dynamodb, self._deployment.require("SESSIONS_TABLE"))

    @Lazy
    def provider_sessions(self) -> "DynamoProviderSessions":
        """Sign-ins to the page by the identity provider."""
        from groundwire.adapters.aws.dynamodb.sessions.provider_sessions import DynamoProviderSessions

        return DynamoProviderSessions(self._dynamodb, self._deployment.require("SESSIONS_TABLE"))

    @Lazy
    def _bucket(self) -> "Bucket":
        from groundwire.adapters.aws.clients import s3
        from groundwire.adapters.aws.s3.bucket import Bucket

        return Bucket(s3(), self._deployment.require("BUCKET"))

    @Lazy
    def uploads(self) -> "DynamoUploads":
        """Upload tickets."""
        from groundwire.adapters.aws.dynamodb.uploads import DynamoUploads

        return DynamoUploads(self._dynamodb, self._deployment.require("DOCUMENTS_TABLE"))

    @Lazy
    def upload_forms(self) -> "PresignedUploadForms":
        """Presigned forms for the bucket."""
        from groundwire.adapters.aws.s3.uploads import PresignedUploadForms

        return PresignedUploadForms(self._bucket)

    @Lazy
    def uploaded_files(self) -> "S3UploadedFiles":
        """Uploaded objects in the bucket."""
        from groundwire.adapters.aws.s3.uploads import S3UploadedFiles

        return S3UploadedFiles(self._bucket)

    @Lazy
    def blobs(self) -> "S3Blobs":
        """Stored originals."""
        from groundwire.adapters.aws.s3.blobs import S3Blobs

        return S3Blobs(self._bucket)

    @Lazy
    def ingest_lock(self) -> "DynamoIngestLease":
        """The lock that allows one ingestion at a time per tenant."""
        from groundwire.adapters.aws.dynamodb.ingest_lease import DynamoIngestLease

        return DynamoIngestLease(self._dynamodb, self._deployment.require("KEYS_TABLE"))

    @Lazy
    def indexes(self) -> "WakeableIndexes":
        """The indexes in the deployment's engine.

        Raises:
            Unavailable: the deployment has none.
        """
        from groundwire.ports.indexes import IndexKind

        return self._engine_indexes(IndexKind.PASSAGES, lambda: self._models.embedders.default.model)

    @Lazy
    def image_indexes(self) -> "WakeableIndexes":
        """The indexes of images in the deployment's engine.

        Raises:
            Unavailable: the deployment has none.
        """
        from groundwire.ports.indexes import IndexKind

        return self._engine_indexes(IndexKind.IMAGES, lambda: self._models.image_index_model)

    @Lazy
    def collections_for_search(self) -> "Collections":
        """Collections with a short-lived cache, so that a search reads only documents from the registry."""
        from groundwire.adapters.aws.dynamodb.administered.collections import CachedCollections

        return CachedCollections(self.collections, time.monotonic)

    @Lazy
    def source_objects(self) -> "S3SourceObjects":
        """The owners' source files in the bucket."""
        from groundwire.adapters.aws.s3.source_objects import S3SourceObjects

        return S3SourceObjects(self._bucket)

    @Lazy
    def work_queue(self) -> "SqsWorkQueue":
        """Queue of pending tasks."""
        from groundwire.adapters.aws.clients import sqs
        from groundwire.adapters.aws.sqs import SqsWorkQueue

        return SqsWorkQueue(sqs(), self._deployment.require("QUEUE"))

    @Lazy
    def event_claims(self) -> "DynamoEventClaims":
        """Claims of processed object events."""
        from groundwire.adapters.aws.dynamodb.event_claims import DynamoEventClaims

        return DynamoEventClaims(self._dynamodb, self._deployment.require("DOCUMENTS_TABLE"))

    def _engine_indexes(self, kind: "IndexKind", model: "Callable[[], ModelId]") -> "WakeableIndexes":
        if self._settings.index_service is None:
            raise Unavailable(_NO_INDEX_DEPLOYED)
        from groundwire.adapters.aws.dynamodb.index_generations import DynamoIndexGenerations
        from groundwire.wiring.external_backends import build_indexes

        generations = DynamoIndexGenerations(self._dynamodb, self._deployment.require("DOCUMENTS_TABLE"), kind)
        secret = self._deployment.find("INDEX_SECRET")
        return build_indexes(self._settings.index_service, kind, generations, model, secret=secret)

    @Lazy
    def _dynamodb(self) -> "DynamoDBClient":
        from groundwire.adapters.aws.clients import dynamodb

        return dynamodb()
