"""Parsing by the parser function: documents and results pass through the bucket, by addresses that end soon."""

import json
import logging
import secrets
from typing import TYPE_CHECKING, BinaryIO, Final, NamedTuple, cast

from botocore.exceptions import BotoCoreError, ClientError

from groundwire.adapters.aws.s3.blobs import FOLDER
from groundwire.adapters.aws.s3.bucket import Bucket, tenant_prefix
from groundwire.adapters.parse.function.limits import CLIENT_SECONDS, RESULT_BYTES
from groundwire.adapters.parse.function.messages import ANSWER, ParseInvocation, ParserIsolation
from groundwire.adapters.parse.function.results import OTHER_VERSION, decode_result
from groundwire.adapters.parse.ocr import ocr_version
from groundwire.adapters.parse.parser import LAYER_VERSION
from groundwire.adapters.parse.sandbox.process import INVALID_REPLY_REASON
from groundwire.domain.documents.parsed import ParsedDocument
from groundwire.domain.errors import DocumentRefused, NotFound, ParserBroken, ParserBusy, Unavailable
from groundwire.domain.text.json_values import is_mapping

if TYPE_CHECKING:
    from collections.abc import Sequence

    from types_boto3_lambda import LambdaClient

TRANSIENT_TAG: Final = "groundwire=transient"
"""Tag of a document and a result on their way, by which the bucket's rule deletes what a process left behind."""
_LOG: Final = logging.getLogger(__name__)
_FOLDER: Final = f"{FOLDER}results/"
_ANSWER_BYTES: Final = 100_000
_RETRY_SECONDS: Final = 60
_BUSY: Final = "The parser of documents has no capacity or does not answer. The document is parsed again soon."
_BROKEN: Final = "The parser of documents does not start."
_NEVER_STARTS: Final = frozenset(
    {
        *("InvalidParameterValueException", "InvalidRuntimeException", "InvalidZipFileException"),
        *("InvalidSecurityGroupIDException", "InvalidSubnetIDException"),
    }
)
"""Refusals of an invocation that no repeat changes. Source: AWS Lambda API reference, Invoke."""
_BROKEN_TYPES: Final = frozenset(
    {
        *("ParserBroken", "InvalidInput", "Runtime.ImportModuleError", "Runtime.HandlerNotFound"),
        *("Runtime.UserCodeSyntaxError", "Runtime.MalformedHandlerName"),
    }
)
"""Types of errors of a function that does not start, its own and those of Lambda's runtime."""
_PROCESS_ENDED: Final = "Runtime.ExitError"
"""Type of the error that Lambda reports when the function's process ends; the result may be stored nonetheless."""


class FunctionParsers:
    """Implements `ports.Parsers` by the parser function; safe to share between threads.

    Args:
        client: client of Lambda, which never retries and waits longer than the function may run.
        function: ARN of the function.
        isolation: how the function separates tenants.
        bucket: where documents and results pass.
        languages: of the function's text recognition; empty without one.
    """

    def __init__(
        self,
        client: "LambdaClient",
        function: str,
        isolation: ParserIsolation,
        bucket: Bucket,
        languages: "Sequence[str]",
    ) -> None:
        self._client = client
        self._function = function
        self._isolation = isolation
        self._bucket = bucket
        self._languages = languages

    @property
    def version(self) -> str:
        """Version of the function's parser; a result of another version is not taken."""
        return LAYER_VERSION

    @property
    def ocr_version(self) -> str:
        """Text recognition's settings as a version; empty when it is off."""
        return ocr_version(self._languages)

    def for_tenant(self, tenant: str) -> "FunctionParser":
        """Return the parser of this tenant's documents; it keeps nothing of one.

        Raises:
            InvalidInput: `tenant` is no tenant id.
        """
        tenant_id = {"TenantId": tenant} if self._isolation is ParserIsolation.TENANT else {}
        return FunctionParser(ParserInvoker(self._client, self._function, tenant_id), self._bucket, tenant)


class ParserInvoker(NamedTuple):
    """Invocation of the parser function for one tenant.

    Attributes:
        tenant_id: parameter `TenantId` of the invocation; empty where the function does not separate tenants by it.
    """

    client: "LambdaClient"
    function: str
    tenant_id: dict[str, str]

    def __call__(self, invocation: ParseInvocation) -> None:
        """Run the function, which has stored a result afterwards, unless its process ended.

        Raises:
            ParserBusy: the function is throttled, absent, too slow or of another version.
            ParserBroken: the function does not start.
        """
        payload = json.dumps(invocation.to_event()).encode()
        try:
            answer = self.client.invoke(FunctionName=self.function, Payload=payload, **self.tenant_id)  # pyright: ignore[reportArgumentType] - the stub knows each parameter by name only
            content = answer["Payload"].read(_ANSWER_BYTES)
        except ClientError as error:
            code = str(error.response.get("Error", {}).get("Code"))
            _LOG.warning("the parser function refuses an invocation", extra={"code": code})
            if code in _NEVER_STARTS:
                raise ParserBroken(_BROKEN, _RETRY_SECONDS) from error
            raise ParserBusy(_BUSY, _RETRY_SECONDS) from error
        except BotoCoreError as error:
            raise ParserBusy(_BUSY, _RETRY_SECONDS) from error
        _check_answer(content, failed="FunctionError" in answer)


