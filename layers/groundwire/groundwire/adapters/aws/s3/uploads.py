"""Uploads to the bucket: presigned forms, and the check that a file has arrived.

The forms are presigned POSTs: the bucket takes one file of one key, size, type and content, for a few minutes. Source
of the form: the S3 API reference, "POST Object" and "Creating a POST policy".
"""

import time
from base64 import b64encode

from groundwire.adapters.aws.s3.bucket import Bucket, tenant_prefix
from groundwire.domain.documents.uploads import Upload, upload_path
from groundwire.ports import Clock
from groundwire.ports.uploads import UploadForm, UploadTerms


class PresignedUploadForms:
    """Implements `ports.uploads.UploadForms`; signs locally, without a request."""

    def __init__(self, bucket: Bucket, clock: Clock = time.time) -> None:
        self._bucket = bucket
        self._clock = clock

    def form(self, terms: UploadTerms) -> UploadForm:
        """Sign a form; S3 compares every field with the signed policy, and the content with its checksum."""
        fields = {
            "Content-Type": terms.content_type,
            "x-amz-checksum-algorithm": "SHA256",
            "x-amz-checksum-sha256": b64encode(bytes.fromhex(terms.sha256)).decode(),
        }
        exactly = [{name: value} for name, value in fields.items()]
        with self._bucket.translated_errors():
            post = self._bucket.client.generate_presigned_post(
                Bucket=self._bucket.name,
                Key=tenant_prefix(terms.tenant) + terms.path,
                Fields=dict(fields),
                Conditions=[*exactly, ["content-length-range", terms.size, terms.size]],
                ExpiresIn=max(1, terms.expires_at - int(self._clock())),
            )
        return UploadForm(post["url"], post["fields"])


class S3UploadedFiles:
    """Implements `ports.uploads.UploadedFiles`; lists keys, which needs no permission to read files."""

    def __init__(self, bucket: Bucket) -> None:
        self._bucket = bucket

    def contains_upload(self, tenant: str, upload: Upload) -> bool:
        """Return whether the object of this ticket exists; one request."""
        key = tenant_prefix(tenant) + upload_path(upload)
        with self._bucket.translated_errors():
            page = self._bucket.client.list_objects_v2(Bucket=self._bucket.name, Prefix=key, MaxKeys=1)
        # The prefix may be that of a longer key, too.
        return any(each.get("Key") == key for each in page.get("Contents", []))
