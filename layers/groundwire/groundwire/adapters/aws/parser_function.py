"""Parsing by the parser function: documents and results pass through the bucket, by addresses that end soon."""

import json
import logging
import secrets
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, BinaryIO, Final, NamedTuple, TypeVar, cast

from botocore.exceptions import BotoCoreError, ClientError, HTTPClientError, ReadTimeoutError

from groundwire.adapters.aws.s3.blobs import FOLDER
from groundwire.adapters.aws.s3.bucket import Bucket, tenant_prefix
from groundwire.adapters.parse.function.limits import (
    CLIENT_SECONDS,
    FRESH_ATTEMPT_SECONDS,
    PICTURE_RESULT_BYTES,
    RESULT_BYTES,
)
from groundwire.adapters.parse.function.messages import ParseInvocation, ParserIsolation
from groundwire.adapters.parse.function.outcomes import (
    Outcome,
    failure_without_result,
    outcome_of_answer,
    outcome_of_refusal,
    raise_without_run,
)
from groundwire.adapters.parse.function.results import decode_picture, decode_result
from groundwire.domain.errors import NotFound, ParsingFailed, Unavailable
from groundwire_readers.contents.parsed import PagePicture, ParsedDocument
from groundwire_readers.formats import PDF
from groundwire_readers.ocr import ocr_version
from groundwire_readers.parser import LAYER_VERSION
from groundwire_readers.sandbox.processes.process import INVALID_REPLY_REASON

if TYPE_CHECKING:
    from collections.abc import Sequence

    from types_boto3_lambda import LambdaClient

TRANSIENT_TAG: Final = "groundwire=transient"
"""Tag of a document and a result on their way, by which the bucket's rule deletes what a process left behind."""
_LOG: Final = logging.getLogger(__name__)
_FOLDER: Final = f"{FOLDER}results/"
_ANSWER_BYTES: Final = 100_000
_Result = TypeVar("_Result")


