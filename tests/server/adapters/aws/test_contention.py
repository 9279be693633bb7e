from typing import Any

import pytest
from botocore.exceptions import ClientError

from groundwire.adapters.aws.dynamodb.client.errors import TransactionConflict, translated_errors
from groundwire.adapters.aws.dynamodb.client.retry import retry_on_conflict
from groundwire.domain import errors


class Contest:
    """A write that meets so many others first."""

    def __init__(self, others: int) -> None:
        self.others = others
        self.writes = 0

    def __call__(self) -> str:
        self.writes += 1
        if self.writes <= self.others:
            raise TransactionConflict("Another call is in the way.", retry_after_s=1)
        return "written"


@pytest.mark.parametrize("others", [0, 1, 4])
def test_a_write_that_meets_others_is_tried_again_until_it_is_alone(others: int) -> None:
    write = Contest(others)
    assert retry_on_conflict(write) == "written"
    assert write.writes == others + 1


def test_a_transaction_that_always_conflicts_asks_the_caller_to_retry() -> None:
    with pytest.raises(errors.Unavailable) as reported:
        retry_on_conflict(Contest(1_000))
    assert reported.value.retry_after_s == 1


@pytest.mark.parametrize(
    "answer",
    [
        {"Error": {"Code": "TransactionConflictException"}},
        {"Error": {"Code": "TransactionCanceledException"}, "CancellationReasons": [{"Code": "TransactionConflict"}]},
    ],
    ids=["of-one-write", "of-a-transaction"],
)
def test_an_error_about_a_concurrent_transaction_is_reported_as_contention(answer: Any) -> None:
    with pytest.raises(TransactionConflict), translated_errors("keys"):
        raise ClientError(answer, "TransactWriteItems")
