"""Clients of an account's services for the command line, and their errors as errors of the domain."""

import time
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from email.utils import parsedate_to_datetime
from typing import Any, Final

from botocore.config import Config
from botocore.exceptions import BotoCoreError, ClientError, InvalidRegionError, NoCredentialsError, NoRegionError
from botocore.parsers import ResponseParserError
from botocore.session import get_session

from groundwire.domain.errors import Forbidden, InvalidInput, NotFound, Unavailable
from groundwire.ports import Clock
from groundwire.ports.account import FunctionNotReady

CONFIG: Final = Config(connect_timeout=10, read_timeout=60, retries={"mode": "standard", "total_max_attempts": 3})
_FORBIDDEN: Final = frozenset({"AccessDenied", "AccessDeniedException", "UnauthorizedOperation", "AuthorizationError"})
_EXPIRED: Final = frozenset(
    {"ExpiredToken", "ExpiredTokenException", "InvalidClientTokenId", "UnrecognizedClientException"}
)
_NOT_READY: Final = frozenset({"ResourceNotReadyException", "ResourceConflictException", "ENINotReadyException"})
"""Errors while Lambda makes the network interfaces of a function again that was not called for weeks, or updates it.

Source: Lambda API reference, Invoke, errors; Lambda developer guide, "Lambda function states".
"""
_ABSENT: Final = frozenset(
    {"ResourceNotFoundException", "NoSuchEntity", "StackNotFoundException", "TypeNotFoundException"}
)
NOT_SIGNED_IN: Final = (NoCredentialsError, NoRegionError, InvalidRegionError)
"""Errors of botocore before any call: it finds no credentials or no Region."""


class AccountClients:
    """Clients of one Region, each made once.

    Args:
        region: None: the default of the AWS command line.
        clock: epoch seconds of this machine.
    """

    def __init__(self, region: str | None, clock: Clock = time.time) -> None:
        self._region = region
        self._clock = clock
        self._session = get_session()
        self._clients: dict[str, Any] = {}

    def require_credentials(self) -> None:
        """Require that there are credentials, whether or not AWS takes them.

        Raises:
            InvalidInput: there are none.
        """
        if self._session.get_credentials() is None:
            raise not_signed_in(NoCredentialsError())

    @contextmanager
    def asking(self, service: str) -> Generator[Any]:
        """Give the client of a service, and raise its errors as domain errors.

        Raises:
            InvalidInput: there are no credentials, or no Region, or its name is malformed.
            Forbidden: the caller lacks a permission, which the message names, or the credentials have expired.
            NotFound: there is no such thing.
            FunctionNotReady: Lambda is not ready to run the function.
            Unavailable: AWS does not answer.
        """
        try:
            yield self._client(service)
        except NOT_SIGNED_IN as error:
            raise not_signed_in(error) from error
        except ClientError as error:
            raise _translate(service, error) from error
        # `ResponseParserError` is no `BotoCoreError`: a proxy may answer with a page.
        except (BotoCoreError, ResponseParserError) as error:
            raise Unavailable(f"AWS does not answer: {_sentence(error)}") from error

    def clock_skew_s(self) -> float:
        """Return the seconds by which this machine's clock is ahead of AWS's, also where AWS refuses the signature."""
        with self.asking("sts") as sts:
            try:
                answer: Mapping[str, Any] = sts.get_caller_identity()
            except ClientError as error:
                answer = error.response
                if not _date_header(answer):
                    raise
        return self._clock() - parsedate_to_datetime(_date_header(answer)).timestamp()

    def _client(self, service: str) -> Any:
        if service not in self._clients:
            create = self._session.create_client  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType] - its clients have no types
            self._clients[service] = create(service, region_name=self._region, config=CONFIG)
        return self._clients[service]


def _date_header(answer: Mapping[str, Any]) -> str:
    return str(answer.get("ResponseMetadata", {}).get("HTTPHeaders", {}).get("date", ""))


def not_signed_in(error: Exception) -> InvalidInput:
    """Return the error of a caller without credentials or Region, with its remedy."""
    return InvalidInput(f"{_sentence(error)} Sign in as for the AWS command line, and give --region.")


def _translate(service: str, error: ClientError) -> Exception:
    code = str(error.response.get("Error", {}).get("Code"))
    text = str(error.response.get("Error", {}).get("Message"))
    if code in _FORBIDDEN:
        return Forbidden(f"Your AWS user lacks {service}:{error.operation_name}.")
    if code in _EXPIRED:
        return Forbidden("Your AWS credentials have expired: sign in again.")
    # CloudFormation has no code of its own for a stack that does not exist.
    if code in _ABSENT or (code == "ValidationError" and "does not exist" in text):
        return NotFound(f"AWS has no such thing: {_sentence_of(text)}")
    if code in _NOT_READY:
        return FunctionNotReady("Lambda makes the function ready: run the command again in some minutes.")
    return Unavailable(f"AWS refuses {service}:{error.operation_name} ({code}): {_sentence_of(text)}")


def _sentence(error: Exception) -> str:
    return _sentence_of(str(error))


def _sentence_of(text: str) -> str:
    return f"{text.rstrip('.')}."
