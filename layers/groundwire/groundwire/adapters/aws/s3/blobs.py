"""Stored originals in the bucket: `tenants/<tenant>/.blobs/<name of the key>`."""

from typing import Final

from groundwire.adapters.aws.s3.bucket import Bucket, tenant_prefix
from groundwire.adapters.codecs.file_names import file_name
from groundwire.domain import errors

FOLDER: Final = ".blobs/"
MAX_URL_LIFETIME_SECONDS: Final = 60
"""Longest lifetime of a presigned address: it cannot be revoked, so it expires before anybody could pass it on."""


class S3Blobs:
    """Implements `ports.Blobs`; any key that is not empty may be stored."""

    def __init__(self, bucket: Bucket) -> None:
        self._bucket = bucket

    def put(self, tenant: str, key: str, content: bytes) -> None:
        """Store the content as a whole; S3 never stores a part of it."""
        object_key = _object_key(tenant, key)
        with self._bucket.translated_errors():
            self._bucket.client.put_object(Bucket=self._bucket.name, Key=object_key, Body=content)

    def get(self, tenant: str, key: str) -> bytes:
        """Return the content.

        Raises:
            NotFound: there is no such original.
        """
        object_key = _object_key(tenant, key)
        try:
            with self._bucket.translated_errors():
                return self._bucket.client.get_object(Bucket=self._bucket.name, Key=object_key)["Body"].read()
        except errors.NotFound as error:
            raise errors.NotFound("The stored original is missing. Ingest the document again.") from error

    def download_url(self, tenant: str, key: str, media_type: str, disposition: str, seconds: int) -> str | None:
        """Return a presigned address, valid for `seconds`, at most `MAX_URL_LIFETIME_SECONDS`.

        The signature covers the response's headers, so whoever has the address cannot change them.
        """
        with self._bucket.translated_errors():
            return self._bucket.client.generate_presigned_url(
                "get_object",
                Params={
                    "Bucket": self._bucket.name,
                    "Key": _object_key(tenant, key),
                    "ResponseContentDisposition": disposition,
                    # S3 cannot send `nosniff`. Browsers never take a file of an explicit type for a page all the same
                    # (WHATWG MIME Sniffing, section 7).
                    "ResponseContentType": media_type,
                    "ResponseCacheControl": "private, no-store",
                },
                ExpiresIn=min(seconds, MAX_URL_LIFETIME_SECONDS),
            )

    def delete(self, tenant: str, key: str) -> None:
        """Delete every version that the bucket keeps, because a deleted original must not be recoverable."""
        object_key = _object_key(tenant, key)
        for found, version, _ in self._bucket.versions(object_key):
            # Versions are listed by key, so another key ends those of this one.
            if found != object_key:
                return
            with self._bucket.translated_errors():
                self._bucket.client.delete_object(Bucket=self._bucket.name, Key=object_key, VersionId=version)

    def drop(self, tenant: str) -> int:
        """Delete everything with the tenant's prefix, source files too; return the number of current objects."""
        return self._bucket.erase(tenant_prefix(tenant))


def _object_key(tenant: str, key: str) -> str:
    return tenant_prefix(tenant) + FOLDER + file_name(key)
