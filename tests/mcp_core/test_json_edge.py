"""JSON at the edge: what is refused, why, and at what cost."""

import json
import tracemalloc
from types import MappingProxyType

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from groundwire_mcp.jsonrpc.json_codec import JsonError, JsonTooLarge, decode, encode
from groundwire_mcp.limits import MAX_BODY_BYTES, MAX_JSON_DEPTH, MAX_JSON_NODES
from tests.mcp_core.promises import promise
from tests.support.plugins.draws import examples

QUICK = settings(deadline=None, max_examples=examples(300))

WIDE = {f"key {n}": '"' for n in range(MAX_JSON_NODES - 1)}

REFUSED = [
    (b"", "not JSON"),
    (b" ", "not JSON"),
    (b"{", "not JSON"),
    (b'{"a":1,}', "not JSON"),
    (b"[1] [2]", "not JSON"),
    (b"'a'", "not JSON"),
    (b'"a\nb"', "not JSON"),
    (b'"\\x41"', "not JSON"),
    (b'"\\"', "not JSON"),
    (b"01", "not JSON"),
    (b"\x00", "not JSON"),
    (b"nul", "not JSON"),
    (b"\xef\xbb\xbf{}", "not JSON"),
    ("{}".encode("utf-16"), "not UTF-8"),
    ("{}".encode("utf-16-be"), "not JSON"),
    (b'"\xff"', "not UTF-8"),
    (b'"\xc0\xaf"', "not UTF-8"),
    (b'"\xed\xa0\x80"', "not UTF-8"),
    (b"NaN", "NaN is no number"),
    (b"[Infinity]", "Infinity is no number"),
    (b'{"a":-Infinity}', "-Infinity is no number"),
    (b"1e400", "number outside"),
    (b"-1e400", "number outside"),
    (b"1e17", "number outside"),
    (b"9007199254740993", "number outside"),
    (b"-9007199254740993", "number outside"),
    (b"9" * 5_000, "number outside"),
    (b"9" * (MAX_BODY_BYTES - 1), "number outside"),
    (b'{"a":1,"a":1}', "same key twice"),
    (b'{"a":1,"\\u0061":2}', "same key twice"),
    (b'[{"b":{"c":1,"c":2}}]', "same key twice"),
    (b'"\\ud800"', "surrogate"),
    (b'{"\\uDFFF":1}', "surrogate"),
    (b'["\\udc00\\ud800"]', "surrogate"),
    (b"[" * 100_000, "values"),
    (b"[" * 100_000 + b"]" * 100_000, "values"),
    (b'{"a":' * 100_000, "values"),
    (b"[" * 33 + b"]" * 33, "nested"),
    (b'{"a":' * 33 + b"1" + b"}" * 33, "nested"),
    (b'["\\\\",' + b"[" * 32 + b"]" * 32 + b"]", "nested"),
    (b'["\\\\\\"",' + b"[" * 32 + b"]" * 32 + b"]", "nested"),
]


@promise("H22")
@pytest.mark.parametrize(("body", "why"), REFUSED)
def test_a_body_that_readers_may_understand_differently_is_refused_with_its_reason(body: bytes, why: str) -> None:
    with pytest.raises(JsonError, match=why):
        decode(body)


@promise("H22")
@pytest.mark.parametrize(
    ("body", "value"),
    [
        (b' {"a": [1, -2.5, true, null, "x"]}\n', {"a": [1, -2.5, True, None, "x"]}),
        (b"9007199254740992", 2**53),
        (b"-9007199254740992", -(2**53)),
        (b"1e15", 1e15),
        (b'"\\ud83d\\ude00 \\\\ud800"', "😀 \\ud800"),
        ('"\u202e\u0000\U0001f600"'.replace("\0", "\\u0000").encode(), "\u202e\0😀"),
        (b"[" * MAX_JSON_DEPTH + b"]" * MAX_JSON_DEPTH, None),
        (b'["' + b"[" * 50_000 + b'"]', ["[" * 50_000]),
        (b'["\\"' + b"[" * 50_000 + b'\\\\"]', ['"' + "[" * 50_000 + "\\"]),
        (b"[" + b"0," * (MAX_JSON_NODES - 2) + b"0]", [0] * (MAX_JSON_NODES - 1)),
        (json.dumps(WIDE).encode(), WIDE),
    ],
)
def test_what_is_within_the_limits_is_read(body: bytes, value: object) -> None:
    decoded = decode(body)
    assert value is None or decoded == value


@promise("H22")
def test_one_value_over_the_limit_is_refused() -> None:
    with pytest.raises(JsonError, match="values"):
        decode(b"[" + b"0," * (MAX_JSON_NODES - 1) + b"0]")
    with pytest.raises(JsonError, match="values"):
        decode(json.dumps({**WIDE, "one more": "x"}).encode())


@promise("H22")
def test_one_byte_over_the_limit_is_too_large() -> None:
    assert decode(b'"' + b"x" * (MAX_BODY_BYTES - 2) + b'"')
    with pytest.raises(JsonTooLarge):
        decode(b'"' + b"x" * (MAX_BODY_BYTES - 1) + b'"')


ATTACKS = [
    b"[" * 100_000,
    b"[" * MAX_BODY_BYTES,
    b"[]," * (MAX_BODY_BYTES // 3),
    b'{"a":' * (MAX_BODY_BYTES // 5),
    b'"' * MAX_BODY_BYTES,
    b'"' + b"\\" * (MAX_BODY_BYTES - 1),
    b'"' + b'\\"' * (MAX_BODY_BYTES // 2 - 1),
    b"9" * MAX_BODY_BYTES,
    b" " * MAX_BODY_BYTES,
    b'"' + b"\\ud800" * (MAX_BODY_BYTES // 6 - 1) + b'"',
]


@promise("H22")
@pytest.mark.parametrize("body", ATTACKS)
def test_a_hostile_body_is_refused_in_little_memory(body: bytes) -> None:
    tracemalloc.start()
    try:
        with pytest.raises(JsonError):
            decode(body)
        assert tracemalloc.get_traced_memory()[1] < 24 * MAX_BODY_BYTES
    finally:
        tracemalloc.stop()


def json_values() -> st.SearchStrategy[object]:
    scalars = st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.floats(-1e15, 1e15) | st.text()
    return st.recursive(scalars, lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner), max_leaves=30)


@QUICK
@given(json_values())
def test_what_is_encoded_decodes_to_itself(value: object) -> None:
    assert decode(encode(value)) == value
    assert decode(json.dumps(value, indent=1).encode()) == value


@QUICK
@given(st.binary(max_size=60) | st.text('[]{},:"\\ud8001e9.-', max_size=60).map(str.encode))
def test_any_bytes_decode_as_the_reference_reader_does_or_are_refused(body: bytes) -> None:
    try:
        value = decode(body)
    except JsonError:
        return
    assert value == json.loads(body)


def test_mappings_of_any_kind_are_objects_and_other_types_are_a_defect() -> None:
    assert encode({"a": MappingProxyType({"b": "é"}), "c": (1,)}) == '{"a":{"b":"é"},"c":[1]}'.encode()
    with pytest.raises(TypeError):
        encode({"a": {1, 2}})
    with pytest.raises(ValueError, match="not JSON compliant"):
        encode(float("nan"))
