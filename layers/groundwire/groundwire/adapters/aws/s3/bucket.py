"""Bucket of files: tenant prefixes, and errors of S3 translated to domain errors."""

from collections.abc import Generator, Iterator, Mapping
from contextlib import contextmanager
from itertools import islice
from typing import TYPE_CHECKING, Final

from botocore.exceptions import BotoCoreError, ClientError, NoCredentialsError, NoRegionError, ParamValidationError

from groundwire.adapters.codecs.file_names import validate_tenant_id
from groundwire.domain import errors

if TYPE_CHECKING:
    from types_boto3_s3 import S3Client
    from types_boto3_s3.type_defs import ObjectIdentifierTypeDef

_SERVER_ERROR: Final = 500
_BUSY: Final = ("gets too many requests", "repeat soon", 1)
_FORBIDDEN: Final = ("may not be used", "check the role of the function", 30)
_ABSENT: Final = ("is not there", "deploy the stack again", 30)
_NO_CREDENTIALS: Final = ("cannot be asked", "give this process AWS credentials and a region", 30)
_NO_ANSWER: Final = ("does not answer", "repeat soon", 5)
_BY_CODE: Final[Mapping[str, tuple[str, str, int]]] = {
    "SlowDown": _BUSY,
    "OperationAborted": _BUSY,
    "AccessDenied": _FORBIDDEN,
    "403": _FORBIDDEN,
    "ExpiredToken": _FORBIDDEN,
    "InvalidAccessKeyId": _FORBIDDEN,
    "SignatureDoesNotMatch": _FORBIDDEN,
    "NoSuchBucket": _ABSENT,
}
_MISSING: Final = frozenset({"NoSuchKey", "NoSuchVersion", "404"})
_DELETE_BATCH_SIZE: Final = 1_000


class Bucket:
    """S3 bucket behind `client`; any method can raise Unavailable."""

    def __init__(self, client: "S3Client", name: str) -> None:
        self.client: Final = client
        self.name: Final = name

    @contextmanager
    def translated_errors(self) -> Generator[None]:
        """Translate the errors of S3 requests inside: NotFound for a missing object, else Unavailable.

        An unknown error of the client is a fault of this program, and passes unchanged.
        """
        try:
            yield
        # Such a request is an error of this program.
        except ParamValidationError:
            raise
        except ClientError as error:
            raise self._translate(error) from error
        except (NoCredentialsError, NoRegionError) as error:
            raise self._unavailable(type(error).__name__, _NO_CREDENTIALS) from error
        except BotoCoreError as error:
            raise self._unavailable(type(error).__name__, _NO_ANSWER) from error

    def erase(self, prefix: str) -> int:
        """Delete all versions and delete markers of the keys with this prefix; return the number of current objects."""
        deleted = 0
        # Each listing starts at the beginning: a deleted entry is no place to continue from.
        while found := list(islice(self.versions(prefix), _DELETE_BATCH_SIZE)):
            self._delete([{"Key": key, "VersionId": version} for key, version, _ in found])
            deleted += sum(is_current for _, _, is_current in found)
        return deleted

    def versions(self, prefix: str) -> Iterator[tuple[str, str, bool]]:
        """List key, version and whether it is the current one, of all versions and delete markers, by key."""
        pages = self.client.get_paginator("list_object_versions").paginate(Bucket=self.name, Prefix=prefix)
        with self.translated_errors():
            for page in pages:
                for version in page.get("Versions", []):
                    yield version.get("Key", ""), version.get("VersionId", "null"), version.get("IsLatest", False)
                for mark in page.get("DeleteMarkers", []):
                    yield mark.get("Key", ""), mark.get("VersionId", "null"), False

    def _delete(self, batch: "list[ObjectIdentifierTypeDef]") -> None:
        with self.translated_errors():
            answer = self.client.delete_objects(Bucket=self.name, Delete={"Objects": batch, "Quiet": True})
        # S3 answers 200 even where it deleted none of the keys.
        if failed := answer.get("Errors", []):
            raise self._unavailable(failed[0].get("Code", ""), _BY_CODE.get(failed[0].get("Code", ""), _NO_ANSWER))

    def _translate(self, error: ClientError) -> Exception:
        code = str(error.response.get("Error", {}).get("Code"))
        if code in _MISSING:
            return errors.NotFound("There is no such stored file.")
        status = int(error.response.get("ResponseMetadata", {}).get("HTTPStatusCode", _SERVER_ERROR))
        text_parts = _BY_CODE.get(code, _NO_ANSWER if status >= _SERVER_ERROR else None)
        return error if text_parts is None else self._unavailable(code, text_parts)

    def _unavailable(self, cause: str, text_parts: tuple[str, str, int]) -> errors.Unavailable:
        what, remedy, retry_after_s = text_parts
        return errors.Unavailable(f"The bucket {self.name} {what} ({cause}): {remedy}.", retry_after_s)


def tenant_prefix(tenant: str) -> str:
    """Return the key prefix of all files of a tenant.

    Raises:
        InvalidInput: `tenant` is no tenant id.
    """
    return f"tenants/{validate_tenant_id(tenant)}/"
