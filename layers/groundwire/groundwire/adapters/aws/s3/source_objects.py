"""Source files in the bucket: `tenants/<tenant>/<collection>/<path>`."""

from collections.abc import Sequence
from itertools import islice

from groundwire.adapters.aws.s3.bucket import Bucket, tenant_prefix
from groundwire.domain import errors
from groundwire.ports.object_events import SourceObject


class S3SourceObjects:
    """Implements `ports.DeletableObjects`; in a bucket without versions each version is `null`."""

    def __init__(self, bucket: Bucket) -> None:
        self._bucket = bucket

    def find(self, tenant: str, path: str) -> SourceObject | None:
        """Return the object at this path, or None, with one HEAD request; S3 answers with the latest write."""
        try:
            with self._bucket.translated_errors():
                head = self._bucket.client.head_object(Bucket=self._bucket.name, Key=tenant_prefix(tenant) + path)
        except errors.NotFound:
            return None
        metadata = {name.lower(): value for name, value in head.get("Metadata", {}).items()}
        version, put_at = head.get("VersionId", "null"), head["LastModified"].timestamp()
        return SourceObject(path, version, head["ContentLength"], metadata, put_at)

    def read(self, tenant: str, path: str, version: str) -> bytes:
        """Read one version of the object.

        Raises:
            NotFound: there is no such version.
        """
        with self._bucket.translated_errors():
            answer = self._bucket.client.get_object(
                Bucket=self._bucket.name, Key=tenant_prefix(tenant) + path, VersionId=version
            )
            return answer["Body"].read()

    def list_subtree(self, tenant: str, folder: str, after: str, limit: int) -> Sequence[str]:
        """List paths below the folder, ordered by the bytes of their names, as S3 lists them."""
        tenant_root = tenant_prefix(tenant)
        pages = self._bucket.client.get_paginator("list_objects_v2").paginate(
            Bucket=self._bucket.name,
            Prefix=tenant_root + folder,
            # The page begins after this key; no key sorts before the tenant's own prefix.
            StartAfter=tenant_root + after,
            PaginationConfig={"MaxItems": limit},
        )
        with self._bucket.translated_errors():
            found = (each.get("Key", "") for page in pages for each in page.get("Contents", []))
            return [key.removeprefix(tenant_root) for key in islice(found, limit)]

    def list_files(self, tenant: str, prefix: str, limit: int) -> Sequence[str]:
        """List files that begin with the prefix; with the delimiter S3 does not list the content of folders."""
        tenant_root = tenant_prefix(tenant)
        pages = self._bucket.client.get_paginator("list_objects_v2").paginate(
            Bucket=self._bucket.name, Prefix=tenant_root + prefix, Delimiter="/"
        )
        with self._bucket.translated_errors():
            found = (each.get("Key", "") for page in pages for each in page.get("Contents", []))
            return [key.removeprefix(tenant_root) for key in islice(found, limit)]

    def delete(self, tenant: str, path: str, version: str) -> None:
        """Delete one version of the object.

        Raises:
            Unavailable: the bucket does not answer.
        """
        with self._bucket.translated_errors():
            self._bucket.client.delete_object(
                Bucket=self._bucket.name, Key=tenant_prefix(tenant) + path, VersionId=version
            )
