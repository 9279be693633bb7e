"""Stored originals in the bucket: `tenants/<tenant>/.blobs/<name of the key>`."""

from typing import Final
from urllib.parse import quote

from groundwire.adapters.aws.s3.bucket import Bucket, tenant_prefix
from groundwire.adapters.codecs.file_names import file_name
from groundwire.domain import errors

FOLDER: Final = ".blobs/"
MAX_URL_LIFETIME_SECONDS: Final = 60
"""An address cannot be taken back, so it ends before anybody could pass it on."""


class S3Blobs:
    """Implements `ports.Blobs`; any key that is not empty may be stored."""

    def __init__(self, bucket: Bucket) -> None:
        self._bucket = bucket

    def put(self, tenant: str, key: str, content: bytes) -> None:
        """Whole or not at all, as S3 does it."""
        place = _object_key(tenant, key)
        with self._bucket.translated_errors():
            self._bucket.client.put_object(Bucket=self._bucket.name, Key=place, Body=content)

    def get(self, tenant: str, key: str) -> bytes:
        """Raises NotFound."""
        place = _object_key(tenant, key)
        try:
            with self._bucket.translated_errors():
                return self._bucket.client.get_object(Bucket=self._bucket.name, Key=place)["Body"].read()
        except errors.NotFound as error:
            raise errors.NotFound("The stored original is not there: ingest the document again.") from error

    def download_url(self, tenant: str, key: str, file_name: str, seconds: int) -> str | None:
        """A presigned address for as long, and never longer than `LONGEST_ADDRESS_S`."""
        shown = quote(file_name.encode("utf-8", "replace"), safe="")
        with self._bucket.translated_errors():
            return self._bucket.client.generate_presigned_url(
                "get_object",
                Params={
                    "Bucket": self._bucket.name,
                    "Key": _object_key(tenant, key),
                    "ResponseContentDisposition": f"attachment; filename*=UTF-8''{shown}",
                    # Whatever the file is, a browser does not show it as a page of the bucket's.
                    "ResponseContentType": "application/octet-stream",
                },
                ExpiresIn=min(seconds, MAX_URL_LIFETIME_SECONDS),
            )

    def delete(self, tenant: str, key: str) -> None:
        """Every version that the bucket keeps, for what is deleted shall be gone."""
        place = _object_key(tenant, key)
        for found, version, _ in self._bucket.versions(place):
            if found != place:
                return
            with self._bucket.translated_errors():
                self._bucket.client.delete_object(Bucket=self._bucket.name, Key=place, VersionId=version)

    def drop(self, tenant: str) -> int:
        """All that lies beneath the tenant's prefix, its source files too, of which it counts those that stood."""
        return self._bucket.erase(tenant_prefix(tenant))


def _object_key(tenant: str, key: str) -> str:
    return tenant_prefix(tenant) + FOLDER + file_name(key)
