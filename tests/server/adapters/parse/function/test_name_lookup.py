"""Outcomes of a lookup in a network: blocked by its DNS firewall, answered, or unknown."""

import socket
from typing import NoReturn

import pytest

from groundwire.adapters.parse.function.name_lookup import FOREIGN_NAME, LookupOutcome, NameLookup, look_up, try_lookup


@pytest.mark.parametrize(
    ("number", "outcome"),
    [
        (socket.EAI_NODATA, LookupOutcome.BLOCKED),
        (socket.EAI_NONAME, LookupOutcome.UNKNOWN),
        (socket.EAI_AGAIN, LookupOutcome.UNKNOWN),
        (socket.EAI_FAIL, LookupOutcome.UNKNOWN),
    ],
)
def test_only_the_answer_of_the_firewall_counts_as_blocked(
    number: int, outcome: LookupOutcome, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(*_arguments: object) -> NoReturn:
        raise socket.gaierror(number, "the words of the system")

    monkeypatch.setattr(socket, "getaddrinfo", refused)
    assert look_up(FOREIGN_NAME) == (outcome, "the words of the system")


def test_a_name_that_has_an_address_here_is_answered() -> None:
    assert try_lookup("localhost") == NameLookup("localhost", LookupOutcome.ANSWERED, "it has an address")


def test_a_name_that_is_none_is_not_taken_for_a_blocked_one() -> None:
    assert try_lookup("a.invalid").outcome is LookupOutcome.UNKNOWN


def test_a_lookup_that_does_not_end_in_its_time_reports_nothing() -> None:
    assert try_lookup(seconds=0) == NameLookup("example.com", LookupOutcome.UNKNOWN, "no answer within 0 s")


def test_a_trial_that_does_not_start_reports_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.executable", "/no/such/program")
    assert try_lookup("localhost").detail == "the trial failed: FileNotFoundError"