def _check_answer(content: bytes, *, failed: bool) -> None:
    try:
        answer: object = json.loads(content)
    except ValueError:
        answer = None
    if answer == ANSWER:
        # Also where the process ended after it had answered: Lambda may report that as an error of the function.
        return
    if not failed:
        raise ParserBusy(OTHER_VERSION, _RETRY_SECONDS)
    kind = str(answer.get("errorType")) if is_mapping(answer) else ""
    _LOG.warning("the parser function failed", extra={"error_type": kind[:100]})
    if kind in _BROKEN_TYPES:
        raise ParserBroken(_BROKEN, _RETRY_SECONDS)
    if kind != _PROCESS_ENDED:
        raise ParserBusy(_BUSY, _RETRY_SECONDS)


class FunctionParser:
    """Implements `ports.Parser` for one tenant."""

    def __init__(self, invoke: ParserInvoker, bucket: Bucket, tenant: str) -> None:
        self._invoke = invoke
        self._bucket = bucket
        self._folder = tenant_prefix(tenant) + _FOLDER

    def parse(
        self, content: bytes, file_type: str, *, with_images: bool = False, with_thumbnails: bool = False
    ) -> ParsedDocument:
        """Return the document's blocks; content and result are in the bucket for the time of the call.

        Args:
            content: the file's bytes.
            file_type: the extension, without its dot.
            with_images: extract its images, too.
            with_thumbnails: each image with its thumbnail; without `with_images` no effect.

        Raises:
            DocumentRefused: the document cannot be read, or the result is none of this document.
            ParserBusy: the function is throttled, absent, too slow or of another version.
            ParserBroken: the function does not start.
            Unavailable: the bucket does not answer.
        """
        passage = self._folder + secrets.token_hex(16)
        source, result = f"{passage}.content", f"{passage}.result"
        nonce = secrets.token_hex(16)
        try:
            content_url = self._put(source, content)
            result_url = self._presigned("put_object", {"Key": result, "Tagging": TRANSIENT_TAG})
            headers = {"x-amz-tagging": TRANSIENT_TAG}
            self._invoke(
                ParseInvocation(nonce, content_url, result_url, headers, file_type, with_images, with_thumbnails)
            )
            return self._read(result, nonce, with_thumbnails=with_thumbnails)
        finally:
            self._erase(passage)

    def _put(self, key: str, content: bytes) -> str:
        """Store the content; return the address of this very version."""
        with self._bucket.translated_errors():
            stored = self._bucket.client.put_object(
                Bucket=self._bucket.name, Key=key, Body=content, Tagging=TRANSIENT_TAG
            )
        version = stored.get("VersionId")
        return self._presigned("get_object", {"Key": key, **({"VersionId": version} if version else {})})

    def _presigned(self, operation: str, parameters: dict[str, str]) -> str:
        with self._bucket.translated_errors():
            return self._bucket.client.generate_presigned_url(
                operation, Params={"Bucket": self._bucket.name, **parameters}, ExpiresIn=CLIENT_SECONDS
            )

    def _read(self, key: str, nonce: str, *, with_thumbnails: bool) -> ParsedDocument:
        """Return the stored document, whose size is checked before any of it is read."""
        try:
            with self._bucket.translated_errors():
                answer = self._bucket.client.get_object(Bucket=self._bucket.name, Key=key)
                with answer["Body"] as body:
                    if answer["ContentLength"] > RESULT_BYTES:
                        raise DocumentRefused(INVALID_REPLY_REASON)
                    return decode_result(cast("BinaryIO", body), nonce, LAYER_VERSION, with_thumbnails=with_thumbnails)
        except NotFound as error:
            raise ParserBusy(_BUSY, _RETRY_SECONDS) from error

    def _erase(self, passage: str) -> None:
        """Delete every version of content and result; what remains after an error, the bucket's rule deletes."""
        try:
            self._bucket.erase(f"{passage}.")
        except Unavailable as error:
            _LOG.warning("a parsed document's copy remains for a day", extra={"reason": str(error)})