class FunctionParsers:
    """Implements `ports.Parsers` and `PageDrawers` by the parser function; safe to share between threads.

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

    def __call__(self, invocation: ParseInvocation) -> Outcome:
        """Run the function and return the outcome; a result may be stored afterwards.

        Raises:
            ParserBusy: the function did not run, or is of another release.
            ParserBroken: the function does not start.
        """
        outcome = self._outcome(json.dumps(invocation.to_event()).encode())
        raise_without_run(outcome)
        return outcome

    def _outcome(self, payload: bytes) -> Outcome:
        try:
            answer = self.client.invoke(FunctionName=self.function, Payload=payload, **self.tenant_id)  # pyright: ignore[reportArgumentType] - the stub knows each parameter by name only
            return outcome_of_answer(answer["Payload"].read(_ANSWER_BYTES), failed="FunctionError" in answer)
        except ClientError as error:
            return outcome_of_refusal(str(error.response.get("Error", {}).get("Code")))
        except ReadTimeoutError:
            return Outcome.TIMED_OUT
        # The connection broke after the request was sent, so the function may have had the document.
        except HTTPClientError:
            return Outcome.ENDED
        except BotoCoreError:
            # All other errors of the connection come before the request was sent.
            return Outcome.NOT_RUN


class _NoResult(NamedTuple):
    """Outcome of an attempt after which no result is stored."""

    outcome: Outcome


class _Work(NamedTuple):
    """Members of an invocation that say what is done with the document."""

    file_type: str
    with_images: bool = False
    with_thumbnails: bool = False
    page: int = 0


class FunctionParser:
    """Implements `ports.Parser` and `ports.ingestion.PageDrawer` for one tenant.

    Args:
        invoke: invocation of the function for the tenant.
        bucket: where documents and results pass.
        tenant: owner of the documents.
        clock: monotonic seconds.
    """

    def __init__(
        self, invoke: ParserInvoker, bucket: Bucket, tenant: str, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._invoke = invoke
        self._bucket = bucket
        self._folder = tenant_prefix(tenant) + _FOLDER
        self._clock = clock

    def parse(
        self, content: bytes, file_type: str, *, with_images: bool = False, with_thumbnails: bool = False
    ) -> ParsedDocument:
        """Return the document's blocks; content and result are in the bucket for the time of the call.

        A function that ends soon while it has the document gets it once more, in a fresh environment.

        Args:
            content: the file's bytes.
            file_type: the extension, without its dot.
            with_images: extract its images, too.
            with_thumbnails: each image with its thumbnail; without `with_images` no effect.

        Raises:
            DocumentRefused: the document cannot be read.
            ParsingFailed: the function ended while it had the document, or the result is none of this document.
            ParserBusy: the function did not run, or is of another release.
            ParserBroken: the function does not start.
            Unavailable: the bucket does not answer.
        """
        work = _Work(file_type, with_images, with_thumbnails)

        def decoded(result: BinaryIO, nonce: str) -> ParsedDocument:
            return decode_result(result, nonce, LAYER_VERSION, with_thumbnails=with_thumbnails)

        began = self._clock()
        found = self._attempt(content, work, RESULT_BYTES, decoded)
        has_time = self._clock() - began <= FRESH_ATTEMPT_SECONDS
        if isinstance(found, _NoResult) and found.outcome is not Outcome.TIMED_OUT and has_time:
            found = self._attempt(content, work, RESULT_BYTES, decoded)
        if isinstance(found, _NoResult):
            raise failure_without_result(found.outcome)
        return found

    def draw_page(self, content: bytes, page: int) -> PagePicture:
        """Return the picture of a page of a PDF file; the function gets it once, as somebody waits.

        Raises:
            DocumentRefused: the file has no such page, or it cannot be drawn.
            ParsingFailed, ParserBusy, ParserBroken, Unavailable: as for `parse`.
        """

        def decoded(result: BinaryIO, nonce: str) -> PagePicture:
            return decode_picture(result, nonce, LAYER_VERSION)

        found = self._attempt(content, _Work(PDF.extension, page=page), PICTURE_RESULT_BYTES, decoded)
        if isinstance(found, _NoResult):
            raise failure_without_result(found.outcome)
        return found

    def _attempt(
        self, content: bytes, work: _Work, most_bytes: int, decoded: Callable[[BinaryIO, str], _Result]
    ) -> _Result | _NoResult:
        passage = self._folder + secrets.token_hex(16)
        source, result = f"{passage}.content", f"{passage}.result"
        # The result must repeat it, so that no other process can pass off its own.
        nonce = secrets.token_hex(16)
        try:
            content_url = self._put(source, content)
            result_url = self._presigned("put_object", {"Key": result, "Tagging": TRANSIENT_TAG})
            headers = {"x-amz-tagging": TRANSIENT_TAG}
            outcome = self._invoke(ParseInvocation(nonce, content_url, result_url, headers, *work))
            found = self._read(result, most_bytes, lambda body: decoded(body, nonce))
            return _NoResult(outcome) if found is None else found
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

    def _read(self, key: str, most_bytes: int, decoded: Callable[[BinaryIO], _Result]) -> _Result | None:
        """Return the stored result, whose size is checked before any of it is read; None: the bucket has no result."""
        try:
            with self._bucket.translated_errors():
                answer = self._bucket.client.get_object(Bucket=self._bucket.name, Key=key)
                with answer["Body"] as body:
                    if answer["ContentLength"] > most_bytes:
                        raise ParsingFailed(INVALID_REPLY_REASON)
                    return decoded(cast("BinaryIO", body))
        except NotFound:
            return None

    def _erase(self, passage: str) -> None:
        """Delete every version of content and result; what remains after an error, the bucket's rule deletes."""
        try:
            self._bucket.erase(f"{passage}.")
        except Unavailable as error:
            _LOG.warning("a parsed document's copy remains for a day", extra={"reason": str(error)})
