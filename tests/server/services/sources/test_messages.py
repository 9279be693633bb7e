"""The wire form of calls to sources: what is sent arrives, and nothing else is taken."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire.domain.errors import InvalidInput, LimitExceeded, Unavailable
from groundwire.domain.keys.forms.key_text import Secret
from groundwire.domain.sources.messages import (
    SourceInvocation,
    decode_answer,
    decode_listing,
    encode_error,
    encode_result,
    parse_invocation,
)
from groundwire.domain.sources.state import SourceCaller
from groundwire_egress.mcp_client.calls import (
    ApiKeyCredential,
    ClientCredential,
    ExchangeCredential,
    SourceAnswer,
    SourceListing,
    SourceTarget,
    SourceToolCall,
)

TEXTS = st.text(st.characters(), max_size=20)
SECRETS = TEXTS.map(Secret)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=8,
)
OBJECTS = st.dictionaries(TEXTS, JSON, max_size=4)
CREDENTIALS = st.one_of(
    st.none(),
    st.builds(ApiKeyCredential, TEXTS, SECRETS),
    st.builds(ClientCredential, TEXTS, TEXTS, SECRETS, st.none() | TEXTS),
    st.builds(ExchangeCredential, TEXTS, SECRETS, st.none() | TEXTS, TEXTS, st.none() | SECRETS),
)
TARGETS = st.builds(SourceTarget, TEXTS, TEXTS, TEXTS, CREDENTIALS)
CALLS = st.builds(SourceToolCall, TEXTS, OBJECTS, TEXTS, st.dictionaries(TEXTS, TEXTS, max_size=3))
INVOCATIONS = st.builds(
    SourceInvocation,
    TARGETS,
    CALLS,
    st.builds(SourceCaller, TEXTS, st.none() | TEXTS, st.booleans()),
    st.floats(0.001, 60),
) | st.builds(SourceInvocation, TARGETS, st.none(), st.none(), st.floats(0.001, 60))
COUNTS = st.integers(0, 10**9)
ANSWERS = st.builds(
    SourceAnswer, st.lists(OBJECTS, max_size=3), st.none() | OBJECTS, st.booleans(), COUNTS, COUNTS, TEXTS
)

TARGET = SourceTarget("t", "s", "https://mcp.example.com", ApiKeyCredential("x-api-key", Secret("hidden")))
CALL = SourceToolCall("search", {"query": "pump"}, "digest", {"query": "x-query"})
CALLER = SourceCaller("k1", "u1", is_known=True)
EVENT = SourceInvocation(TARGET, CALL, CALLER, 3.5).to_event()


def changed(path: str, value: object) -> Any:
    """The event with another value at the path; ... removes the member."""
    event = json.loads(json.dumps(EVENT))
    *parents, last = path.split(".")
    members = event
    for parent in parents:
        members = members[parent]
    if value is ...:
        del members[last]
    else:
        members[last] = value
    return event


@given(INVOCATIONS)
def test_an_invocation_is_what_it_was_before_it_was_sent(invocation: SourceInvocation) -> None:
    sent = json.dumps(invocation.to_event())
    assert sent.isascii()
    assert parse_invocation(json.loads(sent)) == invocation


@given(st.builds(SourceListing, st.lists(OBJECTS, max_size=3), TEXTS))
def test_a_listing_is_what_it_was_before_it_was_sent(listing: SourceListing) -> None:
    sent = encode_result(listing)
    assert sent.isascii()
    assert decode_listing(sent) == listing


@given(ANSWERS)
def test_an_answer_is_what_it_was_before_it_was_sent(answer: SourceAnswer) -> None:
    sent = encode_result(answer)
    assert sent.isascii()
    assert decode_answer(sent) == answer


@pytest.mark.parametrize(
    "event",
    [
        None,
        [],
        "call",
        {},
        changed("seconds", ...),
        changed("more", 1),
        *(changed("caller", value) for value in (None, [], "k1", {}, ...)),
        *(changed("caller.key", value) for value in (None, 1, ...)),
        *(changed("caller.user", value) for value in (1, ...)),
        *(changed("caller.is_known", value) for value in (None, 1, "true", ...)),
        changed("call", None),
        *(changed("seconds", value) for value in (0, -1, True, "3", float("nan"), float("inf"), None)),
        *(changed("target", value) for value in (None, [], {}, "https://mcp.example.com")),
        *(changed(f"target.{name}", value) for name in ("tenant", "source_id", "url") for value in (None, 1, ...)),
        changed("target.more", "x"),
        *(changed("target.credential", value) for value in ([], "key", {}, {"kind": ["api_key"]}, ...)),
        changed("target.credential.kind", "password"),
        changed("target.credential.kind", "client"),
        changed("target.credential.value", None),
        changed("target.credential.more", "x"),
        *(changed("call", value) for value in ([], "search", {}, ...)),
        *(changed(f"call.{name}", value) for name in ("tool", "digest") for value in (None, 1, ...)),
        *(changed("call.arguments", value) for value in (None, [], "x")),
        *(changed("call.mirrored_arguments", value) for value in (None, [], {"query": 1})),
    ],
)
def test_an_event_that_is_no_invocation_is_refused_and_not_repeated(event: object) -> None:
    with pytest.raises(InvalidInput) as refused:
        parse_invocation(event)
    assert "hidden" not in str(refused.value)
    assert "mcp.example.com" not in str(refused.value)


def test_a_credential_is_sent_in_plain_text_and_printed_by_nothing() -> None:
    invocation = SourceInvocation(TARGET, CALL, CALLER, 1.0)
    assert "hidden" in json.dumps(invocation.to_event())
    assert "hidden" not in repr(invocation)
    assert "hidden" not in repr(parse_invocation(invocation.to_event()))


def test_an_error_has_the_code_of_its_class() -> None:
    with pytest.raises(LimitExceeded) as raised:
        decode_answer(encode_error(LimitExceeded("Too often.", 9)))
    assert (str(raised.value), raised.value.retry_after_s) == ("Too often.", 9)


class Offline(Unavailable):
    """An error that has no code of its own."""


def test_an_error_without_a_code_has_that_of_its_kind() -> None:
    with pytest.raises(Unavailable) as raised:
        decode_listing(encode_error(Offline("Not there.", 4)))
    assert type(raised.value) is Unavailable


@pytest.mark.parametrize("decode", [decode_listing, decode_answer])
@pytest.mark.parametrize(
    "response",
    [
        None,
        {},
        "",
        "[]",
        "{}",
        '{"listing": {}}',
        '{"answer": {}}',
        '{"listing": {"declarations": [1], "protocol": "p"}}',
        '{"error": null}',
        '{"error": {"code": "other", "message": "m", "retry_after_s": 1}}',
        '{"error": {"code": "too_much", "message": "m", "retry_after_s": "soon"}}',
    ],
)
def test_an_invalid_response_is_refused(decode: Callable[[object], object], response: object) -> None:
    with pytest.raises(InvalidInput):
        decode(response)
